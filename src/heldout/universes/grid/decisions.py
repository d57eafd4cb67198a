"""What may be chosen otherwise: the decisions that span a multiverse, and their levels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from heldout.catalogue import KINDS, make, parameters
from heldout.catalogue.spelled import spelled
from heldout.errors import HeldoutError
from heldout.study.protocol import JUDGING
from heldout.study.spec import KEYS, KINDS_OF_STAGE

KIND_OF = {
    "data": "reader",
    "filter": "filter",
    "split": "split",
    "seed": "",
    "users": "users",
    **{decision: KINDS_OF_STAGE[decision] for decision in JUDGING},
    "metric": "metric",
    "cutoff": "",
    "gain": "gain",
    "aggregate": "aggregation",
    "undefined": "undefined",
    "coverage": "coverage",
    "test": "test",
}
"""Every decision in the order in which an experiment makes them, with the kind of its options."""
NAMES = tuple(KIND_OF)
_WORDS = {"cutoff": "cut-off", **{decision: KEYS[decision].words for decision in ("users", *JUDGING)}}
_LETTERS = {"seed": "A2", "cutoff": "C2", "gain": "C2"}
NOT_APPLICABLE = "–"
"""How a decision is printed where it does not apply: the gain map of a binary metric."""


@dataclass(frozen=True)
class Decision:
    """One decision and the options that are tried."""

    name: str
    """As in `NAMES`: split, cutoff, aggregate, …"""
    levels: tuple[str, ...]
    """The options' text forms; those that are numbers ascend."""
    numbers: tuple[float, ...] | None = None
    """The levels as numbers, where they are numbers or differ in one number only; ascending."""
    parameter: str = ""
    """That number's name, where levels are forms such as ratio(train=0.4)."""

    @property
    def words(self) -> str:
        """What a sentence calls it: "cut-off", "split"."""
        return _WORDS.get(self.name, self.name)

    @property
    def letter(self) -> str:
        """The letter of the decision: A1 to D."""
        kind = KIND_OF[self.name]
        return _LETTERS.get(self.name) or KINDS[kind].decision

    @property
    def varies(self) -> bool:
        """Whether more than one option is tried."""
        return len(self.levels) > 1

    @property
    def ordered(self) -> bool:
        """True if options are amounts, of which there is more and less; a seed is a number but not an amount."""
        return self.numbers is not None and self.name != "seed"

    @cached_property
    def spelled(self) -> tuple[str, ...]:
        """The levels as a page writes them everywhere: each with all parameters that another one writes."""
        return spelled(KIND_OF[self.name], self.levels)

    def label(self, level: int) -> str:
        """A level as tables, charts and switches write it: threshold(tau=3); `level` −1 does not apply."""
        return NOT_APPLICABLE if level < 0 else self.spelled[level]

    def amount(self, level: int) -> str:
        """The number of a level where only that differs, for sentences that name the rest before: 3 of threshold(tau=3)."""
        return self.label(level) if self.numbers is None or level < 0 else f"{self.numbers[level]:g}"

    def span(self, first: int, last: int) -> str:
        """Levels side by side as one: ratio(train=0.3 … 0.6)."""
        if first == last:
            return self.label(first)
        start, end = f"{self.parameter}={self.amount(first)}", self.label(first)
        if not self.parameter or end.count(start) != 1:
            return f"{self.label(first)} … {self.label(last)}"
        return end.replace(start, f"{start} … {self.amount(last)}")


def decision(name: str, levels: Sequence[str]) -> Decision:
    """A decision with its levels in order, each once; levels that differ in one number only are ordered by it."""
    texts = list(dict.fromkeys(levels))
    numbers, parameter = _numbers(name, texts)
    if numbers is None:
        return Decision(name, tuple(texts))
    order = sorted(range(len(texts)), key=lambda k: numbers[k])
    return Decision(name, tuple(texts[k] for k in order), tuple(numbers[k] for k in order), parameter)


def _numbers(name: str, texts: Sequence[str]) -> tuple[list[float] | None, str]:
    """The levels as distinct numbers and what the number is called; None where they are no numbers."""
    if not KIND_OF[name] and texts and all(re.fullmatch(r"-?\d+(\.\d+)?", t) for t in texts):
        return [float(t) for t in texts], ""
    if not KIND_OF[name] or len(texts) < 2:
        return None, ""
    try:
        options = [make(KIND_OF[name], text) for text in texts]
    except HeldoutError:  # a chain of filters or rules, or a table in memory, is no text form
        return None, ""
    if len({type(option) for option in options}) > 1:
        return None, ""
    differing = [
        p.name for p in parameters(type(options[0])) if len({str(getattr(option, p.name)) for option in options}) > 1
    ]
    if len(differing) != 1:
        return None, ""
    values: list[Any] = [getattr(option, differing[0]) for option in options]
    if any(isinstance(v, bool) or not isinstance(v, int | float) for v in values):
        return None, ""
    return [float(v) for v in values], differing[0]
