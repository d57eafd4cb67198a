"""What rules of claims are made of: means over splits, who is ahead, and figures in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from heldout.errors import NotApplicableError
from heldout.papers.paper import ClaimFinding, MeasuredTables, Pick
from heldout.words import digits_for, number

Part = tuple[bool, str]
"""A part of a claim: whether it holds, and its figures."""


def pick(table: str, column: str, **where: object) -> Pick:
    """The numbers of a column in the rows of a table that have these values."""
    return lambda measured: measured.numbers(table, column, **where)


def mean(numbers: Sequence[float]) -> float:
    """Mean over splits; NotApplicableError where a number was not measured, which leaves a claim open."""
    if not len(numbers) or not np.isfinite(numbers).all():
        raise NotApplicableError("a number that decides it was not measured")
    return float(np.mean(numbers))


def middle(numbers: Sequence[float]) -> float:
    """Median over splits; as `mean` where a number was not measured."""
    mean(numbers)
    return float(np.median(numbers))


def plotted(numbers: Sequence[float]) -> float | None:
    """Mean over splits; None where there is nothing to draw."""
    return float(np.mean(numbers)) if len(numbers) else None


def in_words(values: Sequence[float], digits: int | None = None) -> str:
    """Figures in a row, with the decimals that suit them."""
    digits = digits_for(values) if digits is None else digits
    return ", ".join(number(value, digits) for value in values)


def rising(values: Sequence[float]) -> bool:
    """Whether each value is above the one before."""
    return all(after > before for before, after in pairwise(values))


def falling(values: Sequence[float]) -> bool:
    """Whether each value is below the one before."""
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
