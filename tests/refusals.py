"""Errors asserted by their parts. Whole messages are compared in tests/snapshots only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from heldout import testing
from heldout.errors import UNKNOWN, HeldoutError

ANY: Any = object()
Error = TypeVar("Error", bound=HeldoutError)


@contextmanager
def refused(
    kind: type[Error],
    *,
    where: str | None = None,
    file: str | Path | None = None,
    line: int | None = None,
    row: int | None = None,
    column: str | None = None,
    found: object = ANY,
    expected: str | None = None,
    hint: str | None = None,
) -> Iterator[pytest.ExceptionInfo[Error]]:
    """Expect an error of exactly this class with these parts; a part that is not given is not compared.

    `found`, `line`, `row` and `column` are equal to the error's. `file` is the last part of its path. `where`, `expected`
    and `hint` occur in the error's as whole words: `where="metrics"` does not match "submetrics".
    """
    with pytest.raises(kind) as refusal:
        yield refusal
    error = refusal.value
    assert type(error) is kind, f"a {type(error).__name__}, expected a {kind.__name__}: {error}"
    if found is not ANY:
        assert error.found == found, f"found {error.found!r}, expected {found!r}: {error}"
        assert (error.found is UNKNOWN) == (found is UNKNOWN)
    for name, part in (("where", where), ("expected", expected), ("hint", hint)):
        if part is not None:
            assert part, f"an empty {name} matches anything"
            assert _has(getattr(error, name), part), f"{name} {getattr(error, name)!r}, expected {part!r}: {error}"
    for name, place in (("line", line), ("row", row), ("column", column)):
        if place is not None:
            assert getattr(error, name, None) == place, f"{name} {getattr(error, name, None)!r}, expected {place!r}: {error}"
    if file is not None:
        path = getattr(error, "file", None) or error.where
        assert Path(path).name == Path(file).name, f"file {path!r}, expected {file!r}: {error}"


def _has(text: str, part: str) -> bool:
    """True if the part occurs in the text and no letter or digit continues it on either side."""
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None if part[0].isalnum() else part in text


def failing_check(check: Callable[..., None], *components: object) -> tuple[str, int]:
    """The function and line of the test kit that find a component broken."""
    with pytest.raises(AssertionError) as failure:
        check(*components)
    kit = [entry for entry in failure.traceback if entry.path.parent == Path(testing.__file__).parent]
    assert kit, "the test kit itself raises the error"
    return kit[-1].name, kit[-1].lineno
