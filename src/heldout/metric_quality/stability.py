"""Does a metric order the systems alike under other seeds of the split, and under other orders of tied items?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from heldout.analysis.ranking_agreement import tau_b
from heldout.metric_quality.judged_systems import JudgedSystems
from heldout.tables.arrays import Float64


@dataclass(frozen=True, kw_only=True)
class SystemMeans:
    """The mean of one metric for each system, in one of several draws."""

    metric: str
    systems: tuple[str, ...]
    means: tuple[float, ...]


def system_means(judged: JudgedSystems, *, undefined_as_zero: bool) -> list[SystemMeans]:
    """The means of all metrics over the tested users."""
    as_zero = [undefined_as_zero and not metric.skips_undefined for metric in judged.metrics]
    return [
        SystemMeans(
            metric=str(metric),
            systems=judged.systems,
            means=tuple(mean_value(values, undefined_as_zero=zero) for values in rows),
        )
        for metric, rows, zero in zip(judged.metrics, judged.values, as_zero, strict=True)
    ]


def mean_value(values: Float64, *, undefined_as_zero: bool) -> float:
    """The mean over users; NaN where no user has a value."""
    if undefined_as_zero:
        return float(np.where(np.isnan(values), 0.0, values).mean())
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def mean_tau(draws: Iterable[Sequence[SystemMeans]]) -> dict[str, float]:
    """By metric, the mean τ-b between the orders of the systems of any two draws; metrics and systems of all draws alone.

    Example: three draws of which the first two agree and the third is the reverse: (1 − 1 − 1) ÷ 3 = −1/3.
    """
    by_metric: dict[str, list[SystemMeans]] = {}
    count = 0
    for draw in draws:
        count += 1
        for means in draw:
            by_metric.setdefault(means.metric, []).append(means)
    taus = {}
    for metric, several in by_metric.items():
        if len(several) < count or count < 2:
            continue
        shared = [name for name in several[0].systems if all(name in other.systems for other in several)]
        orders = np.array(
            [[dict(zip(m.systems, m.means, strict=True))[name] for name in shared] for m in several], dtype=np.float64
        )
        pairs = tau_b(orders, orders)[np.triu_indices(count, 1)]
        taus[metric] = float(np.nanmean(pairs)) if not np.isnan(pairs).all() else float("nan")
    return taus
