"""The mean over users, plain or weighted."""

from __future__ import annotations

from dataclasses import replace

from heldout.aggregations.aggregation import Aggregation, UserWeight, check_weights, mean_of
from heldout.aggregations.values import UserValues
from heldout.catalogue import param
from heldout.data.sources import file_digest
from heldout.errors import NotApplicableError, SpecError
from heldout.tables.arrays import Float64

COUNTED = ("test", "relevant", "train")
"""Weights that every study knows: the user's ratings in test, the relevant ones of these, the ratings in train."""


class Mean(Aggregation):
    """The arithmetic mean over users, each counting alike or by a weight.

    Formula: Σ_u w_u x_u / Σ_u w_u, with w = 1 unless a weight is named.

    Assumes: without `weight` every user counts alike, except where lists are averaged by rating; then a user weighs as
    many lists as they have. `weight=test`, `relevant` or `train` counts the user's ratings there, summed over folds (train:
    averaged); any other name is a column of `table`. Weights are at least 0. Differences of weighted means are tested by t
    and permutation, with (Σw)² / Σw² effective users.

    Example: 0.2, 0.4 and 0.9 give 0.5; with weights 1, 1 and 2 they give (0.2 + 0.4 + 1.8) / 4 = 0.6.
    """

    key = "mean"
    formula = "Σ_u w_u x_u / Σ_u w_u, w = 1 unless a weight is named"
    references = ("canamares2020", "steck2013", "kish1965")
    compared_by = ("means", "ranks")
    weighable = True
    is_mean = True
    by_user = True

    weight: str | None = param(None, "what users are weighed by: test, relevant, train, or a column of `table`")
    table: str | None = param(None, "file with a column user_id and the column that weighs (CSV, TSV, Parquet)")

    def check(self) -> None:
        if self.table is not None and (self.weight is None or self.weight in COUNTED):
            raise SpecError(
                "needs 'weight', a column of this table",
                where="mean: 'table'",
                found=self.table,
                hint='such as mean(income, "users.csv")',
            )
        if self.weight is not None and self.weight not in COUNTED and self.table is None:
            raise SpecError(
                where="mean: 'weight'",
                found=self.weight,
                expected=f"one of {', '.join(COUNTED)}",
                hint=f'name the file that has such a column: mean({self.weight}, table="users.csv")',
            )

    @property
    def user_weight(self) -> UserWeight | None:
        """The named weight."""
        return None if self.weight is None else UserWeight(self.weight, self.table)

    def prepare(self, user_values: UserValues) -> UserValues:
        """The same values with the users' weights."""
        if self.weight is None:
            return user_values
        if user_values.weights is not None:
            raise NotApplicableError(
                "these lists are averaged by rating, which weighs users already",
                where=str(self),
                hint="use mean, or average by user",
            )
        weights = user_values.weighed_by(self.weight)
        check_weights(weights, user_values.values.shape[1])
        if not weights.any():
            raise NotApplicableError("no user has any weight", where=str(self))
        return replace(user_values, by=PLAIN, weights=weights)

    def source_digest(self) -> str:
        """That of the table of users, where weights come from one."""
        return "" if self.table is None else file_digest(self.table)

    def weighs_users(self, *, by_rating: bool) -> bool:
        """Where a weight is named."""
        return by_rating or self.weight is not None

    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """The mean of each column."""
        if self.weight is not None and weights is None:
            raise NotApplicableError(
                "the weights of users are missing", where=str(self), hint="prepare the values of all systems first"
            )
        return mean_of(values, weights)

    def phrase(self) -> str:
        if self.weight is None:
            return "the arithmetic mean over users"
        counted = {"test": "test ratings", "relevant": "relevant test ratings", "train": "training ratings"}
        by = f"their number of {counted[self.weight]}" if self.weight in counted else self.weight
        return f"the mean over users weighted by {by}"


PLAIN = Mean(None, None)
"""The mean in which every user counts alike, or by the weights that are given with the values."""
