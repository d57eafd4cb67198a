"""What a reader asks of a multiverse: rows and shades that every form of its report draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.universes.findings.anova import Explained
from heldout.universes.findings.curve import Curve, CurveRow
from heldout.universes.findings.findings import Findings, PairFindings
from heldout.universes.findings.flips import Counted, Flips
from heldout.universes.findings.papers import Marked
from heldout.words import count, counted, listed, percent

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


@dataclass(frozen=True)
class Mover:
    """How much one decision moves the outcome of one pair."""

    words: str
    """The decision, and what it is nested in."""
    name: str
    effect: float
    """Share of the variance of the effect that it explains alone."""
    joint: float
    """What it explains together with one other, beyond both, summed over the others."""
    verdict: float
    flips: Flips | None


def movers(found: Findings, pair: PairFindings) -> list[Mover]:
    """Every decision that varies, the one that explains most, alone or with another, first."""
    by = {one.decision: one for one in pair.flips}
    made = []
    for one in pair.anova.single:
        name = one.decisions[0]
        joint = sum(two.effect for two in pair.anova.joint if name in two.decisions)
        made.append(Mover(named(found, one), name, one.effect, joint, one.verdict, by.get(name)))
    return sorted(made, key=lambda one: -(one.effect + one.joint) if math.isfinite(one.effect) else 0.0)


def telling(found: Findings, pair: PairFindings, most: int) -> list[str]:
    """The decisions that explain most: at least one, and those with 2 % or more."""
    found_ = movers(found, pair)
    return [one.name for k, one in enumerate(found_[:most]) if k == 0 or one.effect + one.joint >= 0.02]


def short_paper(name: str) -> str:
    """Cañamares 2020."""
    words = name.split()
    return f"{words[0]} {words[-1]}"


def exact_papers(found: Findings) -> set[str]:
    """The papers all of whose choices the grid has."""
    return {one.paper for one in found.papers if one.exact}


def named(found: Findings, one: Explained) -> str:
    """gain (within metric); target × cut-off."""
    words = " × ".join(found.words(name) for name in one.decisions)
    return f"{words} (within {listed([found.words(name) for name in one.within])})" if one.within else words


def together(found: Findings, pair: PairFindings, most: int = 4) -> str:
    """The pairs of decisions that explain most beyond both, and what is left, as a sentence."""
    if not pair.anova.single:
        return "Nothing varies."
    if not math.isfinite(pair.anova.remainder_effect):
        return "The effect is the same in all universes."
    joint = [one for one in pair.anova.joint if one.effect >= 0.005][:most]
    told = [f"{named(found, one)} {percent(one.effect)}" for one in joint]
    first = f"Two decisions together, beyond each alone: {listed(told)}." if told else ""
    others = sum(one.effect for one in pair.anova.joint) - sum(one.effect for one in joint)
    rest = f"Other pairs of decisions {percent(others)}, three or more together {percent(pair.anova.remainder_effect)}."
    note = "" if pair.anova.complete else "Some universes have no value, so these shares are approximate."
    return " ".join(filter(None, (first, rest if len(pair.anova.single) > 1 else "", note)))


def share_of(counted_: Counted | None, what: str) -> float | None:
    """The share of the pairs of universes in which something changes; None where there are no such pairs."""
    return getattr(counted_, what) / counted_.pairs if counted_ is not None and counted_.pairs else None


def contested(found: Findings) -> list[PairFindings]:
    """The pairs of systems, those whose verdict changes most over the universes first."""
    return sorted(found.pairs, key=lambda one: -min(one.shares.first, one.shares.second) / max(one.shares.universes, 1))


def overall(found: Findings) -> str:
    """Of three systems or more, the one that is named the winner against every other; empty where there is none."""
    compared = [pair for pair in found.pairs if pair.shares.universes]
    names = [name for name in found.names if any(name in (pair.first, pair.second) for pair in compared)]
    if len(names) < 3:
        return ""
    wins = {name: sum(pair.stability.winner == name for pair in compared) for name in names}
    best = next((name for name in names if wins[name] == len(names) - 1), "")
    among = "every other system" if len(names) == len(found.names) else "every other system that was compared"
    return f"{best} significantly beats {among}, each in most universes." if best else ""


def listed_of(shown: int, distinct: int) -> str:
    """The 8 most frequent of 9 rankings; empty where all are listed."""
    return f"The {count(shown)} most frequent of {count(distinct)} rankings are listed." if shown < distinct else ""


def grid_words(found: Findings) -> str:
    """9 splits × 3 seeds × 4 targets …, and that combinations are left out where the product is more than the universes."""
    sizes = [(sum(n > 0 for n in one.counts), one.words) for one in found.decisions if one.varies]
    product = " × ".join(counted(n, words, _plural(words)) for n, words in sizes) or "one option of every decision"
    fewer = math.prod(n for n, _ in sizes) > found.universes
    return f"{product}, without combinations that do not differ from another" if fewer else product


def _plural(words: str) -> str:
    fixed = {"tie rule": "tie rules", "unrated items": "rules for unrated items", "users tested": "choices of users"}
    ends = f"{words[:-1]}ies" if words.endswith("y") else words if words == "data" else f"{words}s"
    return {"coverage": "coverage rules", "undefined": "undefined rules", "aggregate": "aggregations", **fixed}.get(
        words, ends
    )


def lacking(one: Marked, found: Findings) -> str:
    """What the grid lacks of a paper's choices, in words."""
    return "; ".join(f"{found.words(c.decision)} {listed(c.options).replace(' and ', ' or ')}" for c in one.missing)


