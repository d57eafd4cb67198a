"""Universes under any other aggregation: metric by metric, through the same pieces as a plain study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.analysis.alignment import Aligned
from heldout.analysis.settings import Way, ways_of
from heldout.errors import SpecError
from heldout.metrics.metric import Metric
from heldout.significance.pairs import PairComparison, SettingValues, compare_pairs
from heldout.significance.significance_test import Test
from heldout.study.spec import Study
from heldout.universes.compute.block import Block
from heldout.universes.compute.means import Pairs, Statistics


def general_statistics(
    study: Study,
    aligned: Aligned,
    block: Block,
    metrics: Sequence[int],
    option: Aggregation | None,
    rule: int,
    coverage: int,
    asked: Sequence[tuple[int, Test]],
    pairs: Pairs,
) -> Statistics:
    """As `statistics_of`; without an aggregation, the metrics are numbers of whole systems and nothing is tested.

    What an aggregation does not apply to (no user in common, a baseline that failed) stays without a value.
    """
    present = [k for k, rows in enumerate(block.rows) if rows is not None]
    systems = [block.systems[k] for k in present]
    baseline = study.compare.baseline if study.compare.baseline in systems else None
    one = replace(
        study,
        aggregate=(study.aggregate[0] if option is None else option,),
        own_aggregate=(),
        undefined=(study.undefined[max(rule, 0)],),
        coverage=(study.coverage[max(coverage, 0)],),
        compare=replace(study.compare, baseline=baseline),
    )
    found_ways = [_way(one, block.metrics[m], aligned, systems, whole=len(present) == len(block.rows)) for m in metrics]
    ways = {m: way for m, way in enumerate(found_ways) if way is not None}
    higher = np.array([block.metrics[m].direction == "higher" for m in metrics], dtype=np.bool_)
    empty = Statistics.empty(len(metrics), len(block.systems), len(pairs), [k for k, _ in asked])
    made = replace(empty, higher=higher)
    place = {pair: n for n, pair in enumerate(pairs)}
    settings = [SettingValues.of(f"{way.metric}, {way.aggregate}", way.values) for way in ways.values()]
    for m, way in ways.items():
        higher[m] = way.values.higher_is_better
        made.values[m, present] = [np.nan if t.value is None else t.value for t in way.tallies]
    if len(systems) < 2 or not ways:
        return made
    tests = tuple(test for _, test in asked)
    compared = compare_pairs(
        settings, systems, tests=tests, correction=study.compare.correction, seed=study.seed, baseline=baseline
    )
    for m, found in zip(ways, compared, strict=True):
        for pair in found:
            n = place.get((present[pair.a], present[pair.b]))
            if n is not None:
                _enter(made, m, n, pair, asked, higher=bool(higher[m]))
    if option is None:
        made.d[:] = np.nan  # users of one system share its number: how far they spread says nothing
    return made


def _way(study: Study, metric: Metric, aligned: Aligned, systems: Sequence[str], *, whole: bool) -> Way | None:
    """One metric aggregated; None where the aggregation does not apply, or asks for a system that failed (not `whole`)."""
    try:
        ways = ways_of(replace(study, measure=(metric,)), [aligned], systems)
        return ways[0] if ways else None
    except SpecError:
        if whole:
            raise
        return None


def _enter(
    made: Statistics, m: int, n: int, pair: PairComparison, asked: Sequence[tuple[int, Test]], *, higher: bool
) -> None:
    made.difference[m, n] = pair.difference
    made.d[m, n] = np.nan if pair.effect is None else pair.effect
    made.magnitude[m, n] = abs(pair.value_a) + abs(pair.value_b)
    for number, test in asked:
        p, direction = made.tests[number]
        found = pair.p[str(test)]
        p[m, n] = np.nan if found is None else found
        won = pair.wins - pair.losses if higher else pair.losses - pair.wins
        direction[m, n] = won if test.compares == "ranks" else pair.difference
