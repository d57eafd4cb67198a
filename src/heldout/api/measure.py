"""Measure lists, user by user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from heldout.api.arguments import several
from heldout.data.frames import named_runs
from heldout.errors import SpecError, all_of
from heldout.experiment.evaluate import evaluate_runs
from heldout.study.stages import PRIMARY_METRIC

if TYPE_CHECKING:
    from heldout.api.arguments import Metrics, Spec


def measure(
    test: Any,
    lists: Any,
    metrics: Metrics = PRIMARY_METRIC,
    *,
    train: Any = None,
    relevance: Spec | None = None,
    target: Spec = "AllItems",
    unrated: Spec = "zero",
    ties: Spec = "item",
    scores: Literal["order", "comparable", "ratings"] = "order",
    items: Any = None,
    seed: int = 1,
) -> pl.DataFrame:
    """The values of one system's lists: a row for every test user, a column for every metric, and `length`.

    `length` is how many items the user's list has; it is 0 for users without a list. A value is null where the metric
    is undefined for the user. Test set, lists and options are as in `evaluate`, which aggregates and compares: metrics of
    whole systems, such as ItemCoverage, have one value for all users and belong there.
    """
    runs = named_runs(lists)
    if len(runs) != 1:
        raise SpecError(
            f"{len(runs)} runs, and `measure` takes the lists of one system",
            where="lists",
            hint="measure each by itself, or give all of them to ho.evaluate(test, runs, metrics)",
        )
    options: dict[str, Any] = {"relevance": relevance, "target": target, "unrated": unrated, "ties": ties}
    protocol, analysis, outcome = evaluate_runs(
        test, runs, several(metrics), train=train, scores=scores, items=items, seed=seed, compare="none", **options
    )
    for stage in options:
        if len(getattr(protocol, stage)) > 1:
            raise SpecError(f"{len(getattr(protocol, stage))} options, and `measure` takes one", where=stage)
    system_wide = [str(metric) for metric in analysis.metrics if not metric.per_user]
    if system_wide:
        raise SpecError(
            f"{', '.join(system_wide)} has one value for all users of a system, and none of a user",
            where="metrics",
            hint=f'such as ho.evaluate(test, lists, "{system_wide[0]}")',
        )
    (part,) = outcome.parts
    (values,) = part.scores
    missing = [str(metric) for metric in analysis.metrics if str(metric) not in values.metrics]
    if missing:
        raise all_of([SpecError(reason, where="metrics") for reason in outcome.left_out])
    columns = [str(metric) for metric in analysis.metrics]
    frame = values.to_polars(part.users).select("user_id", *columns, pl.col("length").cast(pl.Int64))
    return frame.with_columns(pl.col(columns).fill_nan(None))
