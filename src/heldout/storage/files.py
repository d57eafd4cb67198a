"""Writing files: the one way in which anything is written, so that a file is there whole or not at all.

`write_file` lets its caller fill a temporary file in the same folder, flushes it and renames it. Killed at any moment, or
on a full disk, the earlier file or the complete new one is there. A temporary name begins with a dot and ends in `~`, so
that no pattern such as `*.csv` finds it; its writer holds a lock on it, which tells what a killed writer left behind from
what is being written. Into pipes and devices the whole content is copied.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from filelock import lock_descriptor

from heldout.errors import HeldoutError, WriteError

_UNFINISHED = re.compile(r"^\..*\.part-\d+-\d+~$", re.DOTALL)
_NAME_KEPT = 40
"""Characters of a file's name that its temporary name repeats: names of 255 bytes are the longest there are."""
_DESCRIPTORS = ("/dev/std", "/dev/fd/", "/proc/")
"""Paths that name what a process has open, even where that is a plain file."""
_numbers = itertools.count()


def write_file(
    path: str | os.PathLike[str],
    write: Callable[[Path], Any],
    *,
    make_folder: bool = False,
    flush: bool = True,
    permitted: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Path:
    """Have `write` fill a temporary file, and give it its name when it is whole; WriteError if that cannot be done.

    Of a link, the file that it leads to is replaced. The mode of an earlier file is kept. `make_folder` makes missing
    folders; files that need not survive a power cut can do without `flush`. `permitted()`, which
    may refuse by an exception, is entered before anything is touched and again around the renaming.
    """
    named = Path(path)
    with _write_errors(named):
        if _is_stream(named):
            # A writer may open its file twice (polars does): the reader of a pipe would see an end after the first time.
            with scratch_folder() as folder:
                with _causes_found(folder / "content"):
                    write(folder / "content")
                with (folder / "content").open("rb") as content, named.open("wb") as stream:
                    shutil.copyfileobj(content, stream)
            return named
        target = Path(os.path.realpath(named))
        with permitted():
            if make_folder:
                target.parent.mkdir(parents=True, exist_ok=True)
        _refuse(target)
        remove_unfinished(target.parent, target.name)
        with _temporary_file(target) as (temporary, handle):
            with _causes_found(temporary):
                write(temporary)
            if flush:
                os.fsync(handle)
            with permitted():
                os.replace(temporary, target)  # noqa: PTH105
        if flush:
            flush_folder(target.parent)
    return named


def write_scratch(path: Path, write: Callable[[Path], Any]) -> None:
    """Have `write` fill a file of a scratch folder, which is read when all are written; WriteError if it cannot."""
    with _write_errors(path):
        path.parent.mkdir(exist_ok=True)
        with _causes_found(path):
            write(path)


def check_writable(path: str | os.PathLike[str], *, make_folder: bool = False) -> None:
    """WriteError if `write_file` could not write, as far as that can be known before the work whose result it is for."""
    named = Path(path)
    with _write_errors(named):
        if _is_stream(named):
            return
        target = Path(os.path.realpath(named))
        _refuse(target)
        folder = target.parent
        while make_folder and not folder.exists():
            folder = folder.parent
        number = errno.ENOENT if not folder.exists() else errno.ENOTDIR if not folder.is_dir() else errno.EACCES
        if number != errno.EACCES or not os.access(folder, os.W_OK | os.X_OK):
            raise OSError(number, os.strerror(number))


def write_text(path: str | os.PathLike[str], text: str, *, make_folder: bool = False) -> Path:
    """Write a text in UTF-8 by `write_file`; paths that are no UTF-8 stand in it as Python has them."""
    content = text.encode(errors="surrogatepass")
    return write_file(path, lambda temporary: temporary.write_bytes(content), make_folder=make_folder)


def write_folder(path: str | os.PathLike[str], fill: Callable[[Path], Any]) -> Path:
    """Have `fill` put files into a temporary folder, and rename it when it is whole; only an empty folder is replaced."""
    target = Path(os.path.realpath(path))
    with _write_errors(Path(path)):
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_unfinished(target.parent, target.name)
        with _temporary_folder(target) as temporary:
            try:
                fill(temporary)
            except WriteError as error:  # its file is one that nobody will find
                raise WriteError(error.problem, where=os.fspath(path), hint=error.hint, number=error.number) from error
            os.rename(temporary, target)  # noqa: PTH104
        flush_folder(target.parent)
    return Path(path)


@contextmanager
def scratch_folder(parent: str | os.PathLike[str] | None = None) -> Iterator[Path]:
    """A new folder for what is needed only for the work, in `parent` or in the system's temporary folder; it is removed
    at the end, and what a killed process left of its own is removed by the next one."""
    where = Path(tempfile.gettempdir() if parent is None else parent)
    target = Path(os.path.realpath(where)) / "heldout-scratch"
    with ExitStack() as stack:
        with _write_errors(where):
            where.mkdir(parents=True, exist_ok=True)
            remove_unfinished(target.parent, target.name)
            temporary = stack.enter_context(_temporary_folder(target))
        yield temporary


@contextmanager
def scratch_file(parent: str | os.PathLike[str] | None = None) -> Iterator[BinaryIO]:
    """A new file without a name, for what is needed only for the work, in `parent` or in the system's temporary folder: it
    is gone once nobody has it open."""
    where = Path(tempfile.gettempdir() if parent is None else parent)
    with _write_errors(where):
        where.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=where) as file:
            yield file


def is_unfinished(path: Path) -> bool:
    """Whether a name is that of a file or folder that is being written, or was when its writer was killed."""
    return _UNFINISHED.match(path.name) is not None


