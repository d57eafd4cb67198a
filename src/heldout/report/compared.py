"""Every setting of a study aggregated and its systems compared: from aligned values to rows of facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from heldout.aggregate.aggregation import Aggregation
from heldout.aggregate.coverage_rule import CoverageRule
from heldout.aggregate.mean import Mean
from heldout.aggregate.moments import effective_size
from heldout.aggregate.of_system import OF_SYSTEM
from heldout.aggregate.tally import Tally, arrange, tally_of
from heldout.aggregate.undefined.skip import SkipUndefined
from heldout.aggregate.undefined_rule import UndefinedRule
from heldout.aggregate.values import UserValues
from heldout.catalogue import make
from heldout.compare.pairs import PairComparison, SettingValues, compare_pairs, layouts_of
from heldout.compare.test import Layout
from heldout.data.user_columns import user_column
from heldout.errors import HeldoutError, NotApplicableError
from heldout.measure.metric import Metric
from heldout.report.align import Aligned
from heldout.report.facts import LayoutRow, PairRow
from heldout.study.outcome import Notice
from heldout.study.spec import Study
from heldout.tables import Protocol
from heldout.tables.arrays import Float64
from heldout.tables.scores import WEIGHT
from heldout.target.target import Target

SKIP: UndefinedRule = SkipUndefined()


@dataclass
class Way:
    """One setting: a protocol, a metric, how users become one number, and what came of it."""

    protocol: Protocol
    metric: Metric
    aggregate: str
    undefined: str
    coverage: str
    values: UserValues
    tallies: list[Tally]
    pairs: list[PairComparison] = field(default_factory=list)
    layouts: dict[str, Layout] = field(default_factory=dict)


def ways_of(study: Study, aligned: Sequence[Aligned], systems: Sequence[str]) -> list[Way]:
    """All settings, aggregated."""
    made = []
    options = list(product(study.measure, study.aggregate, study.undefined, study.coverage))
    for found in aligned:
        target = make("target", found.protocol.target)
        for metric, aggregation, rule, coverage in options:
            if metric.direction == "none" or (not metric.per_user and aggregation != study.aggregate[0]):
                continue
            if metric.direction == "lower" and rule != study.undefined[0]:
                continue
            # where lower is better, 0 would be the best value there is: who has none is left out
            undefined = SKIP if metric.direction == "lower" else rule
            weights = _weights(found, target, aggregation) if metric.per_user else None
            column, length, raw = _over_folds(found, metric, aggregation, undefined, coverage, by_lists=weights is not None)
            try:
                values = arrange(
                    column,
                    length,
                    undefined=undefined if found.cells is None else SKIP,
                    coverage=coverage,
                    aggregation=aggregation if metric.per_user else OF_SYSTEM,
                    systems=systems,
                    weights=weights,
                    counts=_counts(found, aggregation),
                    denominator=_denominator(found, metric, aggregation, single=target.single),
                    pool=metric.pooling,
                    baseline=study.compare.baseline,
                    higher_is_better=metric.direction == "higher",
                )
            except HeldoutError as error:
                raise error.within(f"aggregate {metric}") from None
            tallies = tally_of(values, raw, length, computed=found.computed, level=1 - study.compare.level)
            made.append(Way(found.protocol, metric, str(aggregation), str(undefined), str(coverage), values, tallies))
    return made


def _over_folds(
    found: Aligned,
    metric: Metric,
    aggregation: Aggregation,
    undefined: UndefinedRule,
    coverage: CoverageRule,
    *,
    by_lists: bool,
) -> tuple[Float64, Float64, Float64]:
    """Systems × users of one metric, their lengths, and where they are undefined.

    Over several folds both rules hold in each fold, before a user's values are averaged: what is undefined in one fold
    counts 0 there or is skipped there, and so does a fold in which a system covers the user not at all. Where lists or sums
    weigh, folds weigh by theirs.
    """
    column = found.column(str(metric))
    cells = found.cells
    if cells is None:
        return column, found.length, column
    own = cells.values[:, :, found.metrics.index(str(metric))]
    included = np.array(coverage.included(list(cells.length)), dtype=np.bool_).reshape(own.shape)
    weights = cells.lists if by_lists else None
    if aggregation.key == "pooled" and str(metric) in cells.divided:
        weights = cells.divided[str(metric)]
    n = len(found.users)
    values = cells.per_user(undefined.apply(own), included, weights, n)
    unknown = cells.per_user(np.isnan(own).astype(np.float64), included, None, n) > 0
    some = ~np.isnan(cells.per_user(np.zeros(own.shape), included, None, n))
    return values, some.astype(np.float64), np.where(unknown, np.nan, 0.0)


def _weights(found: Aligned, target: Target, aggregation: Aggregation) -> Float64 | None:
    """What each user counts for: the user's lists, or their shares of popularity classes; None where all count the same."""
    if not (target.by_rating or (target.single and aggregation.key == "pooled")):
        return None
    return found.counts.get(WEIGHT, found.lists)


