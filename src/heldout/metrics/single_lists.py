"""Lists of one relevant item each: hundreds of thousands of them, of a few hundred kinds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heldout.metrics.list_subsets import of_lists
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64, Int64
from heldout.tables.memo import once

FEW = 2048
"""Lists up to which telling kinds apart would cost more than it saves."""


def of_kinds(judged: Judged, metric: Metric) -> bool:
    """Whether a metric's value of a list follows from the rank and grade of its one relevant item."""
    plain = judged.only is not None and not judged.expected and not judged.full
    return plain and metric.is_additive and metric.per_user and judged.relevance.utility is None


def kinds(judged: Judged) -> tuple[Int64, Int64]:
    """For each list its kind, and for each kind one list of it; a list that lacks its item has rank 0."""
    grades = once(judged.relevance, "grade codes", lambda: np.unique(judged.relevance.grade, return_inverse=True))
    rank = np.zeros(len(judged), dtype=np.int64)
    rank[judged.list_of] = judged.rank
    key = rank * len(grades[0]) + grades[1][judged.only]
    first = np.full(int(key.max(initial=0)) + 1, -1, dtype=np.int64)
    first[key[::-1]] = np.arange(len(key) - 1, -1, -1)
    met = first >= 0
    number = np.cumsum(met) - 1
    return number[key], first[met]


def means_of_kinds(judged: Judged, metrics: Sequence[Metric], weight: Float64) -> Float64:
    """Users × metrics: the (weighted) mean over each user's lists; each kind of list is measured once."""
    from heldout.kernels.lists import mean_of_kinds

    kind, examples = kinds(judged)
    few = of_lists(judged, examples)
    values = np.ascontiguousarray(np.stack([metric.measured(few) for metric in metrics], axis=1))
    shape = (len(judged.relevance), len(metrics))
    total, count = np.empty(shape), np.empty(shape)
    mean_of_kinds(judged.owner, kind, weight, values, total, count)
    return total
