"""Every setting of a study aggregated: from aligned values to what is averaged and tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from heldout.aggregate.aggregation import Aggregation
from heldout.aggregate.coverage_rule import CoverageRule
from heldout.aggregate.mean import Mean
from heldout.aggregate.of_system import OF_SYSTEM
from heldout.aggregate.tally import Tally, arrange, tally_of
from heldout.aggregate.undefined.skip import SkipUndefined
from heldout.aggregate.undefined_rule import UndefinedRule
from heldout.aggregate.values import UserValues
from heldout.catalogue import make
from heldout.compare.pairs import PairComparison
from heldout.compare.test import Layout
from heldout.data.user_columns import user_column
from heldout.errors import HeldoutError, NotApplicableError
from heldout.measure.metric import Metric
from heldout.study.align import Aligned
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