def remove_unfinished(folder: Path, name: str = "") -> None:
    """Remove what killed writers left in a folder, of the file `name` or of all; what is being written stays."""
    start = _temporary_start(name) if name else "."
    try:
        left = [path for path in folder.iterdir() if path.name.startswith(start) and is_unfinished(path)]
    except PermissionError:
        return  # a folder that may be written to and not be listed
    for path in left:
        with contextlib.suppress(OSError):  # it is gone by now, or somebody else's, or the disk cannot lock
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                if lock_descriptor(handle, blocking=False):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            finally:
                os.close(handle)


def flush_folder(folder: Path) -> None:
    """Have the names in a folder reach the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def system_error(error: BaseException) -> OSError | None:
    """The system's error behind an exception, also one that a library tells in words: "No space left … (os error 28)"."""
    number = error.errno if isinstance(error, OSError) else None
    if number is None:
        digits = re.search(r"os error (\d+)", str(error))
        number = int(digits.group(1)) if digits else None
    if number is not None:
        return OSError(number, os.strerror(number))
    return error if isinstance(error, OSError) else None


def write_error(error: OSError, path: str | os.PathLike[str]) -> WriteError:
    """What is told of a file that could not be written, and what to do."""
    why, hint = _REASONS.get(error.errno or 0, ("", ""))
    if error.errno == errno.ENOENT:
        hint = f"make the folder {Path(path).parent}"
    why = why or error.strerror or str(error) or type(error).__name__
    return WriteError(f"cannot be written ({why})", where=os.fspath(path), hint=hint, number=error.errno)


_FULL = "make room, or write it to another disk"
_DENIED = "change its permissions, or write it elsewhere"
_REASONS = {
    errno.ENOSPC: ("the disk is full", _FULL),
    errno.EDQUOT: ("the quota is used up", _FULL),
    errno.EFBIG: ("files may not be so large", "raise the limit, or write it to another disk"),
    errno.EACCES: ("no permission", _DENIED),
    errno.EPERM: ("no permission", _DENIED),
    errno.EROFS: ("the disk is read-only", "write it elsewhere"),
    errno.ENOTDIR: ("Not a directory", "a part of the path is a file: name another"),
    errno.EISDIR: ("Is a directory", "name a file in it"),
    errno.ENAMETOOLONG: ("File name too long", "choose a shorter name"),
    errno.ELOOP: ("Too many levels of symbolic links", "the link leads to itself: mend it, or name another"),
}


@contextmanager
def _write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except HeldoutError:
        raise
    except BaseException as error:  # a library that panics over a full disk raises no Exception
        failure = system_error(error)
        if failure is None:
            raise
        raise write_error(failure, path) from error


_LOST = "transport error"
"""What polars says if it cannot write the metadata of a Parquet file, whatever the system said."""
_PROBE = 1 << 20


@contextmanager
def _causes_found(file: Path) -> Iterator[None]:
    """Raise the system's error that a library lost: a second write to the same file fails for the same reason."""
    try:
        yield
    except Exception as error:
        if system_error(error) is not None or _LOST not in str(error):
            raise
        with file.open("ab") as stream:
            stream.write(bytes(_PROBE))
            stream.flush()
            os.fsync(stream.fileno())
        raise OSError(errno.EIO, os.strerror(errno.EIO)) from error


def _is_stream(path: Path) -> bool:
    """Whether a path is that of a pipe, a device or an open file, which nothing can take the place of."""
    if os.path.abspath(path).startswith(_DESCRIPTORS):  # noqa: PTH100 - links are not to be followed
        return True
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _refuse(target: Path) -> None:
    """OSError if a file cannot be what is asked for, however its folder may be written to."""
    if target.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists() and not os.access(target, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))


def _temporary_start(name: str) -> str:
    return f".{name[:_NAME_KEPT]}.part-"


@contextmanager
def _temporary_file(target: Path) -> Iterator[tuple[Path, int]]:
    """A new file beside the target and its handle; it is removed unless it was renamed."""
    temporary, handle = _reserve(target, folder=False)
    try:
        _like(target, handle)
        yield temporary, handle
    finally:
        temporary.unlink(missing_ok=True)
        os.close(handle)


@contextmanager
def _temporary_folder(target: Path) -> Iterator[Path]:
    """A new folder beside the target; it is removed unless it was renamed."""
    temporary, handle = _reserve(target, folder=True)
    try:
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        os.close(handle)


def _reserve(target: Path, *, folder: bool) -> tuple[Path, int]:
    """Make a file or folder beside the target that no other writer has, and lock it; its path and its handle."""
    new = os.O_RDONLY if folder else os.O_RDWR | os.O_CREAT | os.O_EXCL
    while True:
        temporary = target.with_name(f"{_temporary_start(target.name)}{os.getpid()}-{next(_numbers)}~")
        try:
            if folder:
                temporary.mkdir()
            handle = os.open(temporary, new | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            continue  # on a shared disk, another machine's process may have the same number
        with contextlib.suppress(OSError):  # a disk that cannot lock: there, what killed writers left behind stays
            lock_descriptor(handle)
        if is_there(handle, temporary):
            return temporary, handle
        os.close(handle)  # it was taken for a killed writer's before it was locked


def _like(target: Path, handle: int) -> None:
    """Give a new file the mode and, if that is allowed, the owner of the file that it replaces."""
    try:
        earlier = target.stat()
    except FileNotFoundError:
        return
    new = os.fstat(handle)
    if (earlier.st_uid, earlier.st_gid) != (new.st_uid, new.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(handle, earlier.st_uid, earlier.st_gid)
    os.fchmod(handle, stat.S_IMODE(earlier.st_mode))


def is_there(handle: int, path: Path) -> bool:
    """Whether an open file is the one that has this path now."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
