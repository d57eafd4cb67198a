"""The trimmed mean over users."""

from __future__ import annotations

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.catalogue import param
from heldout.tables.arrays import Float64


class TrimmedMean(Aggregation):
    """The mean of the users left when a share of the best and the same share of the worst served are put aside.

    Assumes: users weigh alike; ⌊share · n⌋ users are cut at *each* end. Differences are tested by `sign` or `wilcoxon`.

    Example: with share = 0.25, the values 0, 0.2, 0.4 and 1 lose 0 and 1 and give 0.3.
    """

    key = "trimmed"
    formula = "mean of x_(g+1) … x_(n−g), g = ⌊share·n⌋"
    share: float = param(0.1, "share of users cut at each end", least=0.0, below=0.5, also=("proportion",))

    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """The trimmed mean of each column."""
        self.refuse_weights(weights)
        ordered = np.sort(values, axis=0)  # NaN come last
        n = (~np.isnan(values)).sum(axis=0)
        cut = np.floor(self.share * n).astype(np.int64)
        place = np.arange(len(ordered)).reshape(-1, *[1] * (values.ndim - 1))
        total = np.where((place >= cut) & (place < n - cut), ordered, 0.0).sum(axis=0)
        left = n - 2 * cut
        mean: Float64 = np.divide(total, left, out=np.full(np.shape(total), np.nan), where=left > 0)
        return mean
