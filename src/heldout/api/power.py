"""How many users a difference needs to be found."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from heldout.analysis.needed_users import needed_users
from heldout.api.compare import compare
from heldout.api.kept_results import over_results
from heldout.api.results import Results
from heldout.errors import ResultsError


@over_results
def power(
    results: str | Path | Results,
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
    compared = compare(results, metrics=metrics, aggregate="mean", test="t", correction="none", baseline=baseline)
    first = compared.facts.settings[0]
    protocol = {stage: first.choices.get(stage, "") for stage in ("split", "relevance", "target")}
    rows = []
    for pair in (p for p in compared.facts.comparisons if p.setting == first.id):
        needed = needed_users(pair, effect, power=power, level=level)
        if needed is not None:
            rows.append({"metric": first.metric, **protocol, "a": pair.a, "b": pair.b, **asdict(needed)})
    if not rows:
        raise ResultsError("no two systems differ in these results, so nothing is known of how differences spread")
    return pl.DataFrame(rows)