def _counts(found: Aligned, aggregation: Aggregation) -> dict[str, Float64]:
    if isinstance(aggregation, Mean) and aggregation.weight is not None and aggregation.table is not None:
        return {aggregation.weight: user_column(aggregation.table, aggregation.weight, found.users)}
    return found.counts


def _denominator(found: Aligned, metric: Metric, aggregation: Aggregation, *, single: bool) -> Float64 | None:
    if aggregation.key != "pooled" or single:
        return None
    kept = found.denominator(str(metric))
    if kept is None and metric.pooling:
        raise NotApplicableError(
            "these results were kept without the denominators that pooling needs",
            hint='run the study again with "pooled" under aggregate',
        )
    return kept


def compare_ways(study: Study, ways: Sequence[Way], systems: Sequence[str]) -> None:
    """Compare the systems of every setting; pairs and layouts are noted there."""
    settings = [SettingValues.of(f"{way.metric}, {way.aggregate}", way.values) for way in ways]
    compared = compare_pairs(
        settings,
        systems,
        tests=study.compare.tests,
        correction=study.compare.correction,
        seed=study.seed,
        baseline=study.compare.baseline,
        level=1 - study.compare.level,
    )
    for way, setting, pairs in zip(ways, settings, compared, strict=True):
        way.pairs = pairs if way.metric.per_user else [_untested(pair) for pair in pairs]
        way.layouts = layouts_of(setting, study.compare.tests, level=study.compare.level)


def _untested(pair: PairComparison) -> PairComparison:
    """A pair under a metric of whole systems: two numbers, and no users to compare."""
    return replace(
        pair,
        low=None,
        high=None,
        effect=None,
        wins=0,
        ties=0,
        losses=0,
        superiority=None,
        reason="it is one number for a whole system, so there are no users to compare",
    )


def deciding_test(study: Study, pairs: Sequence[PairComparison]) -> str | None:
    """The first test that has p-values in a setting: the one that letters and the verdict rest on."""
    return next((str(t) for t in study.compare.tests if any(p.p[str(t)] is not None for p in pairs)), None)


def pair_rows(number: int, systems: Sequence[str], found: Sequence[PairComparison], study: Study) -> Iterator[PairRow]:
    """One row for every pair and test of a setting."""
    for pair in found:
        for test in study.compare.tests:
            name = str(test)
            yield PairRow(
                number,
                name,
                systems[pair.a],
                systems[pair.b],
                pair.value_a,
                pair.value_b,
                pair.difference,
                pair.low,
                pair.high,
                pair.effect,
                pair.wins,
                pair.ties,
                pair.losses,
                pair.p[name],
                pair.p_adjusted[name],
                test.key if test.all_at_once else str(study.compare.correction),
                len(systems) * (len(systems) - 1) // 2 if test.all_at_once else pair.family,
                pair.tested_on.get(name, pair.users),
                pair.superiority,
                pair.figures.get(name, {}),
                pair.reason or pair.refusals.get(name, ""),
            )


def layout_rows(number: int, systems: Sequence[str], way: Way) -> Iterator[LayoutRow]:
    """One row for every test of all systems at once."""
    for test, found in way.layouts.items():
        places = {system: float(place) for system, place in zip(systems, found.places, strict=True)}
        yield LayoutRow(number, test, found.name, found.statistic, found.p, found.scale, places, found.critical, found.users)


def notices_of(study: Study, ways: Sequence[Way], aligned: Sequence[Aligned], systems: Sequence[str]) -> Iterator[Notice]:
    """Coded warnings about how the systems were aggregated and compared."""
    refused = {why: None for way in ways for pair in way.pairs[:1] for why in pair.refusals.values()}
    if refused:
        yield Notice("HO403", "; ".join(refused))
    if study.compare.folds == "pooled" and any(not found.users.is_empty() for found in aligned):
        yield Notice("HO404", "each fold of a user is tested as if it were another user")
    equal = {f"{systems[p.a]} and {systems[p.b]}": None for way in ways for p in way.pairs if p.users and p.ties == p.users}
    if equal:
        named = list(equal)
        more = f" and {len(named) - 3} more pairs" if len(named) > 3 else ""
        yield Notice("HO405", f"no user's values differ between {'; '.join(named[:3])}{more}")
    sizes = [
        (effective_size(way.values.weights[way.values.common]), int(way.values.common.sum()))
        for way in ways
        if way.values.weights is not None and not way.values.contributions and way.values.common.any()
    ]
    if sizes and min(size / users for size, users in sizes) < 0.5:
        size, users = min(sizes, key=lambda s: s[0] / s[1])
        yield Notice("HO407", f"{users:,} users weigh as much as {size:,.0f} equal ones")
