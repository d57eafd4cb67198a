"""Downloading a published data set: checked before anything is unpacked, and never half there."""

from __future__ import annotations

import hashlib
import shutil
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePosixPath

from heldout.data.published import Published
from heldout.data.sources import file_digest
from heldout.errors import InputError
from heldout.writing import write_file, write_folder

_CHUNK = 1 << 20
_SECONDS = 60


def fetch(
    what: Published, folder: str | Path, *, mirror: str | None = None, progress: Callable[[int, int], None] | None = None
) -> Path:
    """Download a data set into a folder of its own and return that; one that is there already is only checked.

    `mirror` is another address that has the file. A download with another checksum is deleted, and the error says so.
    """
    place = Path(folder) / what.name
    if place.exists():
        _check_members(what, place)
        return place
    url = what.url if mirror is None else f"{mirror.rstrip('/')}/{what.url.rsplit('/', 1)[1]}"

    def fill(new: Path) -> None:
        file = new / url.rsplit("/", 1)[1]
        _download(url, file, progress)
        _check_file(what, file, url)
        if file.suffix == ".zip":
            _unpack(file, new, what.folder)
            file.unlink()
        _check_members(what, new)

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
            raise InputError(f"the server answers {error.code} {error.reason}", file=url, hint="try later") from None
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            why = getattr(error, "reason", error)
            raise InputError(f"cannot be downloaded ({why})", file=url, hint="check the connection") from None
        if total and done < total:
            raise InputError(f"the download broke off after {done:,} of {total:,} bytes", file=url, hint="try again")

    write_file(file, receive)


def _check_file(what: Published, file: Path, url: str) -> None:
    if not what.checksum:
        return
    kind, _, wanted = what.checksum.partition(":")
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, kind).hexdigest()
    if found != wanted:
        raise InputError(
            f"the download has {kind} {found}, expected {wanted}; it was deleted",
            file=url,
            hint="the publisher may have changed the file, or someone between did",
        )


def _check_members(what: Published, place: Path) -> None:
    for name, wanted in what.members.items():
        file = place / name
        if not file.is_file():
            raise InputError(f"{name} is missing", file=place, hint="delete the folder and fetch it again")
        if file_digest(file) != wanted:
            raise InputError(
                f"sha256 is {file_digest(file)}, expected {wanted}", file=file, hint="delete the folder and fetch it again"
            )


def _unpack(archive: Path, place: Path, folder: str) -> None:
    """Unpack the files of an archive, those of its one folder as if they were outside it."""
    try:
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                path = PurePosixPath(entry.filename)
                if entry.is_dir():
                    continue
                if path.is_absolute() or ".." in path.parts:
                    raise InputError(f"the archive holds the unsafe path '{entry.filename}'", file=archive.name)
                inner = path.relative_to(folder) if folder and path.parts[0] == folder else path
                write_file(place / inner, partial(_copy, packed, entry), make_folder=True)
    except zipfile.BadZipFile as error:
        raise InputError(f"this is no zip archive ({error})", file=archive.name) from None


def _copy(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, temporary: Path) -> None:
    with packed.open(entry, mode="r") as stream, temporary.open("wb") as out:
        shutil.copyfileobj(stream, out)
