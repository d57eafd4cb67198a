"""What every universe of one way of judging says of the systems: values, differences, p-values and winners, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.analysis.served_users import ENOUGH
from heldout.significance.pairs import system_pairs
from heldout.significance.significance_test import Test
from heldout.study.spec import Study
from heldout.tables import ProtocolKey
from heldout.tables.arrays import Bool, Float64, Int8
from heldout.targets.target import Target
from heldout.universes.compute.any_aggregation import general_statistics
from heldout.universes.compute.block import Block
from heldout.universes.compute.columns import Columns, ruled
from heldout.universes.compute.means import Statistics, statistics_of
from heldout.universes.grid.layout import UniverseLayout


@dataclass(frozen=True, eq=False)
class Verdicts:
    """One entry per universe of a layout: `values` is × systems, the others × pairs; oriented as in `Universes`."""

    higher: Bool
    values: Float64
    difference: Float64
    effect: Float64
    d: Float64
    p: Float64
    p_adjusted: Float64
    winner: Int8
    served: Float64


def is_fast(aggregation: Aggregation) -> bool:
    """Whether an aggregation is a mean on some scale, so that all metrics and weightings are compared in one pass."""
    return aggregation.is_mean


def verdicts(study: Study, block: Block, target: Target, protocol: ProtocolKey, found: UniverseLayout) -> Verdicts:
    """The verdicts of all universes in a layout."""
    pairs = system_pairs(block.systems, study.compare.baseline)
    tests = study.compare.tests
    n, shape = len(found), (len(found), len(pairs))
    higher = np.array([m.direction == "higher" for m in block.metrics], dtype=np.bool_)[found.metric]
    values = np.full((n, len(block.systems)), np.nan)
    difference, d, p, favoured = (np.full(shape, np.nan) for _ in range(4))
    both = np.full(shape, np.nan)

    def fill(rows: Bool, made: Statistics, metrics: Sequence[int], aggregate: int) -> None:
        """Enter what was found of some metrics under an aggregation, for all its tests."""
        at = np.flatnonzero(rows & (found.aggregate == aggregate) & np.isin(found.metric, metrics))
        if len(at) == 0:
            return
        place = np.searchsorted(np.asarray(metrics), found.metric[at])
        values[at] = made.values[place]
        if made.higher is not None:
            higher[at] = made.higher[place]
        difference[at], d[at], both[at] = made.difference[place], made.d[place], made.magnitude[place]
        for number, (of_test, direction) in made.tests.items():
            tested = found.test[at] == number
            p[at[tested]], favoured[at[tested]] = of_test[place[tested]], direction[place[tested]]

    known: dict[tuple[int, tuple[int, ...], bytes], Columns] = {}
    done: dict[tuple[tuple[int, tuple[int, ...], bytes], int], Statistics] = {}
    for rule in sorted(set(found.undefined.tolist())):
        for cover in sorted(set(found.coverage.tolist())):
            rows = (found.undefined == rule) & (found.coverage == cover)
            metrics = np.unique(found.metric[rows]).tolist()
            if not metrics:
                continue
            columns = ruled(study, block, metrics, rule, cover, by_lists=target.by_rating)
            key = (rule, tuple(metrics), columns.fingerprint)
            columns = known.setdefault(key, columns)
            for aggregate in sorted(set(found.aggregate[rows].tolist())):
                option = None if aggregate < 0 else study.all_aggregations[aggregate]
                if (key, aggregate) not in done:
                    asked = _tests_of(found, rows, aggregate, tests)
                    if option is not None and is_fast(option) and not any(t.all_at_once for _, t in asked):
                        made = statistics_of(study, columns, block, option, asked, pairs, target)
                    else:
                        made = general_statistics(
                            study, block.aligned(protocol), block, metrics, option, rule, cover, asked, pairs
                        )
                    done[key, aggregate] = made
                fill(rows, done[key, aggregate], metrics, aggregate)
    sign = np.where(higher, 1.0, -1.0)[:, None]
    difference, d, favoured = sign * difference, sign * d, sign * favoured
    adjusted = _adjusted(study, p, found, tests)
    effect = np.divide(2 * difference, both, out=np.where(np.isnan(difference), np.nan, 0.0), where=both > 0)
    sure = (adjusted < study.compare.level) & (np.sign(favoured) == np.sign(difference)) & (difference != 0)
    served = np.broadcast_to(shares_served(block, pairs), shape)
    sure &= served >= ENOUGH
    winner = np.where(sure, np.sign(np.nan_to_num(difference)), 0).astype(np.int8)
    return Verdicts(higher, values, difference, effect, d, p, adjusted, winner, served.copy())


def shares_served(block: Block, pairs: Sequence[tuple[int, int]]) -> Float64:
    """By pair, the share of users with a list of both systems in every fold that tests them."""
    n = len(block.users)
    missed = np.array([np.bincount(block.user, lengths <= 0, n) > 0 for lengths in block.lengths]).reshape(-1, n)
    return np.array([1.0 - float((missed[a] | missed[b]).mean()) if n else 1.0 for a, b in pairs])


def _tests_of(found: UniverseLayout, rows: Bool, aggregate: int, tests: Sequence[Test]) -> list[tuple[int, Test]]:
    """The tests asked for under an aggregation, with their places."""
    numbers = np.unique(found.test[rows & (found.aggregate == aggregate)]).tolist()
    return [(k, tests[k]) for k in numbers if k >= 0]


def _adjusted(study: Study, p: Float64, found: UniverseLayout, tests: Sequence[Test]) -> Float64:
    """p corrected over the pairs of each universe; tests of all systems at once need no correction."""
    if p.shape[1] < 2:
        return p
    own = np.array([t.all_at_once for t in tests] + [True], dtype=np.bool_)[found.test]
    made = p.copy()
    for at in np.flatnonzero(~own).tolist():
        made[at] = study.compare.correction.adjust(p[at])
    return made
