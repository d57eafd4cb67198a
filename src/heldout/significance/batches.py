"""Pairs of systems compared under many metrics at once: differences, intervals, effect sizes and p-values as arrays.

A study compares batches of one metric and makes rows of them (`pairs.py`); a multiverse compares batches of all metrics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.moments import ONE_USER, Moments, effective_size, join, merge, moments, row_means, stacked
from heldout.aggregations.values import weights_of
from heldout.catalogue.lookup import check_values
from heldout.significance.differences import checked_rows
from heldout.significance.effect import Effects, effects, join_effects, merge_effects
from heldout.significance.group_sums import GroupSums, groups_of_users
from heldout.significance.significance_test import Test
from heldout.significance.value_batch import ValueBatch
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.blocks import is_large

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

    def column(self, test: str, name: str) -> Float64:
        """The p of a test, which has no name, or one of its figures; NaN where nothing was entered yet."""
        if not name:
            return self.p[test]
        return self.figures.setdefault(test, {}).setdefault(name, np.full(self.users.shape, np.nan))

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
    at_once = {number: batch for number, batch in enumerate(batches) if not batch.in_blocks}
    for users, weights, members in _by_users(at_once, columns):
        size = [len(member.places) * len(batches[member.batch].included) * int(users.sum()) for member in members]
        for part in _in_pieces(members, size):
            _compare(batches, statistics, columns, part, users, weights, tests, seed, level)
    for batch, of_batch in zip(batches, statistics, strict=True):
        if batch.in_blocks:
            _compare_in_blocks(batch, of_batch, columns, tests, seed, level)
        for test in tests:
            if test.all_at_once and not batch.refusal(test):
                _compare_all_at_once(batch.whole(), of_batch, columns, test, seed)
    return statistics


def _by_users(batches: Mapping[int, ValueBatch], pairs: Int64) -> Iterator[tuple[Bool, Float64 | None, list[_Member]]]:
    """Sets of users with their weights, and the members compared on exactly these; batches by their number."""
    groups: dict[tuple[int, bytes, bytes], tuple[Bool, Float64 | None, list[_Member]]] = {}
    for number, batch in batches.items():
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
    sizes = _checked_effects(rows, compared, weights)
    testable = n >= 2 and (weights is None or effective_size(weights) > ONE_USER)
    middle = row_means(rows, weights)[compared].mean(axis=1) if level is not None and n else np.full(first, np.nan)
    for member, span in zip(members, spans, strict=True):
        batch, of_batch = batches[member.batch], statistics[member.batch]
        at = np.ix_(member.places, member.pairs)
        of_batch.users[at], of_batch.testable[at] = n, testable
        values = batch.aggregated(member.places, users).T
        of_batch.value_a[at], of_batch.value_b[at] = (values[:, pairs[member.pairs, side]] for side in (0, 1))
        _enter(of_batch, at, batch, sizes.of_pairs(span), middle[span], level)
    sums: GroupSums | None = None
    for test in tests if testable else ():
        answering = [k for k, member in enumerate(members) if not batches[member.batch].refusal(test)]
        if test.all_at_once or not answering:
            continue
        answered = np.concatenate([np.arange(spans[k].start, spans[k].stop) for k in answering])
        of_sums = test.p_of_effects(sizes.of_pairs(answered))
        if of_sums is None and test.by_groups and is_large(len(users)):
            if sums is None:
                sums = GroupSums.empty(len(compared))
                sums.add(rows, compared, groups_of_users(batches[members[0].batch].user_groups, users), weights)
            of_sums = sums.of_pairs(answered).p_values(test, seed=seed)
        columns_of_p = _tested(test, rows, compared[answered], of_sums, seed, weights, figures=level is not None)
        for name, column in columns_of_p.items():
            of_test = np.full(len(compared), np.nan)
            of_test[answered] = column
            for k in answering:
                member, of_batch = members[k], statistics[members[k].batch]
                shape = (len(member.places), len(member.pairs))
                of_batch.column(str(test), name)[np.ix_(member.places, member.pairs)] = of_test[spans[k]].reshape(shape)


def _checked_effects(rows: Float64, pairs: Int64, weights: Float64 | None) -> Effects:
    """The effects of pairs of rows; InputError names a value that is not finite."""
    sizes = effects(rows, pairs, weights=weights)
    if sizes.moments.weight > 0 and not np.isfinite(sizes.difference).all():
        checked_rows(rows.T, pairs)
    return sizes


def _enter(
    of_batch: PairStatistics,
    at: tuple[Any, ...],
    batch: ValueBatch,
    sizes: Effects,
    middle: Float64,
    level: float | None,
) -> None:
    """Enter effects and, if a level is asked for, intervals; `middle` is the mean of both systems on the tested scale."""
    shape = of_batch.users[at].shape
    for name in ("cohen_d", "superiority", "greater", "equal", "less"):
        getattr(of_batch, name)[at] = getattr(sizes, name).reshape(shape)
    if level is not None and batch.totals is None and batch.aggregation.has_interval:
        ends = scale_interval(batch.aggregation, middle, *sizes.interval(level))
        of_batch.low[at], of_batch.high[at] = (end.reshape(shape) for end in ends)


def _tested(
    test: Test,
    rows: Float64,
    pairs: Int64,
    p: Float64 | None,
    seed: int,
    weights: Float64 | None,
    *,
    figures: bool,
) -> dict[str, Float64]:
    """By name, p of every pair of rows under "" (`p` if it is known already), and the test's figures."""
    # Only a weighable test need know of weights.
    weighed = {} if weights is None else {"weights": weights}
    columns: dict[str, Float64] = {}
    if p is None and test.has_p:
        p = test.p_values(rows.T, pairs, seed=seed, **weighed)
        check_values(test, p, (len(pairs),), "one for each pair")
    if p is not None:
        columns[""] = p
    return {**columns, **(test.figures(rows.T, pairs, seed=seed, **weighed) if figures else {})}


