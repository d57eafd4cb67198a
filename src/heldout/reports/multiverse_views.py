"""What every form of a multiverse's report draws alike: its words, the scale of a curve, and the shades below it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from heldout.review.reviewed_protocol import ReviewedProtocol
from heldout.universes.explored import ExploredUniverses
from heldout.universes.findings import Marked, MultiverseFindings, PairFindings, SpecificationCurve, SpecificationRow
from heldout.universes.sentences import failed_systems, marked_systems
from heldout.words import count, counted, listed

BASE = 0.15
"""The shade of an option that is as frequent in a column as in the whole grid."""


MOVES = (
    "Effect and verdict: the share of the variance that the decision explains alone; with one other (joint): what it adds "
    "together with another, beyond both. Of two universes that differ in this decision only, how often the leader changes "
    "(the other system is ahead, significantly or not), the winner is reversed (the other is significantly better), and "
    "significance is gained or lost (one of the two has a significant winner, the other none). – stands where no two "
    "universes differ in it only and, of effect and verdict, where they are the same in all universes."
)
"""How to read the table of what moves a verdict."""


@dataclass(frozen=True, kw_only=True)
class MultiverseReport:
    """All that a report of a multiverse is drawn from."""

    findings: MultiverseFindings
    title: str
    failed: Mapping[str, str] = field(default_factory=dict)
    """Failed cells, with the reason."""
    left_out: Sequence[str] = ()
    """Options that do not apply somewhere, and what is the same universe again."""
    notices: Sequence[str] = ()
    """Coded warnings about method."""
    explored: ExploredUniverses | None = None
    """The universes one by one, for the page in which a reader switches between them."""
    protocol: ReviewedProtocol | None = None
    """What every option means and what lint finds, for the page; without it the notices stand alone."""

    @property
    def systems(self) -> list[str]:
        """The systems in full; those that no universe compares because they failed are marked."""
        return marked_systems(self.findings, self.failed)

    @property
    def failures(self) -> list[str]:
        """A sentence for each system that failed somewhere."""
        return [system.sentence for system in failed_systems(self.findings, self.failed)]


def short_paper(name: str) -> str:
    """Cañamares 2020."""
    words = name.split()
    return f"{words[0]} {words[-1]}"


def exact_papers(findings: MultiverseFindings) -> set[str]:
    """The papers all of whose choices the grid has."""
    return {marked.paper for marked in findings.papers if marked.exact}


def listed_of(shown: int, distinct: int) -> str:
    """The 8 most frequent of 9 rankings; empty where all are listed."""
    return f"The {count(shown)} most frequent of {count(distinct)} rankings are listed." if shown < distinct else ""


def grid_words(findings: MultiverseFindings) -> str:
    """9 splits × 3 seeds × 4 targets …, and that combinations are left out where the product is more than the universes."""
    sizes = [(sum(n > 0 for n in d.counts), d.words) for d in findings.decisions if d.varies]
    product = " × ".join(counted(n, words, _plural(words)) for n, words in sizes) or "one option of every decision"
    fewer = math.prod(n for n, _ in sizes) > findings.universes
    return f"{product}, without combinations that do not differ from another" if fewer else product


def _plural(words: str) -> str:
    fixed = {"tie rule": "tie rules", "unrated items": "rules for unrated items", "users tested": "choices of users"}
    ends = f"{words[:-1]}ies" if words.endswith("y") else words if words == "data" else f"{words}s"
    return {"coverage": "coverage rules", "undefined": "undefined rules", "aggregate": "aggregations", **fixed}.get(
        words, ends
    )


def lacking(marked: Marked, findings: MultiverseFindings) -> str:
    """What the grid lacks of a paper's choices, in words."""
    return "; ".join(f"{findings.words(c.decision)} {listed(c.options).replace(' and ', ' or ')}" for c in marked.missing)


def outcome(marked: Marked, pair: int, findings: MultiverseFindings) -> str:
    """What a paper would have said of a pair."""
    if not marked.universes:
        return "no universe"
    first, second, neither = marked.outcomes[pair]
    n = first + second + neither
    without = marked.universes - n
    if not n:
        return f"no value in any of {count(marked.universes)}"
    out = f" with a value ({count(without)} without)" if without else ""
    outcomes = [
        (first, f"{findings.pairs[pair].first} better"),
        (second, f"{findings.pairs[pair].second} better"),
        (neither, "neither"),
    ]
    for universes, words in outcomes:
        if universes == n:
            return f"{words} in the one{out}" if n == 1 else f"{words} in all {count(n)}{out}"
    return ", ".join(f"{words} in {count(k)}" for k, words in outcomes if k) + f" of {count(n)}{out}"


def shade(row: SpecificationRow, sizes: Sequence[int]) -> list[float]:
    """How dark each column of an option is: 0 where none chose it, `BASE` as in the whole grid, 1 where all did."""
    base = sum(row.counts) / max(sum(sizes), 1)
    if not base:  # an option whose universes all lack a value
        return [0.0] * len(sizes)
    shares = [n / size for n, size in zip(row.counts, sizes, strict=True)]
    return [
        BASE * s / base if s <= base else 1.0 if base == 1 else BASE + (1 - BASE) * (s - base) / (1 - base) for s in shares
    ]


def reach(curve: SpecificationCurve) -> tuple[float, float]:
    """The scale of effects, from below 0 to above; the outermost 2 % of columns may lie beyond."""
    values = sorted(curve.effect)
    if not values:
        return -0.01, 0.01
    low, high = values[round(0.02 * (len(values) - 1))], values[round(0.98 * (len(values) - 1))]
    wide = max(high, 0.0) - min(low, 0.0) or 0.01
    return min(low, 0.0) - 0.04 * wide, max(high, 0.0) + 0.04 * wide


def beyond(curve: SpecificationCurve) -> int:
    """Columns off the scale."""
    low, high = reach(curve)
    return sum(not low <= value <= high for value in curve.effect)


def curve_note(curve: SpecificationCurve, pair: PairFindings, chosen: str = "what they chose") -> str:
    """How to read a curve, as it is drawn: `curve` has the columns that a reader sees, `chosen` says what is below."""
    n, columns = sum(curve.sizes), len(curve.sizes)
    at = "at" if columns == len(pair.curve.sizes) else "near"  # columns joined have no median of their own
    each = (
        "Each column is a universe" if n == columns else f"{count(n)} universes in {columns} columns, each {at} its median"
    )
    off = f" {counted(beyond(curve), 'column')} beyond the scale." if beyond(curve) else ""
    return (
        f"{each}, from where {pair.second} is furthest ahead to where {pair.first} is; the height is by how much, as a "
        f"share of the mean of both. Below, {chosen}: the stronger the shade, the more often compared with the whole "
        f"grid.{off}"
    )
