"""Downloading a published data set: checked before anything is unpacked, and never half there."""

from __future__ import annotations

import hashlib
import shutil
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath

from heldout.data.published import Published
from heldout.data.sources import file_digest
from heldout.errors import InputError
from heldout.storage.files import write_file, write_folder, write_text

_CHUNK = 1 << 20
_SECONDS = 60
_SUMS = "SHA256SUMS"
"""The file in which the digests of all others stand."""
_DIGITS = 64
_AGAIN = "delete the folder and fetch it again"


def fetch(
    what: Published, folder: str | Path, *, mirror: str | None = None, progress: Callable[[int, int], None] | None = None
) -> Path:
    """Download a data set into a folder of its own and return that; one that is there already is only checked.

    `mirror` is another address that has the file. A download with another checksum is deleted, and the error says so. The
    digests of all files stand in SHA256SUMS, by which a folder that is there is checked besides what is known of it here.
    """
    place = Path(folder) / what.name
    if place.exists():
        _check_folder(what, place)
        return place
    url = what.url if mirror is None else f"{mirror.rstrip('/')}/{what.url.rsplit('/', 1)[1]}"

    def fill(new: Path) -> None:
        file = new / url.rsplit("/", 1)[1]
        _download(url, file, progress)
        _check_file(what, file, url)
        if file.suffix == ".zip":
            _unpack(file, new, what)
            file.unlink()
        _check_members(what.members, new)
        _write_sums(new)

    return write_folder(place, fill)


def _download(url: str, file: Path, progress: Callable[[int, int], None] | None) -> None:
    def receive(temporary: Path) -> None:
        try:
            with urllib.request.urlopen(url, timeout=_SECONDS) as answer, temporary.open("wb") as out:
                total = int(answer.headers.get("Content-Length") or 0)
                done = 0
                while chunk := answer.read(_CHUNK):
                    out.write(chunk)
                    done += len(chunk)
                    if progress is not None:
                        progress(done, total)
        except urllib.error.HTTPError as error:
            raise InputError(
                "the server refuses the download", file=url, found=f"{error.code} {error.reason}", hint="try later"
            ) from None
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            why = getattr(error, "reason", error)
            raise InputError(f"cannot download the file ({why})", file=url, hint="check the connection") from None
        if total and done < total:
            raise InputError("the download broke off", file=url, found=done, expected=f"{total:,} bytes", hint="try again")

    write_file(file, receive)


def _check_file(what: Published, file: Path, url: str) -> None:
    if not what.checksum:
        return
    kind, _, wanted = what.checksum.partition(":")
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, kind).hexdigest()
    if digest != wanted:
        raise InputError(
            f"the {kind} checksum of the download is wrong, so it was deleted",
            file=url,
            found=digest,
            expected=wanted,
            hint="the publisher may have changed the file, or someone modified it on the way",
        )


def _check_folder(what: Published, place: Path) -> None:
    """Hold the files of a folder against the digests that are known here, and those that were written when it was made."""
    sums = place / _SUMS
    if not what.members and not sums.is_file():
        raise InputError(
            "this folder was not created by this command and cannot be checked",
            file=place,
            expected=f"a file {_SUMS}",
            hint="move it away and fetch the data set again, or read it as it is",
        )
    written = {}
    if sums.is_file():
        for number, line in enumerate(sums.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            digest, _, name = line.partition("  ")
            if len(digest) != _DIGITS or not _is_inside(name):
                raise InputError(file=sums, line=number, found=line, expected="a digest and a file name", hint=_AGAIN)
            written[name] = digest
    _check_members({**written, **what.members}, place)


def _check_members(members: Mapping[str, str], place: Path) -> None:
    for name, wanted in members.items():
        file = place / name
        if not file.is_file():
            raise InputError("the file is missing", file=file, hint=_AGAIN)
        digest = file_digest(file)
        if digest != wanted:
            raise InputError("the sha256 checksum is wrong", file=file, found=digest, expected=wanted, hint=_AGAIN)


def _write_sums(place: Path) -> None:
    """Write the digests of all files, as `sha256sum -c` reads them."""
    files = sorted(file for file in place.rglob("*") if file.is_file())
    lines = [f"{file_digest(file)}  {file.relative_to(place).as_posix()}\n" for file in files]
    write_text(place / _SUMS, "".join(lines))


def _is_inside(name: str) -> bool:
    """Whether a name is that of a file in the folder, or in one inside it."""
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and "\0" not in name


def _unpack(archive: Path, place: Path, what: Published) -> None:
    """Unpack the files of an archive, those of its one folder as if they were outside it.

    Where nothing is known of the archive as a whole, only files of known digests are unpacked, and files that the published
    one does not hold are an error.
    """
    try:
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                path = PurePosixPath(entry.filename)
                if entry.is_dir():
                    continue
                if not _is_inside(entry.filename):
                    raise InputError(file=archive.name, found=entry.filename, expected="paths inside the folder only")
                inner = path.relative_to(what.folder) if what.folder and path.parts[0] == what.folder else path
                if not what.checksum and str(inner) not in what.members:
                    if str(inner) in what.others:
                        continue
                    raise InputError(file=archive.name, found=entry.filename, expected="files of the published archive only")
                write_file(place / inner, partial(_copy, packed, entry), make_folder=True)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise InputError(f"the archive is damaged ({error})", file=archive.name, expected="a zip archive") from None
    except (RuntimeError, NotImplementedError) as error:  # a password, or a compression that is not known
        raise InputError(
            f"cannot unpack the archive ({error})", file=archive.name, hint="unpack it with another program"
        ) from None


def _copy(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, temporary: Path) -> None:
    with packed.open(entry, mode="r") as stream, temporary.open("wb") as out:
        shutil.copyfileobj(stream, out)
