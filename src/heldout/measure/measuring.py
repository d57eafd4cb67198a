"""Many metrics over judged lists, one row per user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.catalogue import parameters
from heldout.errors import NotApplicableError
from heldout.measure.diagnostic.coverage import Coverage
from heldout.measure.diagnostic.rho import Rho
from heldout.measure.diagnostic.unrated import Unrated
from heldout.measure.metric import Gain, Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64, Int32


@dataclass(frozen=True, eq=False)
class Measured:
    """Values of each user, the mean over the user's lists where there are several."""

    values: Float64
    """Users × metrics."""
    length: Float64
    computed: Float64
    lists: Int32


def measure(judged: Judged, metrics: Sequence[Metric]) -> Measured:
    """All metrics for every user of the relevance table; a user without lists has NaN."""
    check_applicable(judged, metrics)
    columns = [metric.measure(judged) for metric in metrics]
    lists = np.bincount(judged.owner, minlength=len(judged.relevance)).astype(np.int32)
    if judged.only is None:
        values = np.column_stack(columns) if columns else np.empty((len(judged), 0))
        return Measured(values, judged.length.astype(np.float64), judged.computed.astype(np.float64), lists)
    values = np.column_stack([_mean_of_lists(judged, c) for c in columns])
    return Measured(
        values,
        np.nan_to_num(_mean_of_lists(judged, judged.length.astype(np.float64))),
        np.nan_to_num(_mean_of_lists(judged, judged.computed.astype(np.float64))),
        lists,
    )


def _mean_of_lists(judged: Judged, of_list: Float64) -> Float64:
    """The mean over each user's lists with a defined value; NaN where there is none."""
    defined = ~np.isnan(of_list)
    n = len(judged.relevance)
    total = np.bincount(judged.owner[defined], of_list[defined], n)
    count = np.bincount(judged.owner[defined], minlength=n)
    out = np.full(n, np.nan)
    np.divide(total, count, out=out, where=count > 0)
    return out


def depth_of(metric: Metric) -> int | None:
    """The cut-off of a metric, if it has one."""
    for field in parameters(type(metric)):
        if field.metadata["cutoff"]:
            found: int | None = getattr(metric, field.name)
            return found
    return None


def diagnostics_for(metric: Metric) -> tuple[Metric, ...]:
    """What is to be reported beside a metric: coverage, unrated share and ρ at its depth."""
    n = depth_of(metric)
    return (Rho(n=None),) if n is None else (Coverage(n=n), Unrated(n=n), Rho(n=n))


def with_diagnostics(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The metrics and, behind them, what is reported beside them, each once."""
    beside = [Coverage(n=1)] + [d for m in metrics for d in diagnostics_for(m)]
    return tuple(dict.fromkeys([*metrics, *beside]))


def check_applicable(judged: Judged, metrics: Sequence[Metric]) -> None:
    """Refuse metrics whose value would have no meaning on these ratings."""
    grade = judged.relevance.grade
    lowest = float(grade.min()) if len(grade) else 0.0
    for metric in metrics:
        gain = getattr(metric, "gain", None)
        if isinstance(gain, Gain) and str(gain) != "binary" and lowest < 0:
            raise NotApplicableError(
                f"{metric}: gain={gain} of a rating of {lowest:g} is below 0",
                where="measure",
                hint="use gain=binary, or shift the ratings",
            )
