"""What an aggregation is: the users' values made one number."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from heldout.aggregations.values import UserValues
from heldout.catalogue import Component
from heldout.errors import InputError, NotApplicableError
from heldout.tables.arrays import Float64

Comparison = Literal["means", "ranks"]


class UserWeight(NamedTuple):
    """What users are weighed by: a count that every study has, or a column of a table of users."""

    column: str
    table: str | None = None


class Aggregation(Component, kind="aggregation"):
    """Users → one number for each column."""

    compared_by: ClassVar[tuple[Comparison, ...]] = ("ranks",)
    """The tests that answer for it: of "means" (t, permutation), of "ranks" (wilcoxon, sign). Others refuse; empty when
    no test does."""
    weighable: ClassVar[bool] = False
    """Whether users may weigh differently."""
    is_mean: ClassVar[bool] = False
    """Whether it is inverse(mean of transform(x)), weighted or not, of each system by itself: then many metrics and pairs
    are aggregated and compared in one pass."""
    by_user: ClassVar[bool] = False
    """Whether it prepares the values of a user from those of the same user alone, so that users may come in blocks, and
    what it makes of them is a mean."""
    pools_ratios: ClassVar[bool] = False
    """Whether it adds up numerators and denominators of users: scores then keep the metrics' denominators."""

    @property
    def user_weight(self) -> UserWeight | None:
        """What users are weighed by; None where the aggregation names nothing."""
        return None

    def prepare(self, user_values: UserValues) -> UserValues:
        """What is averaged and compared, from the values of all systems: the values themselves unless overridden.

        An aggregation that weighs users, or looks at other systems, turns itself into a plainer one here: what comes back
        says in `by` which, and in `weights`, `values` or `totals` all that it needs.
        """
        return user_values

    @abstractmethod
    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """Aggregate the rows (users) of each column, NaN rows of a column left out; NaN when none is left.

        `weights` are given for lists averaged by rating: the number of lists each user stands for.
        """

    def transform(self, values: Float64) -> Float64:
        """The values on the scale on which their plain mean is compared (identity for the mean, ln(x+ε) for gmean)."""
        return values

    def inverse(self, values: Float64) -> Float64:
        """From that scale back: aggregate(x) = inverse(mean of transform(x)) where tests of means apply."""
        return values

    def weighs_users(self, *, by_rating: bool) -> bool:
        """Whether users weigh differently, given whether lists are averaged by rating."""
        return by_rating

    def refuse_weights(self, weights: Float64 | None) -> None:
        """Raise NotApplicableError if lists are averaged by rating, which weighs users."""
        if weights is not None:
            raise NotApplicableError(
                "takes no weights, and these lists are averaged by rating",
                where=str(self),
                hint="use mean, or average by user",
            )

    def source_digest(self) -> str:
        """sha256 of files that the aggregation itself reads; empty when it reads none."""
        return ""

    @property
    def has_interval(self) -> bool:
        """Whether a t interval of the mean on the scale of `transform` is an interval of the aggregated value."""
        return "means" in self.compared_by


class OfAllSystems(Aggregation):
    """An aggregation that looks at other systems too: it works on prepared values only."""

    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """Refused: a column alone says too little."""
        raise NotApplicableError(
            "compares all systems at once", where=self.key, hint="prepare the values of all systems first"
        )


def mean_of(values: Float64, weights: Float64 | None = None) -> Float64:
    """The (weighted) mean of each column without its NaN; NaN where nothing is left to average."""
    defined = ~np.isnan(values)
    if weights is None:
        total = np.where(defined, values, 0.0).sum(axis=0)
        weight = defined.sum(axis=0).astype(np.float64)
    else:
        check_weights(weights, len(values))
        each = np.where(defined, weights[:, None] if values.ndim == 2 else weights, 0.0)
        total = (np.where(defined, values, 0.0) * each).sum(axis=0)
        weight = each.sum(axis=0)
    mean: Float64 = np.divide(total, weight, out=np.full(np.shape(total), np.nan), where=weight > 0)
    return mean


def check_weights(weights: Float64, users: int) -> None:
    """Refuse weights that do not match the users or cannot weigh."""
    if weights.shape != (users,):
        raise InputError(found=weights.size, expected=f"one weight for each of {users} users")
    bad = np.flatnonzero(~(weights >= 0) | np.isinf(weights))
    if len(bad):
        raise InputError(f"the weight of user {bad[0]}", found=float(weights[bad[0]]), expected="a number of at least 0")
