"""Values of a system as a whole, over the users who are tested, and counts of the scores of all their targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from heldout.errors import NotApplicableError
from heldout.metrics.curves.curve import CurveMetric
from heldout.metrics.list_subsets import of_users
from heldout.metrics.measuring import Measured, check_gains, depth_of, measure, value_of
from heldout.metrics.metric import Metric
from heldout.tables import Judged, ScoreCounts
from heldout.tables.arrays import Bool, Float64
from heldout.targets.target import Target

Blocks = Callable[[Bool], Iterable[Float64]]
"""From who is tested to the scores of all their targets, block by block."""


def own_metrics(metrics: Sequence[Metric]) -> list[Metric]:
    """Those that give each user a value."""
    return [m for m in metrics if m.per_user]


def with_system_values(
    measured: Measured, judged: Judged, metrics: Sequence[Metric], tested: Bool, blocks: Blocks | None
) -> Measured:
    """The values of users' own metrics and, in their columns, those of the system, the same for every user; and curves."""
    drawn = [m for m in metrics if isinstance(m, CurveMetric)]
    if all(m.per_user for m in metrics) and not drawn:
        return measured
    taken = judged if tested.all() else of_users(judged, tested)
    if any(m.needs_all_scores for m in metrics):
        taken = count_lists(taken) if blocks is None else count_blocks(taken, blocks(tested))
    check_gains(taken.relevance, metrics)
    own = iter(measured.values.T)
    columns = [next(own) if m.per_user else np.full(len(measured.values), system_value(m, taken)) for m in metrics]
    return replace(measured, values=np.column_stack(columns), curves={str(m): m.curve(taken).thinned() for m in drawn})


def system_value(metric: Metric, judged: Judged) -> float:
    """The one value of a metric that is not of users; NaN without lists."""
    values = value_of(metric, judged, depth_of(metric), None)
    return float(values[0]) if len(values) else float("nan")


def refusal(
    metrics: Sequence[Metric], judged: Judged, tested: Bool, blocks: Blocks | None, *, target: Target | None = None
) -> NotApplicableError | None:
    """Why one of these metrics has no value of these lists; None where all have."""
    try:
        with_system_values(measure(judged, own_metrics(metrics), target=target), judged, metrics, tested, blocks)
    except NotApplicableError as error:
        return error
    return None


def count_blocks(judged: Judged, blocks: Iterable[Float64]) -> Judged:
    """The lists with the scores of all targets counted, which come block by block; NaN could not be scored."""
    if judged.condensed:
        return _count_entries(judged)
    counts = _begin(judged)
    for block in blocks:
        counts = counts.add(np.asarray(block, dtype=np.float64).ravel())
    return replace(judged, everywhere=counts)


def count_lists(judged: Judged) -> Judged:
    """The same for lists that are all there is of the scores; what they lack could not be scored."""
    if judged.condensed:
        return _count_entries(judged)
    if judged.lists is None:
        return judged
    counts = _begin(judged).add(judged.lists.score)
    lacking = int(judged.targets.sum()) - len(judged.lists.score)
    return replace(judged, everywhere=replace(counts, unscored=counts.unscored + max(lacking, 0)))


def _count_entries(judged: Judged) -> Judged:
    """The same where rated items alone are targets: the entries are all there is."""
    scores = judged.score if judged.score is not None else np.empty(0)
    scored = scores[~np.isnan(scores)]
    counts = replace(_begin(judged).add(scored), unscored=int(judged.targets.sum()) - len(scored))
    return replace(judged, everywhere=counts)


def _begin(judged: Judged) -> ScoreCounts:
    scores = judged.score if judged.score is not None else np.empty(0)
    return ScoreCounts.begin(scores[judged.hit_entries()] if len(scores) else scores)
