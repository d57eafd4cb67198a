"""The median over users."""

from __future__ import annotations

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.tables.arrays import Float64


class Median(Aggregation):
    """The median over users: half of them are served at least this well.

    Assumes: users weigh alike; of an even number of users the two middle values are averaged. Differences are tested by
    `sign` or `wilcoxon`, which are about ranks; tests of means refuse.

    Example: 0, 0.1 and 0.8 give 0.1; 0, 0.1, 0.3 and 0.8 give (0.1 + 0.3) / 2 = 0.2.
    """

    key = "median"

    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """The median of each column."""
        self.refuse_weights(weights)
        ordered = np.sort(values, axis=0)  # NaN come last
        n = (~np.isnan(values)).sum(axis=0)
        if len(ordered) == 0:
            return np.full(values.shape[1:], np.nan)
        low = np.take_along_axis(ordered, np.expand_dims(np.maximum(n - 1, 0) // 2, 0), axis=0)[0]
        high = np.take_along_axis(ordered, np.expand_dims(np.minimum(n // 2, len(ordered) - 1), 0), axis=0)[0]
        middle: Float64 = np.where(n > 0, low / 2 + high / 2, np.nan)
        return middle

    def phrase(self) -> str:
        return "the median over users"
