"""Which aggregations apply to which metrics: tried on a few users before anything is fitted."""

from __future__ import annotations

import numpy as np

from heldout.aggregate.aggregation import Aggregation
from heldout.aggregate.mean import Mean
from heldout.aggregate.values import UserValues
from heldout.errors import NotApplicableError
from heldout.measure.metric import Metric
from heldout.study.spec import Study
from heldout.target.target import Target

_LOWEST = -1e6
"""What stands for values without a lower bound."""


def aggregates(study: Study, aggregate: Aggregation, metric: Metric, target: Target) -> bool:
    """Whether an aggregation has a value of a metric's under a target; SpecError where it lacks a baseline or the like.

    Assumes: an aggregation that takes the least values a metric may have, and weights where lists are averaged by rating,
    takes all. zrisk of a rank correlation, the least of which is −1: no; the median of lists averaged by rating: no.
    """
    if isinstance(aggregate, Mean) and aggregate.weight is not None:
        return not target.by_rating
    if aggregate.key == "pooled":
        return bool(metric.pooling) or target.single
    systems = tuple(s.name for s in study.recommend)
    low = max(metric.range[0], _LOWEST)
    few = np.linspace(low, min(metric.range[1], low + 1.0), len(systems) + 1)
    tried = UserValues(
        systems,
        np.stack([np.roll(few, k) for k in range(len(systems))]),
        np.ones((len(systems), len(few)), dtype=np.bool_),
        aggregate,
        np.ones(len(few)) if target.by_rating else None,
        baseline=study.compare.baseline,
        higher_is_better=metric.direction == "higher",
    )
    try:
        made = aggregate.prepare(tried)
        if made.totals is None:
            made.by.aggregate(made.values.T, made.weights)
    except NotApplicableError:
        return False
    return True


def weighs_relevant(aggregate: Aggregation | None) -> bool:
    """Whether users weigh by their relevant ratings: then the rule of relevance tells even where a metric does not ask."""
    return isinstance(aggregate, Mean) and aggregate.weight == "relevant"
