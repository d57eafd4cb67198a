"""What every form of a report on biases draws alike: the table of protocols, expectations, and curves in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.biases.findings import BiasFindings, CurvePoint, ExpectationRow, Exposure, ProtocolEffect, ProtocolValue
from heldout.words import counted, digits_for, interval, number, percent

ROLES = {"plain": "plain", "neutral": "popularity-neutral", "metric": "metrics for missing ratings"}
SWEEP_HEADS = {
    "removed": ("When test ratings are removed", "test ratings removed"),
    "lists": ("When lists grow", "items in a list"),
    "classes": ("With more popularity classes", "popularity classes m"),
    "head": ("Without the most popular items", "share of the items removed"),
    "uniform": ("Uniform test sets of several sizes", "share of the ratings in test"),
    "skew": ("When popularity is steeper", "skew α of simulated popularity"),
}
"""Sweep → its head, and what its places are."""
SWEEP_BRIEFS = {
    "removed": "ratings removed",
    "lists": "items in a list",
    "classes": "classes m",
    "head": "head removed",
    "uniform": "share in test",
    "skew": "skew α",
}
"""Sweep → what its places are, where there is little room."""
SWEEP_NOTES = {
    "removed": "The test set alone is thinned; fits, and who is tested, stay as they are. Precision of all relevant items "
    "(AR) falls with what is known of users, that of one relevant item (1R) hardly. Bands are the bounds of equation 2.",
    "lists": "1R with more sampled items in each list. Bands are the bounds of equation 2.",
    "classes": "P1R with m classes of equal size; m = 1 is 1R. The more classes, the less popularity can tell items apart.",
    "head": "The most popular items leave the test; training keeps them.",
    "uniform": "Every test item has equally many test ratings. Each share is a split of its own, with its own fits.",
    "skew": "Simulated data of the same size in which users have no taste: what rises with α is popularity alone.",
}
GAP = 0.2
"""From which share on it is said how far what was measured is from the closed form."""
SHARED = ("removed", "head", "uniform")
"""Sweeps whose places are shares."""


@dataclass(frozen=True, kw_only=True)
class ProtocolLine:
    """One protocol in the table of protocols."""

    effect: ProtocolEffect
    values: dict[str, ProtocolValue]
    """System → its value by the protocol's metric."""
    popularity: float
    """Popularity's precision by that of a random ranking; NaN where it was not measured."""


def sizes_words(findings: BiasFindings) -> str:
    """8 systems, 6,034 users, 10 protocols."""
    folds = f", {counted(findings.folds, 'fold')}" if findings.folds > 1 else ""
    protocols = len({effect.protocol for effect in findings.effects.protocols})
    return f"{counted(len(findings.systems), 'system')}, {counted(findings.users, 'user')}{folds}, " + counted(
        protocols, "protocol"
    )


def protocol_lines(findings: BiasFindings) -> list[ProtocolLine]:
    """A line for each protocol by the study's metric, or by the metric that it has of its own."""
    values: dict[tuple[str, str], dict[str, ProtocolValue]] = {}
    for row in findings.effects.values:
        values.setdefault((row.protocol, row.metric), {})[row.system] = row
    name = findings.baselines["Popularity"]
    lines = []
    for effect in findings.effects.protocols:
        if effect.role != "metric" and effect.metric != findings.metric:
            continue
        precise = values.get((effect.protocol, findings.precision), {}).get(name)
        lines.append(
            ProtocolLine(
                effect=effect,
                values=values[effect.protocol, effect.metric],
                popularity=precise.times_random if precise is not None else float("nan"),
            )
        )
    return lines


def value_text(line: ProtocolLine, system: str) -> str:
    """A system's value with the decimals that suit its protocol."""
    row = line.values.get(system)
    return number(row.value if row is not None else None, digits_for([v.value for v in line.values.values()]))


def interval_text(line: ProtocolLine, system: str) -> str:
    """Its interval over users."""
    row = line.values.get(system)
    return interval(row.low, row.high, digits_for([row.value])) if row is not None and not math.isnan(row.low) else ""


def times_text(ratio: float) -> str:
    """17 ×, 1.3 ×."""
    return "" if math.isnan(ratio) else f"{number(ratio, 0 if ratio >= 10 else 1)} ×"


def pairs_text(pairs: Sequence[tuple[str, str]], marked: Sequence[tuple[str, str]] = ()) -> str:
    """A over B; C over D*: marked pairs have a star."""
    return "; ".join(f"{a} over {b}{'*' if (a, b) in marked else ''}" for a, b in pairs)


def expectation_lines(findings: BiasFindings) -> list[ExpectationRow]:
    """Random and Popularity under every protocol, in the order of protocols."""
    order = [effect.protocol for effect in findings.effects.protocols]
    names = [findings.baselines["Random"], findings.baselines["Popularity"]]
    rows = [row for row in findings.expectations if row.system in names]
    return sorted(rows, key=lambda row: (names.index(row.system), order.index(row.protocol)))


def expectation_cells(row: ExpectationRow) -> tuple[str, str, str, str, str]:
    """The closed form, the bounds, what is exact given the split, what was measured, and its interval."""
    digits = digits_for([row.measured, row.expected if not math.isnan(row.expected) else 0.0])
    gap = f", measured {number(row.gap, 2)} ×" if abs(row.gap - 1) > GAP else ""
    closed = f"{number(row.expected, digits)} {row.formula}{gap}" if row.formula else ""
    bounds = interval(row.lower, row.upper, digits) if not math.isnan(row.lower) else ""
    exact = number(row.exact, digits) if not math.isnan(row.exact) else ""
    return closed, bounds, exact, number(row.measured, digits), interval(row.low, row.high, digits)


def brief_closed_form(row: ExpectationRow) -> str:
    """The closed form where there is little room: 0.0023 σδ."""
    digits = digits_for([row.measured, row.expected if not math.isnan(row.expected) else 0.0])
    symbol = row.formula.partition(" (")[0].removesuffix(" in each class")
    return f"{number(row.expected, digits)} {symbol}" if row.formula else ""


def sweeps_drawn(findings: BiasFindings) -> list[tuple[str, str]]:
    """The sweeps and protocols that have curves, in their order."""
    both = dict.fromkeys((point.sweep, point.protocol) for point in findings.curves)
    order = list(SWEEP_HEADS)
    return sorted(both, key=lambda pair: order.index(pair[0]))


def curves_of(findings: BiasFindings, sweep: str, protocol: str) -> dict[str, list[CurvePoint]]:
    """System → its points, by place; systems in the order of the study."""
    curves: dict[str, list[CurvePoint]] = {name: [] for name in findings.systems}
    for point in findings.curves:
        if (point.sweep, point.protocol) == (sweep, protocol) and point.system in curves:
            curves[point.system].append(point)
    return {name: sorted(points, key=lambda p: p.x) for name, points in curves.items() if points}


def exposure_facts(exposure: Exposure) -> list[tuple[str, str]]:
    """What is known of items that users did not choose, as head and value."""
    head = percent(exposure.head, 0)
    facts = [
        (f"Liked of the most popular {head} of the items, chosen or not", exposure.liked_head),
        ("Liked of the others", exposure.liked_rest),
        (f"Chance of being rated, of the most popular {head}", exposure.met_head),
        ("Chance of being rated, of the others", exposure.met_rest),
    ]
    return [(words, percent(share)) for words, share in facts if not math.isnan(share)]


def place_text(sweep: str, x: float) -> str:
    """A place of a sweep in words."""
    if sweep in SHARED:
        return percent(x, 0) if x * 100 == round(x * 100) else percent(x)
    return f"{x:,.6g}"
