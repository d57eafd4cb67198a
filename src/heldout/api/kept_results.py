"""Work on a results folder whose files are sealed, and may make no sense all the same.

A digest shows that a file is as it was sealed, not that its values go together: anyone can seal a modified file. Types are
checked when a record is read. What fails later, because a number is out of place or a name is missing, ends in a
ResultsError as well.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import polars as pl

from heldout.errors import HeldoutError, ResultsError, brief

P = ParamSpec("P")
R = TypeVar("R")
_FAILURES = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, RecursionError, StopIteration,
    pl.exceptions.PolarsError, pl.exceptions.PanicException,
)  # fmt: skip
"""What code raises over values that do not go together."""
_HINT = "run the study again; if nothing changed the files, report this on the project's issue page"


def over_results(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function, whose first parameter may be a results folder, raise a ResultsError over values without sense.

    A first argument that is neither a results folder nor results from one changes nothing.
    """
    first = next(iter(inspect.signature(function).parameters))

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except HeldoutError:
            raise
        except _FAILURES as error:
            folder = _folder_of(args[0] if args else kwargs.get(first))
            if folder is None:
                raise
            why = brief(f"{type(error).__name__}: {error}".splitlines()[0])
            raise ResultsError(f"these results do not make sense ({why})", where=str(folder), hint=_HINT) from error

    return checked


def _folder_of(subject: Any) -> Path | None:
    """The results folder that is meant; None if the subject is something else."""
    folder = getattr(subject, "folder", subject)
    try:
        return Path(folder) if isinstance(folder, str | Path) and (Path(folder) / "manifest.json").is_file() else None
    except (OSError, ValueError):  # a text that is too long for a path, or holds a NUL
        return None
