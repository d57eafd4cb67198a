"""The error tree.

    HeldoutError                 anything the user can mend; the command line prints it and exits with `exit_code`
    ├── InputError               a file or frame does not hold what it should (file, line or row, column)
    ├── SpecError                a study file, an option or a text form is wrong (key, position)
    │   └── UnknownNameError     a name that no component has; carries near ones
    ├── NotApplicableError       two right options that do not go together (this metric, that protocol)
    ├── MissingExtraError        an optional dependency is not installed; names the extra
    ├── WriteError               a file cannot be written: no room, no permission, no such folder
    ├── ResultsError             a results folder is missing, foreign, damaged or in use
    ├── EngineError              where tasks are to run cannot be reached, or is not fit for them
    ├── SystemsFailedError       every system of a study failed; carries the reasons
    └── ComponentError           a component of another package breaks its contract; names both

    ComponentWarning             a component that another package declares cannot be loaded

    SpellingWarning              a key or name is read, and has another name here; no error
    GuessWarning                 what was not said is taken from the data
    NoticeWarning                a coded warning about method, where there is no report to stand in

An error has separate parts: `what` is the problem, `where` its place (file, line, column, key), `found` the value that was
read, `expected` what is valid in its place, and `hint` the fix. The message is put together from them. Messages quote files
and ids, so control characters are written out. Bugs are not HeldoutErrors: they keep their traceback.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

Value = TypeVar("Value")
MOST_LISTED = 50
"""How many problems one message lists."""

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but tab and line feed, marks of direction, line separators, lone surrogates."""


def visible(text: str) -> str:
    """Text for a terminal: characters that a terminal would obey or cannot show are written out, ESC as `\\x1b`.

    Tabs and line feeds stay. A byte of a file name that is not UTF-8 is written as that byte.
    """
    return _UNSAFE.sub(_written_out, text)


def brief(text: str, most: int = 120) -> str:
    """A text for a message: its first characters, where it is longer than `most`."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def shown(value: object) -> str:
    """A value of any type for a message: as Python writes it, but brief."""
    try:
        return brief(repr(value))
    except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
        return f"{type(value).__name__}, too large to print"


def _written_out(match: re.Match[str]) -> str:
    code = ord(match.group())
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


class _Unknown:
    """The value of `found` if an error names none: None is a value that can be found."""

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __reduce__(self) -> str:
        return "UNKNOWN"  # one object in every process


UNKNOWN: Any = _Unknown()


class HeldoutError(Exception):
    """Anything the user can mend."""

    exit_code = 2
    parts: tuple[HeldoutError, ...] = ()
    """The problems, if there are several."""

    def __init__(
        self, what: str = "", *, where: str = "", found: object = UNKNOWN, expected: str = "", hint: str = ""
    ) -> None:
        self.what = what
        self.where = where
        self.found = found
        self.expected = expected
        self.hint = hint
        super().__init__(str(self))

    def __str__(self) -> str:
        where, hint = brief(self.where, 500), brief(self.hint, 1500)
        problem = self.problem if self.parts else brief(self.problem, 1500)  # the parts are brief themselves
        text = f"{where}: {problem}" if where else problem
        return visible(f"{text}; {hint}" if hint else text)

    @property
    def problem(self) -> str:
        """What is wrong, with the expected value and the one found: the message without its place and the fix."""
        values = [f"expected {self.expected}"] if self.expected else []
        if self.found is not UNKNOWN:
            values.append(f"found {_quoted(self.found)}")
        return ": ".join(filter(None, [self.what, ", ".join(values)]))

    def within(self, where: str) -> HeldoutError:
        """The same error, its place prefixed by an outer one (a study key, a file) unless it has that prefix."""
        if self.where != where and not self.where.startswith(f"{where}: "):
            self.where = f"{where}: {self.where}" if self.where else where
        self.args = (str(self),)
        return self


def _quoted(value: object) -> str:
    """A value as messages show it: text in quotation marks, whole numbers with separators, lists without brackets."""
    if isinstance(value, str):
        return f"'{brief(value)}'"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 1000:
        return f"{value:,}"
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return brief(", ".join(value), 500) if value else "none"
    return shown(value)


class InputError(HeldoutError):
    """A file or frame does not hold what it should."""

    def __init__(
        self,
        what: str = "",
        *,
        file: object = None,
        line: int | None = None,
        row: int | None = None,
        column: str | None = None,
        found: object = UNKNOWN,
        expected: str = "",
        hint: str = "",
    ) -> None:
        """`line` and `row` count from 1; a table without lines has rows only."""
        self.file = None if file is None else str(file)
        self.line = line
        self.row = row
        self.column = column
        places = [
            self.file,
            None if line is None else f"line {line}",
            None if row is None else f"row {row}",
            None if column is None else f"column '{column}'",
        ]
        where = ", ".join(place for place in places if place is not None)
        super().__init__(what, where=where, found=found, expected=expected, hint=hint)


class SpecError(HeldoutError):
    """A study file, an option or a text form is wrong."""


class UnknownNameError(SpecError):
    """A name that nothing has, with the nearest names that exist."""

    def __init__(
        self, kind: str, name: str, names: Iterable[str], *, where: str = "", meant: str = "", listed: bool = False
    ) -> None:
        """`meant` is what the name stands for here, where that is known; otherwise names that are spelt alike are named,
        and, where they are few (`listed`), all there are."""
        self.kind, self.name, self.names, self.meant = kind, name, sorted(names, key=str.casefold), meant
        self.listed = listed
        super().__init__(f"unknown {kind} '{name}'", where=where, found=name, hint=self._suggest())

    @property
    def problem(self) -> str:
        """What is wrong; the name that was found is part of it."""
        return self.what

    @property
    def near(self) -> list[str]:
        """What is likely to be meant: a name spelt alike, or one with such a word ("critcal": critical-difference)."""
        if self.meant:
            return [self.meant]
        written, folded = self.name.casefold(), {name.casefold(): name for name in self.names}
        if alike := get_close_matches(written, folded, n=2, cutoff=0.6):
            return [folded[name] for name in alike]
        words = get_close_matches(written, {word for name in folded for word in name.split("-")}, n=1, cutoff=0.8)
        return [own for name, own in folded.items() if set(words) & set(name.split("-"))][:2]

    def _suggest(self) -> str:
        near = self.near
        every = f"known: {', '.join(self.names)}" if self.names else "none is known"
        if near:
            return f"did you mean {' or '.join(near)}?" + (f" ({every})" if self.listed else "")
        return every


class NotApplicableError(HeldoutError):
    """Two options, each right, that do not go together."""


class MissingExtraError(HeldoutError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs {package}", hint=f"pip install 'heldout[{extra}]' (in a checkout: pip install '.[{extra}]')"
        )


class WriteError(HeldoutError):
    """A file cannot be written: no room, no permission, no such folder."""

    def __init__(
        self,
        what: str = "",
        *,
        where: str = "",
        found: object = UNKNOWN,
        expected: str = "",
        hint: str = "",
        number: int | None = None,
    ) -> None:
        super().__init__(what, where=where, found=found, expected=expected, hint=hint)
        self.number = number
        """The system's own number of the error (`errno`)."""


