"""Values of some metrics of all systems, as rules left them: aggregated with their intervals, and ready to be compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import polars as pl

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.moments import Moments, merge, moments, row_means
from heldout.aggregations.values import UserValues, weights_of
from heldout.errors import HeldoutError
from heldout.significance.significance_test import Test
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.blocks import block_slices, is_large
from heldout.tables.id_hash import groups_of, hash_ids


class ScaledValues:
    """Values of some metrics, and the same on the scales on which aggregations average them, each worked out once."""

    def __init__(self, values: Float64) -> None:
        """`values` are systems × metrics × users; NaN is a user to skip."""
        self.values = values
        self._scaled: dict[Aggregation, Float64] = {}

    @cached_property
    def lacking(self) -> Bool:
        """Systems × metrics × users: whom to skip."""
        return np.isnan(self.values)

    @cached_property
    def complete(self) -> bool:
        """Whether there is nobody to skip."""
        return not self.lacking.any()

    def filled(self) -> Float64:
        """The values with 0 for a user to skip."""
        return self.values if self.complete else np.where(self.lacking, 0.0, self.values)

    def scaled(self, aggregation: Aggregation) -> Float64:
        """The values on the scale of an aggregation, a user to skip at that of 0."""
        if aggregation not in self._scaled:
            self._scaled[aggregation] = aggregation.transform(self.filled())
        return self._scaled[aggregation]

    def of_rows(self, rows: slice) -> ScaledValues:
        """The values of some users."""
        return ScaledValues(self.values[:, :, rows])

    def groups(self) -> list[tuple[Int64, Bool]]:
        """Metrics that skip the same users: their places, and systems × users who have a value."""
        systems, metrics, users = self.values.shape
        if self.complete:
            return [(np.arange(metrics), np.ones((systems, users), dtype=np.bool_))]
        places: dict[bytes, list[int]] = {}
        packed = np.packbits(self.lacking, axis=2)
        for m in range(metrics):
            places.setdefault(packed[:, m].tobytes(), []).append(m)
        return [(np.array(alike, dtype=np.int64), ~self.lacking[:, alike[0]]) for alike in places.values()]


class StoredValues(Protocol):
    """Values of one metric that are not in memory."""

    def blocks(self) -> Iterator[ValueBatch]:
        """The blocks of users, read one after the other."""
        ...

    def whole(self) -> ValueBatch:
        """The values of all users."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class ValueBatch:
    """Some metrics of all systems under one aggregation, as the rules left them."""

    name: str
    """What error messages call it."""
    values: ScaledValues
    included: Bool
    """Systems × users: whom the coverage rule averages."""
    aggregation: Aggregation
    weights: Float64 | None = None
    """One number per user, where users weigh differently; with `contributions` it may be systems × users."""
    contributions: bool = False
    """Whether weights multiply what is tested (a ratio of sums) instead of weighing the users."""
    higher_is_better: bool = True
    """Of a single metric, whether higher values are better."""
    totals: Float64 | None = None
    """The aggregated value of each system, where it is not of the system's row alone."""
    user_groups: Int64 | None = None
    """The group of each user by the hash of their id, where there are more users than groups; by their places if None."""
    stored: StoredValues | None = None
    """Where the values are, if they are not in memory; there are no users here then."""
    _last: dict[tuple[bytes, bytes], Float64] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, name: str, values: UserValues, user_groups: Int64 | None = None, stored: StoredValues | None = None
    ) -> ValueBatch:
        """One metric, from values that an aggregation prepared."""
        return cls(
            name=name,
            values=ScaledValues(values.values[:, None]),
            included=values.included,
            aggregation=values.by,
            weights=values.weights,
            contributions=values.contributions,
            higher_is_better=values.higher_is_better,
            totals=values.totals,
            user_groups=user_groups,
            stored=stored,
        )

    @property
    def weighing(self) -> Float64 | None:
        """The weights that a test must know of."""
        return None if self.contributions else self.weights

    def refusal(self, test: Test) -> str:
        """Why a test does not answer for this batch; empty when it does."""
        return test.refusal(self.aggregation, weighted=self.weighing is not None)

    @property
    def adds_up(self) -> bool:
        """True if numbers and differences follow from sums over blocks of users."""
        return self.aggregation.is_mean and self.totals is None and (self.weights is None or self.weights.ndim == 1)

    @property
    def in_blocks(self) -> bool:
        """True if there are several blocks of users, each of which is added up by itself."""
        return self.adds_up and (self.stored is not None or is_large(self.included.shape[1]))

    def blocks(self) -> Iterator[ValueBatch]:
        """The blocks of users, in order."""
        users = self.included.shape[1]
        if self.stored is not None:
            yield from self.stored.blocks()
        elif not is_large(users):
            yield self
        else:
            yield from map(self._of_rows, block_slices(users))

    def _of_rows(self, rows: slice) -> ValueBatch:
        places = np.arange(rows.start, rows.stop)
        return replace(
            self,
            values=self.values.of_rows(rows),
            included=self.included[:, rows],
            weights=None if self.weights is None else self.weights[..., rows],
            user_groups=groups_of(hash_ids(pl.Series(places))) if self.user_groups is None else self.user_groups[rows],
            _last={},
        )

    def of_metric(self, metric: int) -> ValueBatch:
        """One of the metrics."""
        if self.values.values.shape[1] == 1:
            return self
        return replace(self, values=ScaledValues(self.values.values[:, metric : metric + 1]), _last={})

    def whole(self) -> ValueBatch:
        """The values of all users, in memory."""
        return self if self.stored is None else self.stored.whole()

    def groups(self) -> Iterator[tuple[Int64, Bool]]:
        """Metrics averaged on the same users: their places, and systems × users whom they are averaged on."""
        for places, defined in self.values.groups():
            yield places, self.included & defined

    def system_values(self) -> Float64:
        """Metrics × systems: the number of each system over the users that it is averaged on; NaN without any."""
        systems, metrics, _ = self.values.values.shape
        numbers = np.full((metrics, systems), np.nan)
        if self.totals is not None:
            numbers[:] = self.totals
            return numbers
        if self.in_blocks:
            return self.aggregation.inverse(self._system_moments().mean)
        for places, kept in self.groups():
            for k in range(systems):
                if kept[k].any():
                    numbers[places, k] = self._aggregated(k, places, kept[k])
        return numbers

    def system_intervals(self, level: float) -> tuple[Float64, Float64]:
        """Metrics × systems: the ends of the interval of each system's number; NaN where the aggregation has none.

        It is the t interval of the mean on the aggregation's scale, mapped back, as of `heldout.aggregations.tally`.
        """
        if self.totals is not None or not self.aggregation.has_interval:
            systems, metrics, _ = self.values.values.shape
            return np.full((metrics, systems), np.nan), np.full((metrics, systems), np.nan)
        low, high = (self.aggregation.inverse(end) for end in self._system_moments().interval(level))
        return low, high

    def _system_moments(self) -> Moments:
        """Metrics × systems: the moments of each system's values on the scale that is averaged."""
        systems, metrics, _ = self.values.values.shape
        of_blocks = []
        for block in self.blocks():
            numbers = np.full((4, metrics, systems), np.nan)
            numbers[2:] = 0.0
            for places, kept in block.groups():
                for k in range(systems):
                    own = moments(block.scaled(places, kept[k])[k], weights_of(block.weights, k, kept[k]))
                    numbers[:2, places, k] = own.mean, own.variance
                    numbers[2:, places, k] = np.array([[own.weight], [own.square]])
            mean, variance, weight, square = numbers
            of_blocks.append(Moments(mean=mean, variance=variance, weight=weight, square=square))
        return merge(of_blocks)

    def tested(self, places: Int64, users: Bool) -> Float64:
        """Systems × metrics × users on the scale that is tested."""
        try:
            scaled = self.scaled(places, users)
        except HeldoutError as error:
            raise error.within(self.name) from None
        if self.contributions and self.weights is not None:
            weights = np.atleast_2d(self.weights)[:, None, users]
            total = weights.sum(axis=2, keepdims=True)
            scaled = scaled * np.divide(weights * users.sum(), total, out=np.zeros_like(weights), where=total > 0)
        return scaled

    def aggregated(self, places: Int64, users: Bool) -> Float64:
        """Systems × metrics: the value of each system over these users."""
        if self.totals is not None:
            return np.repeat(self.totals[:, None], len(places), axis=1)
        if not users.any():
            return np.full((len(self.included), len(places)), np.nan)
        return np.stack([self._aggregated(k, places, users) for k in range(len(self.included))])

    def _aggregated(self, system: int, places: Int64, users: Bool) -> Float64:
        """By metric, the value of one system; of a mean, that of the scaled values, mapped back."""
        by, weights = self.aggregation, weights_of(self.weights, system, users)
        if by.is_mean:
            return by.inverse(row_means(self.scaled(places, users)[system], weights))
        return by.aggregate(_taken(self.values.filled()[system : system + 1], places, users)[0].T, weights)

    def scaled(self, places: Int64, users: Bool) -> Float64:
        """Systems × metrics × users on the aggregation's scale; what was taken last is kept, as it is asked for again."""
        key = (places.tobytes(), users.tobytes())
        if key not in self._last:
            self._last.clear()
            self._last[key] = _taken(self.values.scaled(self.aggregation), places, users)
        return self._last[key]


def _taken(values: Float64, places: Int64, users: Bool) -> Float64:
    """Some metrics of some users, contiguous; without a copy where these are all."""
    taken = values if len(places) == values.shape[1] else values[:, places]
    return np.ascontiguousarray(taken if users.all() else taken[:, :, users])
