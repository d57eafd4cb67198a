"""Files of a results folder: written whole or not at all; a file that cannot be written or read raises ResultsError."""

from __future__ import annotations

import errno
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from heldout.errors import HeldoutError, ResultsError, WriteError
from heldout.storage.files import write_error, write_file

T = TypeVar("T")


class ChangedPartError(Exception):
    """A part that can be read, and is not what was written under its name."""


def write_whole(
    path: Path, write: Callable[[Path], Any], *, permitted: Callable[[], AbstractContextManager[None]] = nullcontext
) -> None:
    """Write a file of the folder by `write_file`; ResultsError, with what to do, if that cannot be done."""
    try:
        write_file(path, write, make_folder=True, permitted=permitted)
    except WriteError as error:
        raise untouched(error) from error.__cause__


def could_not_write(error: OSError, path: Path) -> ResultsError:
    """The error for a file of the folder that could not be written."""
    return untouched(write_error(error, path))


def untouched(error: WriteError) -> ResultsError:
    """The error for a file of the folder that could not be written, with what to do."""
    if error.number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        hint = "make room and run the same study again: it goes on where it stopped"
    elif error.number in (errno.EACCES, errno.EPERM, errno.EROFS):
        hint = "choose another --out"
    else:
        hint = "mend that, or choose another --out, and run the study again"
    return ResultsError(f"{error.problem}; what was kept before is untouched", where=error.where, hint=hint)


def read_whole(path: Path, read: Callable[[], T]) -> T:
    """What `read` makes of a file; ResultsError, with what to do, where the file is damaged or gone."""
    try:
        return read()
    except (HeldoutError, MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except PermissionError as error:
        raise ResultsError(f"cannot be read ({error.strerror})", where=str(path), hint="make it readable") from None
    except ChangedPartError as error:
        raise ResultsError(
            f"this part of the results is not what was written here ({error})",
            where=str(path),
            hint="delete this file and run the study again",
        ) from None
    except BaseException as error:  # a Parquet reader that panics over damaged bytes raises no Exception
        why = next(iter(str(error).strip().splitlines()), "no more is known")
        raise ResultsError(
            f"this part of the results cannot be read ({type(error).__name__}: {why})",
            where=str(path),
            hint="delete this file and run the study again",
        ) from error