class ResultsError(HeldoutError):
    """A results folder is missing, foreign, damaged or in use."""


class EngineError(HeldoutError):
    """Where tasks are to run cannot be reached, has other versions, or lacks what a task needs."""


class SystemsFailedError(HeldoutError):
    """Every system of a study failed, so there is nothing to report."""

    exit_code = 3

    def __init__(self, what: str, *, where: str, reasons: Mapping[str, str]) -> None:
        super().__init__(what, where=where)
        self.reasons = dict(reasons)
        """By system, the stage that failed and why, such as `fit: ZeroDivisionError: division by zero`."""


class ComponentError(HeldoutError):
    """A component of another package breaks the contract of its kind."""


def all_of(problems: Sequence[HeldoutError]) -> HeldoutError:
    """One error that tells of all problems, each once; the problem itself where there is one."""
    single = [part for problem in problems for part in _parts(problem)]
    distinct = tuple({str(problem): problem for problem in single}.values())
    if len(distinct) == 1:
        return distinct[0]
    listed = "".join(f"\n- {problem}" for problem in distinct[:MOST_LISTED])
    if len(distinct) > MOST_LISTED:
        listed += f"\n- and {len(distinct) - MOST_LISTED:,} more"
    together: HeldoutError
    if all(isinstance(problem, NotApplicableError) for problem in distinct):
        together = NotApplicableError(f"{len(distinct)} things do not go together:")
    else:
        together = SpecError(f"{len(distinct)} things are wrong:")
    together.parts = distinct
    together.what += listed
    together.args = (str(together),)
    return together


def for_each(make: Callable[[Any], Value], entries: Iterable[Any]) -> list[Value]:
    """What `make` gives for each entry; one error that tells of all entries that it refuses."""
    values, problems = [], []
    for entry in entries:
        try:
            values.append(make(entry))
        except HeldoutError as error:
            problems.append(error)
    if problems:
        raise all_of(problems) from None
    return values


def _parts(problem: HeldoutError) -> Iterable[HeldoutError]:
    """The problems of which an error tells, each with its place."""
    if not problem.parts:
        return (problem,)
    return [part.within(problem.where) for part in problem.parts] if problem.where else problem.parts


class SpellingWarning(UserWarning):
    """A key or a name is read, and has another name here, or another meaning elsewhere."""


class GuessWarning(UserWarning):
    """What was not said is taken from the data, and other libraries take something else."""


class NoticeWarning(UserWarning):
    """A coded warning about method, such as HO101; `heldout describe HO101` explains it."""


class ComponentWarning(UserWarning):
    """A component that another package declares cannot be loaded; all others can be used."""


class EngineWarning(UserWarning):
    """Work that was meant for another process was done in this one."""


def warn_spelling(message: str) -> None:
    """Warn of a spelling at the line of the caller's code, not at one of ours."""
    _warn(message, SpellingWarning)


def warn_guess(message: str) -> None:
    """Warn of what was guessed at the line of the caller's code, not at one of ours."""
    _warn(message, GuessWarning)


def warn_notice(message: str) -> None:
    """Warn of what a report would list under its notices, at the line of the caller's code."""
    _warn(message, NoticeWarning)


def warn_component(message: str) -> None:
    """Warn of a component that cannot be loaded, at the line of the caller's code."""
    _warn(message, ComponentWarning)


def warn_fitted_here(reason_by_system: Mapping[str, str]) -> None:
    """Warn of systems that were not fitted where the engine would have, at the line of the caller's code."""
    for system, reason in reason_by_system.items():
        _warn(f"{system} was fitted in this process: {reason}", EngineWarning)


def _warn(message: str, category: type[Warning]) -> None:
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "heldout":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