def _compare_in_blocks(
    batch: ValueBatch,
    of_batch: PairStatistics,
    pairs: Int64,
    tests: Sequence[Test],
    seed: int,
    level: float | None,
) -> None:
    """Compare systems by what blocks of users add up to; tests that need the values of all users are given them."""
    answering = [test for test in tests if not test.all_at_once and not batch.refusal(test)]
    for metric in range(len(of_batch.users)):
        groups = GroupSums.empty(len(pairs)) if any(test.by_groups for test in answering) else None
        blocks = [_block_effects(block.of_metric(metric), pairs, groups) for block in batch.blocks()]
        sizes = merge_effects([block[0] for block in blocks])
        a, b = merge([block[1] for block in blocks]), merge([block[2] for block in blocks])
        users = sizes.greater + sizes.equal + sizes.less
        if batch.contributions and batch.weights is not None:
            # Contributions are brought to the scale of the ratio of sums, as in `ValueBatch.tested`.
            scale = np.divide(users, a.weight, out=np.zeros(len(pairs)), where=a.weight > 0)
            sizes = replace(sizes, moments=sizes.moments.times(scale))
        testable = (users >= 2) & (sizes.moments.size > 1)
        at = (metric, np.arange(len(pairs)))
        of_batch.users[at], of_batch.testable[at] = users, testable
        of_batch.value_a[at], of_batch.value_b[at] = (batch.aggregation.inverse(side.mean) for side in (a, b))
        _enter(of_batch, at, batch, sizes, (a.mean + b.mean) / 2, level)
        for test in answering if testable.any() else ():
            p = test.p_of_effects(sizes)
            if p is None and groups is not None and test.by_groups:
                p = groups.p_values(test, seed=seed)
            if p is None or (level is not None and type(test).figures is not Test.figures):
                _test_values(batch.whole().of_metric(metric), of_batch, metric, pairs, test, p, seed, level)
            else:
                of_batch.p[str(test)][at] = np.where(testable, p, np.nan)


def _block_effects(block: ValueBatch, pairs: Int64, groups: GroupSums | None) -> tuple[Effects, Moments, Moments]:
    """Of one metric of a block, by pair: effects, and the values of both systems on the users that have both.

    `groups` gets the sums of the groups of these users.
    """
    order, sizes, values = [], [], []
    for users, weights, (member,) in _by_users({0: block}, pairs):
        scaled, own = block.scaled(member.places, users)[:, 0], pairs[member.pairs]
        rows = scaled * block.weights[users] if block.contributions and block.weights is not None else scaled
        sizes.append(_checked_effects(rows, own, weights))
        of_systems = stacked([moments(row, weights_of(block.weights, k, users)) for k, row in enumerate(scaled)])
        values.append([of_systems.of_rows(own[:, side]) for side in (0, 1)])
        order.append(member.pairs)
        if groups is not None:
            groups.add(rows, own, groups_of_users(block.user_groups, users), weights, places=member.pairs)
    back = np.argsort(np.concatenate(order))
    a, b = (join([sides[side] for sides in values]).of_rows(back) for side in (0, 1))
    return join_effects(sizes).of_pairs(back), a, b


def _test_values(
    batch: ValueBatch,
    of_batch: PairStatistics,
    metric: int,
    pairs: Int64,
    test: Test,
    p: Float64 | None,
    seed: int,
    level: float | None,
) -> None:
    """Enter what a test says that is made on the values of all users."""
    for users, weights, (member,) in _by_users({0: batch}, pairs):
        own = member.pairs[of_batch.testable[metric, member.pairs]]
        if len(own):
            rows, known = _rows_of(batch.tested(member.places, users)), None if p is None else p[own]
            for name, column in _tested(test, rows, pairs[own], known, seed, weights, figures=level is not None).items():
                of_batch.column(str(test), name)[metric, own] = column


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
