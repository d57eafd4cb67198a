"""Where a file or a folder is: a path that cannot be followed is an InputError that says why."""

from __future__ import annotations

import os
from pathlib import Path

from heldout.errors import InputError


def located(path: str | Path) -> Path:
    """The path with `~` resolved."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise InputError("there is no such home folder", file=path, hint="write the path in full") from None


def status(path: str | Path) -> os.stat_result | None:
    """What the system knows of a file or folder, None where there is none; InputError when it cannot be told."""
    try:
        return located(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:
        raise InputError(file=str(path).replace("\0", "\\0"), found="\0", expected="a path without NUL characters") from None
    except OSError as error:
        shown = str(path) if len(str(path)) <= 200 else f"{str(path)[:200]}…"
        raise InputError("cannot follow this path", file=shown, found=error.strerror) from None


def is_there(text: str) -> bool:
    """Whether a text is the path of something; a text that can be no path is none."""
    try:
        return status(text) is not None
    except InputError:
        return False


def is_folder(path: str | Path) -> bool:
    """Whether a path is that of a folder."""
    return status(path) is not None and located(path).is_dir()


def names_in(folder: Path) -> list[str]:
    """The names of what a folder holds, sorted."""
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        raise InputError("cannot read this folder", file=folder, found=error.strerror) from None


def checked_file(path: str | Path) -> Path:
    """The path of a file that is there; InputError when it is missing or a folder."""
    place = located(path)
    if status(place) is None:
        raise InputError("no such file", file=place, hint=near_files(place))
    if place.is_dir():
        inside = names_in(place)[:6]
        raise InputError(
            "this is a folder",
            file=place,
            expected="a file",
            hint=f"name a file in it, such as {', '.join(inside)}" if inside else "it is empty",
        )
    return place


def near_files(path: Path) -> str:
    """Files in the same folder that the name may have meant."""
    from difflib import get_close_matches

    if not is_folder(path.parent):
        return f"there is no folder {path.parent} either"
    near = get_close_matches(path.name, names_in(path.parent), n=3, cutoff=0.75)
    return f"did you mean {' or '.join(near)}?" if near else ""
