"""Pairs of systems compared under many metrics at once: differences, intervals, effect sizes and p-values as arrays.

A study compares batches of one metric and makes rows of them (`pairs.py`); a multiverse compares batches of all metrics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.moments import ONE_USER, effective_size, row_means
from heldout.catalogue.lookup import check_values
from heldout.significance.differences import checked_rows
from heldout.significance.effect import Effects, effects
from heldout.significance.group_sums import GroupSums, groups_needed, groups_of_users, sums_by_group
from heldout.significance.significance_test import Test
from heldout.significance.value_batch import ValueBatch
from heldout.tables.arrays import Bool, Float64, Int64

_VALUES_AT_ONCE = 1 << 23
Pairs = Sequence[tuple[int, int]]


def _rows_of(values: Float64) -> Float64:
    """A row for each system and metric."""
    systems, metrics, users = values.shape
    return values.reshape(systems * metrics, users)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairStatistics:
    """Metrics × pairs; differences are the first system less the second, over the users that both are averaged on."""

    users: Int64
    """Users compared."""
    testable: Bool
    """Whether these are two or more, and do not all stand on the weight of one."""
    value_a: Float64
    """Aggregated over these users; NaN when there is none."""
    value_b: Float64
    low: Float64
    """Lower end of the interval of the difference; NaN where the aggregation has none, or none is asked for."""
    high: Float64
    cohen_d: Float64
    greater: Int64
    """Users for whom the first system has the greater value."""
    equal: Int64
    less: Int64
    superiority: Float64
    p: dict[str, Float64]
    """By test; NaN where it does not answer."""
    figures: dict[str, dict[str, Float64]]
    """By test, further numbers by name."""
    tested_on: dict[str, Int64] = field(default_factory=dict)
    """By test of all systems at once, metrics × pairs: the users it was made on; 0 where it was not made."""

    @property
    def difference(self) -> Float64:
        """Differences of the aggregated values."""
        return self.value_a - self.value_b

    @classmethod
    def unknown(cls, metrics: int, pairs: int, tests: Sequence[Test]) -> PairStatistics:
        """Nothing compared yet."""
        shape = (metrics, pairs)
        reals = [np.full(shape, np.nan) for _ in range(6)]
        counts = [np.zeros(shape, dtype=np.int64) for _ in range(4)]
        return cls(
            users=counts[0],
            testable=np.zeros(shape, dtype=np.bool_),
            value_a=reals[0],
            value_b=reals[1],
            low=reals[2],
            high=reals[3],
            cohen_d=reals[4],
            greater=counts[1],
            equal=counts[2],
            less=counts[3],
            superiority=reals[5],
            p={str(test): np.full(shape, np.nan) for test in tests},
            figures={},
        )


@dataclass(frozen=True, eq=False)
class _Member:
    """Metrics and pairs of a batch that are compared on one set of users."""

    batch: int
    places: Int64
    pairs: Int64


def compare_batches(
    batches: Sequence[ValueBatch], pairs: Pairs, *, tests: Sequence[Test], seed: int, level: float | None = None
) -> list[PairStatistics]:
    """Compare pairs of systems in every batch. Without a level, neither intervals nor figures of tests are worked out.

    Pairs of any batch whose users and weights are the same are tested together, and share what a test draws at random.
    """
    statistics = [PairStatistics.unknown(batch.values.values.shape[1], len(pairs), tests) for batch in batches]
    columns: Int64 = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    for users, weights, members in _by_users(batches, columns):
        size = [len(member.places) * len(batches[member.batch].included) * int(users.sum()) for member in members]
        for part in _in_pieces(members, size):
            _compare(batches, statistics, columns, part, users, weights, tests, seed, level)
    for test in tests:
        if test.all_at_once:
            for batch, of_batch in zip(batches, statistics, strict=True):
                if not batch.refusal(test):
                    _compare_all_at_once(batch, of_batch, columns, test, seed)
    return statistics


def _by_users(batches: Sequence[ValueBatch], pairs: Int64) -> Iterator[tuple[Bool, Float64 | None, list[_Member]]]:
    """Sets of users with their weights, and the members compared on exactly these."""
    groups: dict[tuple[int, bytes, bytes], tuple[Bool, Float64 | None, list[_Member]]] = {}
    for number, batch in enumerate(batches):
        weighing = batch.weighing
        weighed = b"" if weighing is None else weighing.tobytes()
        for places, kept in batch.groups():
            # Systems mostly share their users: work with distinct masks, not with all pairs.
            first: dict[bytes, int] = {}
            mask_of = [first.setdefault(mask.tobytes(), k) for k, mask in enumerate(np.packbits(kept, axis=1))]
            by_masks: dict[tuple[int, int], list[int]] = {}
            for n, (a, b) in enumerate(pairs.tolist()):
                by_masks.setdefault((mask_of[a], mask_of[b]), []).append(n)
            in_group: dict[tuple[int, bytes, bytes], list[int]] = {}
            for (mask_a, mask_b), numbers in by_masks.items():
                users = kept[mask_a] & kept[mask_b]
                key = (len(users), np.packbits(users).tobytes(), weighed)
                if key not in groups:
                    groups[key] = (users, None if weighing is None else weighing[users], [])
                in_group.setdefault(key, []).extend(numbers)
            for key, numbers in in_group.items():
                groups[key][2].append(_Member(number, places, np.array(numbers, dtype=np.int64)))
    yield from groups.values()


def _in_pieces(members: list[_Member], sizes: list[int]) -> Iterator[list[_Member]]:
    """Members that together hold a bounded number of values."""
    piece: list[_Member] = []
    held = 0
    for member, size in zip(members, sizes, strict=True):
        if piece and held + size > _VALUES_AT_ONCE:
            yield piece
            piece, held = [], 0
        piece.append(member)
        held += size
    yield piece


def _compare(
    batches: Sequence[ValueBatch],
    statistics: Sequence[PairStatistics],
    pairs: Int64,
    members: Sequence[_Member],
    users: Bool,
    weights: Float64 | None,
    tests: Sequence[Test],
    seed: int,
    level: float | None,
) -> None:
    """Compare members on one set of users, and enter what comes of it."""
    n = int(users.sum())
    scaled = [batches[member.batch].tested(member.places, users) for member in members]
    rows = _rows_of(scaled[0]) if len(scaled) == 1 else np.concatenate([_rows_of(values) for values in scaled])
    columns, spans, start, first = [], [], 0, 0
    for member, values in zip(members, scaled, strict=True):
        metrics = values.shape[1]
        own = start + pairs[member.pairs][None] * metrics + np.arange(metrics)[:, None, None]
        columns.append(own.reshape(-1, 2))  # metric by metric, pair by pair
        spans.append(slice(first, first + len(columns[-1])))
        start, first = start + len(values) * metrics, first + len(columns[-1])
    compared: Int64 = np.concatenate(columns)
    sizes = effects(rows, compared, weights=weights)
    if n and not np.isfinite(sizes.difference).all():
        checked_rows(rows.T, compared)  # says which value it is
    testable = n >= 2 and (weights is None or effective_size(weights) > ONE_USER)
    middle = row_means(rows, weights)[compared].mean(axis=1) if level is not None and n else np.full(first, np.nan)
    low, high = sizes.interval(level) if level is not None else (middle, middle)
    entries = {name: getattr(sizes, name) for name in ("cohen_d", "superiority", "greater", "equal", "less")}
    for member, span in zip(members, spans, strict=True):
        batch, of_batch = batches[member.batch], statistics[member.batch]
        at = np.ix_(member.places, member.pairs)
        shape = (len(member.places), len(member.pairs))
        of_batch.users[at], of_batch.testable[at] = n, testable
        values = batch.aggregated(member.places, users).T
        of_batch.value_a[at], of_batch.value_b[at] = (values[:, pairs[member.pairs, side]] for side in (0, 1))
        for name, column in entries.items():
            getattr(of_batch, name)[at] = column[span].reshape(shape)
        if level is not None and batch.totals is None and batch.aggregation.has_interval:
            ends = scale_interval(batch.aggregation, middle[span], low[span], high[span])
            of_batch.low[at], of_batch.high[at] = (end.reshape(shape) for end in ends)
    sums: GroupSums | None = None
    for test in tests if testable else ():
        answering = [k for k, member in enumerate(members) if not batches[member.batch].refusal(test)]
        if test.all_at_once or not answering:
            continue
        answered = np.concatenate([np.arange(spans[k].start, spans[k].stop) for k in answering])
        if groups_needed(len(users)) and sums is None:
            sums = sums_by_group(rows, groups_of_users(batches[members[0].batch].user_groups, users), weights)
        p, figures = _tested(test, rows, compared, sizes, answered, seed, weights, sums, figures=level is not None)
        for k in answering:
            member, of_batch = members[k], statistics[members[k].batch]
            at, shape = np.ix_(member.places, member.pairs), (len(member.places), len(member.pairs))
            of_batch.p[str(test)][at] = p[spans[k]].reshape(shape)
            for name, column in figures.items():
                unknown = np.full(of_batch.users.shape, np.nan)
                of_test = of_batch.figures.setdefault(str(test), {}).setdefault(name, unknown)
                of_test[at] = column[spans[k]].reshape(shape)


def _tested(
    test: Test,
    rows: Float64,
    columns: Int64,
    sizes: Effects,
    answered: Int64,
    seed: int,
    weights: Float64 | None,
    sums: GroupSums | None,
    *,
    figures: bool,
) -> tuple[Float64, dict[str, Float64]]:
    """p of every pair of rows, and figures by name; NaN for those that the test does not answer for."""
    p = np.full(len(columns), np.nan)
    of_effects = test.p_of_effects(sizes)
    of_groups = None if sums is None else test.p_of_groups(sums, columns[answered], seed=seed)
    # Only a weighable test need know of weights.
    weighed = {} if weights is None else {"weights": weights}
    if of_effects is not None:
        p[answered] = of_effects[answered]
    elif of_groups is not None:
        p[answered] = of_groups
    elif test.has_p:
        tested = test.p_values(rows.T, columns[answered], seed=seed, **weighed)
        check_values(test, tested, (len(answered),), "one for each pair")
        p[answered] = tested
    by_name: dict[str, Float64] = {}
    for name, column in test.figures(rows.T, columns[answered], seed=seed, **weighed).items() if figures else ():
        by_name[name] = np.full(len(columns), np.nan)
        by_name[name][answered] = column
    return p, by_name


def scale_interval(aggregation: Aggregation, middle: Float64, low: Float64, high: Float64) -> tuple[Float64, Float64]:
    """The interval of the mean difference, from the scale tested to that of the values.

    About the midpoint m of both means, a difference δ on the tested scale is inverse(m + δ/2) − inverse(m − δ/2) on that
    of the values: the observed difference maps to itself, 0 to 0, and swapping a and b swaps the ends.
    """
    low, high = (aggregation.inverse(middle + end / 2) - aggregation.inverse(middle - end / 2) for end in (low, high))
    return low, high


def common_columns(batch: ValueBatch, metric: int) -> Float64:
    """Users × systems on the scale that is tested, of the users that every system is averaged on."""
    users = np.logical_and.reduce(batch.included & ~batch.values.lacking[:, metric])
    return batch.tested(np.array([metric]), users)[:, 0].T


def _compare_all_at_once(batch: ValueBatch, of_batch: PairStatistics, pairs: Int64, test: Test, seed: int) -> None:
    """Enter the p of a test that takes all systems of a metric together."""
    for metric in range(batch.values.values.shape[1]):
        columns = common_columns(batch, metric)
        if min(columns.shape) >= 2 and len(pairs):
            of_batch.p[str(test)][metric] = test.p_values(columns, pairs, seed=seed)
            of_batch.tested_on.setdefault(str(test), np.zeros(of_batch.users.shape, dtype=np.int64))[metric] = len(columns)
