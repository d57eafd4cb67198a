"""Files of a results folder: each is there whole or not at all, and what cannot be written or read is told plainly."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from heldout.errors import HeldoutError, ResultsError

T = TypeVar("T")
_BEGUN, _ENDING = ".part-", ".tmp"
"""How the temporary names of files begin and end; a run that was killed may leave some."""


def is_remains(path: Path) -> bool:
    """Whether a file was being written when a run was killed."""
    return path.name.startswith(_BEGUN) and path.suffix == _ENDING


def write_whole(path: Path, write: Callable[[str], Any]) -> None:
    """Let `write` fill a temporary file, flush it and give it its name: afterwards it is there whole, or not at all."""
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=_BEGUN, suffix=_ENDING)
        os.close(handle)
        write(temporary)
        flush(temporary)
        os.chmod(temporary, 0o644)  # noqa: PTH101
        os.replace(temporary, path)  # noqa: PTH105
        flush(path.parent)
    except OSError as error:
        raise could_not_write(error, path) from None
    except pl.exceptions.PolarsError as error:
        number = _number_in(str(error))
        if number is None:
            raise
        raise could_not_write(OSError(number, os.strerror(number)), path) from None
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)  # noqa: PTH108


def flush(path: str | Path) -> None:
    """Have what was written there, a file or the names in a folder, reach the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def could_not_write(error: OSError, path: Path) -> ResultsError:
    """What is told of a file that could not be written."""
    number = error.errno
    if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        told = {errno.ENOSPC: "the disk is full", errno.EDQUOT: "the quota is used up"}
        why = told.get(number, "files may not be so large")
        hint = "make room and run the same study again: it goes on where it stopped"
    elif number in (errno.EACCES, errno.EPERM, errno.EROFS):
        why, hint = "no permission" if number != errno.EROFS else "the disk is read-only", "choose another --out"
    else:
        why, hint = error.strerror or str(error), "mend that, or choose another --out, and run the study again"
    return ResultsError(f"could not be written ({why}); what was kept before is untouched", where=str(path), hint=hint)


def _number_in(message: str) -> int | None:
    """The number of the system's error in a library's own message: "No space left on device (os error 28)"."""
    _, found, rest = message.rpartition("os error ")
    digits = rest.partition(")")[0]
    return int(digits) if found and digits.isdigit() else None


def read_whole(path: Path, read: Callable[[], T]) -> T:
    """What `read` makes of a file; ResultsError, with what to do, where the file is damaged or gone."""
    try:
        return read()
    except (HeldoutError, MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except PermissionError as error:
        raise ResultsError(f"cannot be read ({error.strerror})", where=str(path), hint="make it readable") from None
    except BaseException as error:  # a Parquet reader that panics over damaged bytes raises no Exception
        why = next(iter(str(error).strip().splitlines()), "no more is known")
        raise ResultsError(
            f"this part of the results cannot be read ({type(error).__name__}: {why})",
            where=str(path),
            hint="delete this file and run the study again",
        ) from error
