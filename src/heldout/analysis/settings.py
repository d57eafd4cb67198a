"""Every setting of a study aggregated: from aligned values to what is averaged and tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage.intersection import Intersection
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.of_system import OF_SYSTEM
from heldout.aggregations.tally import Tally, arrange, tally_of
from heldout.aggregations.undefined.skip import SkipUndefined
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.aggregations.values import UserValues
from heldout.analysis.alignment import Aligned
from heldout.analysis.served_users import Served, users_served
from heldout.catalogue import make
from heldout.data.user_columns import user_column
from heldout.errors import HeldoutError, NotApplicableError
from heldout.metrics.metric import Metric
from heldout.significance.pairs import PairComparison
from heldout.significance.significance_test import Layout
from heldout.study.analysis import Analysis
from heldout.study.applicability import aggregation_refusal
from heldout.tables import ProtocolKey
from heldout.tables.arrays import Float64
from heldout.tables.scores import WEIGHT
from heldout.targets.target import Target

SKIP: UndefinedRule = SkipUndefined()


@dataclass
class Way:
    """One setting: a protocol, a metric, how users become one number, and what came of it."""

    protocol: ProtocolKey
    metric: Metric
    aggregate: str
    undefined: str
    coverage: str
    values: UserValues
    tallies: list[Tally]
    aggregating: Aggregating
    systems: tuple[str, ...]
    """The systems that the metric was measured of, in the order of values and tallies."""
    aligned: Aligned
    """Their values of all metrics under the protocol."""
    descriptive: bool = False
    """Whether the metric only describes lists."""
    bound: bool = False
    """Whether values are the end of an interval."""
    pairs: list[PairComparison] = field(default_factory=list)
    layouts: dict[str, Layout] = field(default_factory=dict)

    @property
    def contest(self) -> bool:
        """Whether systems are compared here."""
        return not (self.descriptive or self.bound)

    def served(self) -> Served:
        """Whom the systems serve, and their values whatever the unserved count as."""
        users, served = users_served(self.aggregating.found)
        if served == users:
            return Served(users, served)
        zero, common = (self.aggregating.tallies(rule)[1] for rule in (UncoveredAsZero(), Intersection()))
        return Served(users, served, tuple(t.value for t in zero), tuple(t.value for t in common))


def ways_of(
    analysis: Analysis, aligned: Sequence[Aligned], systems: Sequence[str], left_out: dict[str, None] | None = None
) -> list[Way]:
    """All settings, aggregated, each with the systems that its metric was measured of.

    Those of descriptive metrics and of bounds, which are no contests, come last. An aggregation that does not apply
    to the values of a metric makes no setting; why is noted in `left_out`.
    """
    made = []
    options = [
        (metric, aggregation, rule, coverage)
        for metric in (*analysis.contests, *analysis.descriptive)
        for aggregation, rule, coverage in product(analysis.aggregations(metric), analysis.undefined, analysis.coverage)
    ]
    for everyone in aligned:
        target, unrated = make("target", everyone.protocol.target), make("unrated", everyone.protocol.unrated)
        for metric, aggregation, rule, coverage in options:
            if not metric.per_user and aggregation != analysis.aggregations(metric)[0]:
                continue
            # Where lower is better, 0 would be the best value there is, and of no list there is nothing to describe: users
            # without a value are left out of both.
            skips = metric.direction == "lower" or metric in analysis.descriptive
            if skips and rule != analysis.undefined[0]:
                continue
            rows = everyone.having(str(metric))
            named = tuple(systems[k] for k in rows)
            if not named:
                continue
            baseline = analysis.compare.baseline if analysis.compare.baseline in named else None
            why = aggregation_refusal(aggregation, metric, target, named, baseline, sure=False)
            found, undefined = everyone.of_systems(rows), SKIP if skips else rule
            aggregating = Aggregating(analysis, found, named, target, metric, aggregation, undefined)
            try:
                values, tallies = aggregating.tallies(coverage) if not why else (None, [])
            except NotApplicableError as error:
                values, why = None, error.what
            if values is None:
                if left_out is not None:
                    left_out[f"{metric} under {aggregation}: {why}"] = None
                continue
            texts = (str(aggregation), str(undefined), str(coverage))
            aside = (metric in analysis.descriptive, unrated.bound)
            made.append(Way(found.protocol, metric, *texts, values, tallies, aggregating, named, found, *aside))
    return sorted(made, key=lambda way: not way.contest)


@dataclass(frozen=True, eq=False)
class Aggregating:
    """One metric of a protocol on its way to a number; only the rule for users without a list is still open."""

    analysis: Analysis
    found: Aligned
    systems: tuple[str, ...]
    target: Target
    metric: Metric
    aggregation: Aggregation
    undefined: UndefinedRule

    def tallies(self, coverage: CoverageRule) -> tuple[UserValues, list[Tally]]:
        """What is averaged and tested under a coverage rule, and each system's number."""
        found, metric, aggregation = self.found, self.metric, self.aggregation
        weights = _weights(found, self.target, aggregation) if metric.per_user else None
        column, length, raw = _over_folds(found, metric, aggregation, self.undefined, coverage, by_lists=weights is not None)
        try:
            values = arrange(
                column,
                length,
                undefined=self.undefined if found.cells is None else SKIP,
                coverage=coverage,
                aggregation=aggregation if metric.per_user else OF_SYSTEM,
                systems=self.systems,
                weights=weights,
                counts=_counts(found, aggregation),
                denominator=_denominator(found, metric, aggregation, single=self.target.single),
                pool=metric.pooling,
                baseline=self.analysis.compare.baseline if self.analysis.compare.baseline in self.systems else None,
                higher_is_better=metric.direction == "higher",
            )
        except HeldoutError as error:
            raise error.within(f"aggregate {metric}") from None
        return values, tally_of(values, raw, length, computed=found.computed, level=1 - self.analysis.compare.level)


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
    if aggregation.pools_ratios and str(metric) in cells.divided:
        weights = cells.divided[str(metric)]
    n = len(found.users)
    values = cells.per_user(undefined.apply(own), included, weights, n)
    unknown = cells.per_user(np.isnan(own).astype(np.float64), included, None, n) > 0
    some = ~np.isnan(cells.per_user(np.zeros(own.shape), included, None, n))
    return values, some.astype(np.float64), np.where(unknown, np.nan, 0.0)


def _weights(found: Aligned, target: Target, aggregation: Aggregation) -> Float64 | None:
    """What each user counts for: the user's lists, or their shares of popularity classes; None where all count the same."""
    if not (target.by_rating or (target.single and aggregation.pools_ratios)):
        return None
    return found.counts.get(WEIGHT, found.lists)


def _counts(found: Aligned, aggregation: Aggregation) -> dict[str, Float64]:
    weight = aggregation.user_weight
    if weight is not None and weight.table is not None:
        return {weight.column: user_column(weight.table, weight.column, found.users)}
    return found.counts


def _denominator(found: Aligned, metric: Metric, aggregation: Aggregation, *, single: bool) -> Float64 | None:
    if not aggregation.pools_ratios or single:
        return None
    kept = found.denominator(str(metric))
    if kept is None and metric.pooling:
        raise NotApplicableError(
            "these results were kept without the denominators that pooling needs",
            hint='run the study again with "pooled" under aggregate',
        )
    return kept
