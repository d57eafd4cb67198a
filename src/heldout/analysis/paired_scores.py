"""Two systems' values per user compared, outside a study: aligned by user, then aggregated and tested as in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.tally import arrange
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.analysis.statistics import SKIP
from heldout.catalogue import make
from heldout.errors import InputError, SpecError
from heldout.metrics.metric import Metric
from heldout.significance.pairs import compare_pairs
from heldout.significance.significance_test import Test
from heldout.significance.value_batch import ValueBatch
from heldout.text.numbers import counted

USER, LENGTH = "user_id", "length"
ALL_SERVED = 1.0
"""The length of lists of which only values are known."""


@dataclass(frozen=True, kw_only=True)
class PairedRules:
    """How the users of two systems are aggregated and compared."""

    tests: tuple[Test, ...]
    aggregation: Aggregation
    undefined: UndefinedRule
    coverage: CoverageRule
    level: float
    seed: int


def compare_user_scores(a: pl.DataFrame, b: pl.DataFrame, metrics: Sequence[str], rules: PairedRules) -> pl.DataFrame:
    """One row per metric and test: the difference a − b with its interval, the effect size and p.

    Both frames have a column `user_id`, a column for every metric and perhaps `length`; InputError where their users are
    not the same.
    """
    b = _aligned(a, b)
    lengths = np.stack([_lengths(frame) for frame in (a, b)])
    settings = []
    for metric in metrics:
        values = np.stack([frame[metric].cast(pl.Float64).fill_null(np.nan).to_numpy() for frame in (a, b)])
        prepared = arrange(
            values,
            lengths,
            undefined=_rule_of(metric, rules.undefined),
            coverage=rules.coverage,
            aggregation=rules.aggregation,
            systems=("a", "b"),
        )
        settings.append(ValueBatch.of(metric, prepared))
    compared = compare_pairs(
        settings,
        ("a", "b"),
        tests=rules.tests,
        correction=make("correction", "none"),
        seed=rules.seed,
        level=1 - rules.level,
    )
    rows = []
    for metric, (pair,) in zip(metrics, compared, strict=True):
        for test in rules.tests:
            name = str(test)
            rows.append(
                {
                    "metric": metric,
                    "difference": pair.difference,
                    "low": pair.low,
                    "high": pair.high,
                    "effect": pair.effect,
                    "p": pair.p[name],
                    "users": pair.users,
                    "test": name,
                    **pair.figures.get(name, {}),
                }
            )
    return pl.DataFrame(rows, infer_schema_length=None)


def _rule_of(name: str, undefined: UndefinedRule) -> UndefinedRule:
    """The rule for undefined values of a metric; the given one if the column is not of a known metric."""
    try:
        metric: Metric = make("metric", name)
    except SpecError:  # values that were measured elsewhere may have any name
        return undefined
    return SKIP if metric.skips_undefined else undefined


def _aligned(a: pl.DataFrame, b: pl.DataFrame) -> pl.DataFrame:
    """The rows of `b` in the order of the users of `a`."""
    for frame, place in ((a, "the first scores"), (b, "the second scores")):
        if frame[USER].n_unique() < len(frame):
            user = frame[USER].filter(frame[USER].is_duplicated())[0]
            raise InputError("a user comes twice", file=place, column=USER, found=user, expected="one row for each user")
    if a[USER].dtype != b[USER].dtype:
        a, b = (frame.with_columns(pl.col(USER).cast(pl.String)) for frame in (a, b))
    for frame, other, place in ((a, b, "the first scores"), (b, a, "the second scores")):
        alone = frame.filter(~pl.col(USER).is_in(other[USER].implode()))[USER]
        if len(alone):
            raise InputError(
                f"{counted(len(alone), 'user')} only here",
                file=place,
                column=USER,
                found=alone[0],
                hint="measure both systems on the same test set: users without a list have a row too",
            )
    return a.select(USER).join(b, on=USER, how="left", maintain_order="left")


def _lengths(frame: pl.DataFrame) -> np.ndarray:
    if LENGTH not in frame.columns:
        return np.full(len(frame), ALL_SERVED)
    return frame[LENGTH].cast(pl.Float64).to_numpy()
