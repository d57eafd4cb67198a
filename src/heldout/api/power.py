"""How many users a difference needs to be found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from heldout.analysis.findings import Findings
from heldout.analysis.rows import PairRow
from heldout.api.compare import compare
from heldout.api.kept_results import over_results
from heldout.api.results import Results
from heldout.errors import ResultsError
from heldout.significance.power import power_of, users_needed


@over_results
def power(
    results: str | Path | Results[Findings],
    effect: float,
    *,
    metric: Any = None,
    power: float = 0.8,
    level: float = 0.05,
    baseline: str | None = None,
) -> pl.DataFrame:
    """How many users a paired t test needs to find a difference of `effect`, pair by pair, from results at hand.

    One row per pair, in the first setting of the metric, which is named: the standard deviation of users'
    differences, the effect in such deviations (`d`), the users needed, the users at hand and their power.
    """
    metrics = None if metric is None else [metric]
    compared = compare(
        results, {"tests": "t", "correction": "none", "baseline": baseline}, metrics=metrics, aggregate="mean"
    )
    first = compared.findings.settings[0]
    protocol = {stage: first.choices.get(stage, "") for stage in ("split", "relevance", "target")}
    rows = []
    for pair in (p for p in compared.findings.comparisons if p.setting == first.id):
        needed = needed_users(pair, effect, power=power, level=level)
        if needed is not None:
            rows.append({"metric": first.metric, **protocol, "a": pair.a, "b": pair.b, **asdict(needed)})
    if not rows:
        raise ResultsError("no two systems differ in these results, so nothing is known of how differences spread")
    return pl.DataFrame(rows)


@dataclass(frozen=True, kw_only=True)
class NeededUsers:
    """What a paired t test needs to find a difference between two systems."""

    deviation: float
    """Standard deviation of users' differences."""
    d: float
    """The difference that is looked for, in deviations."""
    users_needed: int
    users: int
    """Users at hand."""
    power: float
    """The chance that they show the difference."""


def needed_users(pair: PairRow, effect: float, *, power: float, level: float) -> NeededUsers | None:
    """The users that a pair needs; None where no user differs, or all by the same: there is nothing to plan with."""
    if not pair.effect:
        return None
    deviation = abs(pair.difference / pair.effect)
    return NeededUsers(
        deviation=deviation,
        d=effect / deviation,
        users_needed=users_needed(effect, deviation=deviation, power=power, level=level),
        users=pair.users,
        power=power_of(pair.users, effect, deviation=deviation, level=level),
    )
