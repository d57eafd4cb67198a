"""Files of any compression as bytes or text, and their digests."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from heldout.data.paths import checked_file
from heldout.errors import InputError
from heldout.progress import file_reading

COMPRESSIONS = (".gz", ".xz", ".bz2", ".zst")
_STANDING_FOR = (
    (b"version https://git-lfs.github.com/spec/", "a pointer of Git LFS", "fetch the file with `git lfs pull`"),
    (b"<!doctype html", "a web page", "download the file again"),
    (b"<html", "a web page", "download the file again"),
)
"""How texts begin that are in the place of data."""
_CHUNK = 1 << 16
"""Compressed bytes that are decompressed at a time."""
_XZ_PADDING = 4
"""Zero bytes may follow a member of an xz file, in multiples of this number."""
_BROKEN = (EOFError, OSError, lzma.LZMAError, zlib.error)


def plain_name(path: str | Path) -> str:
    """The file's name without the suffix of a compression: `u.data` of `ml/u.data.gz`."""
    path = Path(path)
    return path.stem if path.suffix.lower() in COMPRESSIONS else path.name


@contextmanager
def enough_memory(file: object) -> Iterator[None]:
    """Make an InputError of running out of memory over a file."""
    try:
        yield
    except MemoryError:
        raise InputError("there is not enough memory to read this file", file=file, hint="free some memory") from None


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """A file's uncompressed bytes as a stream; InputError when it cannot be read or is damaged."""
    with opened_with_stored(path) as (stream, _):
        yield stream


