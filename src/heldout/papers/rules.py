"""Rules that claims of several papers are tested by, and what they are made of: means over splits, and figures in words.

A rule takes what was measured and the parameters that `paper.toml` gives it. Numbers among these are `Pick`s: functions that
take a number for each split from what was measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from heldout import NotApplicableError
from heldout.papers.paper import ClaimFinding, MeasuredTables, Pick, Rule
from heldout.text.numbers import digits_for, number

Part = tuple[bool, str]
"""A part of a claim: whether it holds, and its figures."""


def column(measured: MeasuredTables, table: str, column: str, **where: object) -> list[float]:
    """The numbers of a column in the rows of a table that have these values."""
    return measured.numbers(table, column, **where)


def mean(numbers: Sequence[float]) -> float:
    """Mean over splits; NotApplicableError if a number was not measured, which leaves a claim open."""
    if not len(numbers) or not np.isfinite(numbers).all():
        raise NotApplicableError("a number that decides it was not measured")
    return float(np.mean(numbers))


def middle(numbers: Sequence[float]) -> float:
    """Median over splits; as `mean` if a number was not measured."""
    mean(numbers)
    return float(np.median(numbers))


def plotted(numbers: Sequence[float]) -> float | None:
    """Mean over splits; None if there is nothing to draw."""
    return float(np.mean(numbers)) if len(numbers) else None


def in_words(values: Sequence[float], digits: int | None = None) -> str:
    """Figures in a row, with the decimals that suit them."""
    digits = digits_for(values) if digits is None else digits
    return ", ".join(number(value, digits) for value in values)


def rising(values: Sequence[float]) -> bool:
    """True if each value is above the one before."""
    return all(after > before for before, after in pairwise(values))


def falling(values: Sequence[float]) -> bool:
    """True if each value is below the one before."""
    return all(after < before for before, after in pairwise(values))


def ahead(first: Pick, second: Pick, measured: MeasuredTables) -> Part:
    """Whether the first is above the second in the mean over splits, with both means and in how many splits it is."""
    a, b = first(measured), second(measured)
    above = mean(a) > mean(b)
    wins = sum(x > y for x, y in zip(a, b, strict=True))
    counts = f" ({wins} of {len(a)} splits)" if len(a) > 1 else ""
    digits = digits_for([mean(a), mean(b)])
    return above, f"{number(mean(a), digits)} and {number(mean(b), digits)}{counts}"


def all_of(parts: Sequence[Part]) -> ClaimFinding:
    """A claim of several parts, which holds if all do."""
    return ClaimFinding(all(holds for holds, _ in parts), "; ".join(text for _, text in parts))


def higher(
    measured: MeasuredTables, number: Callable[..., Sequence[float]], pairs: Sequence[Mapping[str, Any]]
) -> ClaimFinding:
    """Whether in each pair a number is higher with the parameters `first` than with `second`, in the mean over splits.

    The parameters `both` are those of both, and `label` begins the figures of a pair.
    """
    parts: list[Part] = []
    for pair in pairs:
        first, second = (partial(number, **pair.get("both", {}), **pair[side]) for side in ("first", "second"))
        holds, words = ahead(first, second, measured)
        parts.append((holds, f"{pair.get('label', '')} {words}".lstrip()))
    return all_of(parts)


def rounds_to(measured: MeasuredTables, number: Pick, published: float, decimals: int, words: str) -> ClaimFinding:
    """Whether a number is the published one, to so many decimals; `words` is its format."""
    value = mean(number(measured))
    return ClaimFinding(round(value, decimals) == published, words.format(value))


def with_each(measured: MeasuredTables, check: Rule, readings: Sequence[str]) -> ClaimFinding:
    """Whether a rule holds for each of several works by what it measured."""
    findings = {reading: check(measured.of(reading)) for reading in readings}
    words = "; ".join(
        f"✓ {reading}" if finding.holds else f"✗ {reading} ({finding.figures})" for reading, finding in findings.items()
    )
    return ClaimFinding(all(finding.holds for finding in findings.values()), words)