def outcome(one: Marked, pair: int, found: Findings) -> str:
    """What a paper would have said of a pair."""
    if not one.universes:
        return "no universe"
    first, second, neither = one.outcomes[pair]
    n = first + second + neither
    without = one.universes - n
    if not n:
        return f"no value in any of {count(one.universes)}"
    out = f" with a value ({count(without)} without)" if without else ""
    told = [
        (first, f"{found.pairs[pair].first} better"),
        (second, f"{found.pairs[pair].second} better"),
        (neither, "neither"),
    ]
    if n in (first, second, neither):
        words = next(words for found_, words in told if found_ == n)
        return f"{words} in the one{out}" if n == 1 else f"{words} in all {count(n)}{out}"
    return ", ".join(f"{words} in {count(k)}" for k, words in told if k) + f" of {count(n)}{out}"


def shade(row: CurveRow, sizes: Sequence[int]) -> list[float]:
    """How dark each column of an option is: 0 where none chose it, `BASE` as in the whole grid, 1 where all did."""
    base = sum(row.counts) / max(sum(sizes), 1)
    if not base:  # an option whose universes all lack a value
        return [0.0] * len(sizes)
    shares = [n / size for n, size in zip(row.counts, sizes, strict=True)]
    return [
        BASE * s / base if s <= base else 1.0 if base == 1 else BASE + (1 - BASE) * (s - base) / (1 - base) for s in shares
    ]


def reach(curve: Curve) -> tuple[float, float]:
    """The scale of effects, from below 0 to above; the outermost 2 % of columns may lie beyond."""
    values = sorted(curve.effect)
    if not values:
        return -0.01, 0.01
    low, high = values[round(0.02 * (len(values) - 1))], values[round(0.98 * (len(values) - 1))]
    wide = max(high, 0.0) - min(low, 0.0) or 0.01
    return min(low, 0.0) - 0.04 * wide, max(high, 0.0) + 0.04 * wide


def sure(curve: Curve, column: int) -> int:
    """1 where the first is significantly better in most universes of a column, −1 the second, else 0."""
    half = curve.sizes[column] / 2
    return 1 if curve.first[column] > half else -1 if curve.second[column] > half else 0


def beyond(curve: Curve) -> int:
    """Columns off the scale."""
    low, high = reach(curve)
    return sum(not low <= value <= high for value in curve.effect)


def curve_note(curve: Curve, pair: PairFindings, chosen: str = "what they chose") -> str:
    """How to read a curve, as it is drawn: `curve` has the columns that a reader sees, `chosen` says what is below."""
    n, columns = sum(curve.sizes), len(curve.sizes)
    at = "at" if columns == len(pair.curve.sizes) else "near"  # columns joined have no median of their own
    each = (
        "Each column is a universe" if n == columns else f"{count(n)} universes in {columns} columns, each {at} its median"
    )
    off = f" {counted(beyond(curve), 'column')} beyond the scale." if beyond(curve) else ""
    return (
        f"{each}, from where {pair.second} is furthest ahead to where {pair.first} is; the height is by how much, as a "
        f"share of the mean of both. Below, {chosen}: the darker, the more often compared with the whole grid.{off}"
    )
