"""Ratios of sums over all users."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.aggregations.aggregation import Aggregation, mean_of
from heldout.aggregations.mean import PLAIN
from heldout.aggregations.values import UserValues
from heldout.errors import NotApplicableError
from heldout.tables.arrays import Float64


class Pooled(Aggregation):
    """The ratio of sums: users' numerators added up, divided by their denominators added up.

    Formula: Σ_u a_u / Σ_u b_u for a metric x_u = a_u / b_u; √(Σ_u e_u / Σ_u n_u) for RMSE; over lists of one relevant item
    each, the mean over lists.

    Assumes: a metric that is a ratio of sums (half-life utility, recall, rating error; others refuse), so that users with
    many ratings count for more. Differences are tested on users' contributions a_u, never on ratings. A user whose value is
    undefined has neither part.

    Example: recall of 1 out of 2 and of 3 out of 8 relevant items: (1 + 3) / (2 + 8) = 0.4, where the mean gives 0.4375.
    """

    key = "pooled"
    formula = "Σ_u a_u / Σ_u b_u"
    references = ("breese1998", "gunawardana2009")
    compared_by = ("means", "ranks")
    weighable = True
    by_user = True
    pools_ratios = True

    def prepare(self, user_values: UserValues) -> UserValues:
        """Users weighed by the metric's denominators, their contributions compared."""
        if user_values.denominator is None:
            if user_values.weights is not None:  # lists averaged by rating: each list is one term
                return replace(user_values, by=PLAIN, contributions=True)
            raise NotApplicableError(
                "this metric is not a ratio of sums", where=str(self), hint="use mean for it, or pool another metric"
            )
        by = RootMean() if user_values.pool == "square" else PLAIN
        divided = np.broadcast_to(user_values.denominator, user_values.values.shape)
        divided = np.where(np.isnan(divided), 0.0, divided)
        if (divided == divided[:1]).all():
            return replace(user_values, by=by, weights=divided[0].copy(), contributions=True)
        # Each system divides by what it predicted itself, so that users weigh by system.
        return replace(user_values, by=by, weights=divided.copy(), contributions=True)

    def weighs_users(self, *, by_rating: bool) -> bool:
        """Never: contributions are compared, each user's once."""
        return False

    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """The mean weighted by denominators."""
        if weights is None:
            raise NotApplicableError(
                "the metric's denominators are missing", where=str(self), hint="prepare the values of all systems first"
            )
        return mean_of(values, weights)


class RootMean(Aggregation):
    """The root of the (weighted) mean of squares: what pooling makes of a root mean square; not named by users."""

    compared_by = ("means", "ranks")
    weighable = True
    is_mean = True

    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """√(mean of x²) of each column."""
        return self.inverse(mean_of(self.transform(values), weights))

    def transform(self, values: Float64) -> Float64:
        """x²."""
        squares: Float64 = np.square(values)
        return squares

    def inverse(self, values: Float64) -> Float64:
        """√y; an end of an interval below 0 is 0."""
        root: Float64 = np.sqrt(np.maximum(values, 0.0))
        return root