@contextmanager
def opened_with_stored(path: str | Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """As `opened`, and the file as it is stored, whose position says how much of it was read."""
    file = checked_file(path)
    try:
        with enough_memory(file), file_reading(file), _stored(file) as stored, _uncompressed(stored, file) as stream:
            yield stream, stored
    except PermissionError as error:
        raise InputError("cannot read the file", file=file, found=error.strerror, hint="check its permissions") from error
    except _BROKEN as error:
        raise _damaged(file, error) from error


def read_bytes(path: str | Path) -> bytes:
    """All bytes of a file, uncompressed."""
    with opened(path) as stream:
        return real_file(stream.read(), path)


def read_head(path: str | Path, size: int = 1 << 16) -> bytes:
    """The first uncompressed bytes of a file."""
    with opened(path) as stream:
        return real_file(stream.read(size), path)


def read_up_to(stream: BinaryIO, size: int) -> bytes:
    """So many bytes of a stream, fewer only at its end."""
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def real_file(data: bytes, path: str | Path) -> bytes:
    """The bytes, unless they stand for a file that is elsewhere, or for one that could not be downloaded."""
    for beginning, what, hint in _STANDING_FOR:
        if data[:200].lstrip().lower().startswith(beginning):
            raise InputError(file=path, found=what, expected="the file itself", hint=hint)
    return data


def file_digest(path: str | Path) -> str:
    """sha256 of a file as it is stored, compressed or not."""
    file = checked_file(path)
    try:
        data = piped(file)
        if data is not None:
            return hashlib.sha256(data).hexdigest()
        with file_reading(file), file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError("cannot read the file", file=file, found=error.strerror) from None


_KEPT: dict[tuple[int, int], tuple[int, bytes]] = {}
"""Of every pipe (by device and number), when it was last written to and all that came."""


def piped(path: Path) -> bytes | None:
    """All bytes of a pipe, such as /dev/stdin; None where a path is that of a file.

    A pipe that someone writes to anew is read anew. Devices and sockets are refused: they have no end.
    """
    status = path.stat()
    if stat.S_ISREG(status.st_mode):
        return None
    is_pipe = stat.S_ISFIFO(status.st_mode)
    nothing = stat.S_ISCHR(status.st_mode) and status.st_rdev == Path(os.devnull).stat().st_rdev
    if not (is_pipe or nothing or (stat.S_ISCHR(status.st_mode) and _is_terminal(path))):
        raise InputError(file=path, expected="a file or a pipe")
    key = status.st_dev, status.st_ino
    written, kept = _KEPT.get(key, (None, b""))
    if written is not None and (not is_pipe or written == status.st_mtime_ns):
        data = _written_anew(path) if is_pipe else None
        if data is None:
            return kept
    else:
        data = path.read_bytes()
    _KEPT[key] = path.stat().st_mtime_ns, data
    return data


def _written_anew(path: Path) -> bytes | None:
    """All that comes of a pipe if someone holds it open for writing; None without a writer, since it is at its end."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(handle, "rb", buffering=0) as stream:
        first = stream.read(1 << 16)  # nothing where there is no writer, and None where one has not written yet
        if first == b"":
            return None
        os.set_blocking(handle, True)
        return (first or b"") + stream.readall()


def _is_terminal(path: Path) -> bool:
    with path.open("rb", buffering=0) as device:
        return device.isatty()


def _stored(path: Path) -> BinaryIO:
    data = piped(path)
    return path.open("rb") if data is None else io.BytesIO(data)


def _uncompressed(stored: BinaryIO, path: Path) -> BinaryIO:
    suffix = "" if isinstance(stored, io.BytesIO) else path.suffix.lower()  # what comes through a pipe is taken as it is
    if suffix == ".gz":
        return cast(BinaryIO, gzip.open(stored, "rb"))
    if suffix == ".xz":
        return _members(stored, lzma.LZMADecompressor, lzma.LZMAError, padding=_XZ_PADDING)
    if suffix == ".bz2":
        return _members(stored, bz2.BZ2Decompressor, OSError)
    if suffix == ".zst":
        import zstandard

        return _members(stored, zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError)
    return stored


def _members(stored: BinaryIO, decompressor: Callable[[], Any], damage: type[Exception], *, padding: int = 0) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(_Members(stored, decompressor, damage, padding)))


class _Members(io.RawIOBase):
    """The members of a compressed file, one after another; damage to any of them, or bytes between them, is an error.

    `lzma.open` and `bz2.open` end quietly after the first member if what follows is not a member.
    """

    def __init__(self, stored: BinaryIO, decompressor: Callable[[], Any], damage: type[Exception], padding: int) -> None:
        self._file = stored
        self._decompressor = decompressor
        self._damage = damage
        self._padding = padding
        self._member = decompressor()
        self._ready, self._inside = b"", False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            if not self._decompress():
                return 0
        n = min(len(buffer), len(self._ready))
        buffer[:n], self._ready = self._ready[:n], self._ready[n:]
        return n

    def _decompress(self) -> bool:
        """Decompress one more piece; return False at the end of the file."""
        rest = b""
        if self._member.eof:
            rest = self._next_member(self._member.unused_data)
            self._member, self._inside = self._decompressor(), False
        chunk = rest or self._file.read(_CHUNK)
        if not chunk:
            if self._inside:  # zstandard itself would end quietly here
                raise OSError("the compressed data ends too early")
            return False
        self._inside = True
        try:
            self._ready = self._member.decompress(chunk)
        except self._damage as error:
            raise OSError(str(error)) from error
        return True

    def _next_member(self, rest: bytes) -> bytes:
        """The bytes after the padding between two members; OSError if the padding has a wrong length."""
        zeros = 0
        while self._padding:
            rest = rest or self._file.read(_CHUNK)
            stripped = rest.lstrip(b"\0")
            zeros += len(rest) - len(stripped)
            if stripped or not rest:
                rest = stripped
                break
            rest = b""
        if self._padding and zeros % self._padding:
            raise OSError("the padding between two members has a wrong length")
        return rest

    def close(self) -> None:
        self._file.close()
        super().close()


def _damaged(path: Path, error: BaseException) -> InputError:
    if path.suffix.lower() not in COMPRESSIONS:
        return InputError("cannot read the file", file=path, found=getattr(error, "strerror", None) or str(error))
    return InputError(
        "the file is damaged or not compressed as its name says",
        file=path,
        found=str(error),
        expected=f"data in the format {path.suffix.lower()}",
        hint="get the file again, or rename it",
    )
