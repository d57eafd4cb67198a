"""An undefined value counts as 0."""

from __future__ import annotations

import numpy as np

from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.tables.arrays import Float64


class UndefinedAsZero(UndefinedRule):
    """An undefined value counts as 0, as in trec_eval when it averages over all topics.

    Assumes: a user for whom nothing was relevant is a user not served; averages fall by the share of such users, alike
    for all systems.

    Example: 0.5, undefined, 1 average to 1.5 / 3 = 0.5.
    """

    key = "zero"
    as_zero = True

    def apply(self, values: Float64) -> Float64:
        """0 for NaN."""
        return np.where(np.isnan(values), 0.0, values)

    def phrase(self) -> str:
        return "users for whom a metric is undefined counted as 0, as in trec_eval"
