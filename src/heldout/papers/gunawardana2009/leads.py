"""Which of two systems leads, and whether a sign test over users says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heldout.papers.gunawardana2009.studies import value
from heldout.papers.paper import ClaimFinding, MeasuredTables
from heldout.papers.rules import Part, ahead, all_of, middle
from heldout.words import exact_p

DIRECTION: str = "the second half was added after the results were out"


def ahead_at(first: str, second: str, metrics: Sequence[str]) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether the first system is above the second by each metric."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        parts: list[Part] = []
        for metric in metrics:
            holds, words = ahead(value(first, metric), value(second, metric), measured)
            parts.append((holds, f"{metric} {words}"))
        return all_of(parts)

    return check


def significant(
    first: str, second: str, metrics: Sequence[str], level: float, **where: object
) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether by each metric the median p over splits is below a level and the first system the better for more users."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        holds, words = True, []
        for metric in metrics:
            rows = measured.rows("pairs", metric=metric, **{"study": "curves", "aggregate": "mean", **where})
            p = middle(rows["p"].to_list())
            sides = [1 if a == first else -1 for a in rows["a"]]
            lead = middle([s * (w - n) for s, w, n in zip(sides, rows["wins"], rows["losses"], strict=True)])
            holds &= p < level and lead > 0
            better = "" if lead > 0 else f" ({second} the better for more users)"
            words.append(f"{metric.partition('(')[0]}: {exact_p(p)}{better}")
        return ClaimFinding(holds, f"p by {', '.join(words)}")

    return check
