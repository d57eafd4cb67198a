"""One file or many: a path may be a pattern such as `logs/2004-*.csv.gz`."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from heldout.data.paths import checked_file, is_folder, is_there, located
from heldout.data.sources import COMPRESSIONS, enough_memory, file_digest
from heldout.errors import InputError
from heldout.tables import Log, concat_logs
from heldout.tables.arrays import digest_of


def is_pattern(path: str | Path) -> bool:
    """Whether a path names several files: it holds *, ? or [ and no file has that very name."""
    return any(c in str(path) for c in "*?[") and not is_there(str(path))


def files_of(path: str | Path) -> tuple[Path, ...]:
    """The files that a path or a pattern means, by name; InputError when there is none."""
    if not is_pattern(path):
        return (checked_file(path),)
    matches = sorted(Path(p) for p in glob.glob(str(located(path)), recursive=True))  # noqa: PTH207 - absolute patterns
    files = tuple(p for p in matches if p.is_file())
    if not files:
        raise InputError(file=path, found=0, expected="at least one matching file")
    for folder in matches:
        if is_folder(folder) and folder.suffix and folder.suffix == Path(path).suffix and not _holds_any(folder, files):
            raise InputError(
                "the pattern matches this folder, but its files would be left out",
                file=folder,
                found=str(path),
                hint=f"match them too: '{Path(path).parent / '**' / Path(path).name}'",
            )
    return files


def _holds_any(folder: Path, files: Sequence[Path]) -> bool:
    return any(file.is_relative_to(folder) for file in files)


def read_all(path: str | Path, read_file: Callable[[Path], Log]) -> Log:
    """The rows of all files that a path means, one file after the other."""

    def logs() -> Iterator[Log]:
        for file in files_of(path):
            with enough_memory(file):
                log = read_file(file)
            yield log
            del log

    with enough_memory(path):
        return concat_logs(logs(), str(path))


def digest_all(path: str | Path) -> str:
    """sha256 of the file that a path means, or of the digests of all."""
    files = files_of(path)
    return file_digest(files[0]) if len(files) == 1 else digest_of(*(file_digest(file) for file in files))


def file_in(path: str | Path, names: tuple[str, ...], what: str) -> Path:
    """The file itself, or the one in a folder that has one of these names, plain or compressed."""
    place = located(path)
    if not is_folder(place):
        return checked_file(place)
    for name in names:
        for suffix in ("", *COMPRESSIONS):
            if (place / (name + suffix)).is_file():
                return place / (name + suffix)
    raise InputError(
        f"there are no {what} in this folder",
        file=place,
        expected=f"{'one of ' if len(names) > 1 else ''}{', '.join(names)}",
        hint="name the folder that the archive unpacks to",
    )


def beside(path: Path, names: tuple[str, ...]) -> Path | None:
    """A file in the same folder with one of these names, plain or compressed, if there is one."""
    candidates = (path.parent / (name + suffix) for name in names for suffix in ("", *COMPRESSIONS))
    return next((p for p in candidates if p.is_file()), None)
