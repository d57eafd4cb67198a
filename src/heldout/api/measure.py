"""Measure lists, user by user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from heldout.api.arguments import several
from heldout.catalogue import make
from heldout.catalogue.notices import title_of
from heldout.data.frames import named_runs
from heldout.errors import SpecError, all_of, warn_guess, warn_notice
from heldout.experiment.evaluate import evaluation_of
from heldout.study.stages import PRIMARY_METRIC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from heldout.api.arguments import Metrics, Spec
    from heldout.catalogue.notices import Notice

FROM_ONE = "threshold(1)"
"""The relevance rule of trec_eval and ranx."""

GUESSED = "HO106"
"""Notices that are not repeated: of a guessed rule `measure` warns in its own words, and it tests no users."""


def measure(
    qrels: Any,
    lists: Any,
    metrics: Metrics = PRIMARY_METRIC,
    *,
    train: Any = None,
    items: Any = None,
    scores: Literal["order", "comparable", "ratings"] = "order",
    relevance: Spec | None = None,
    target: Spec = "AllItems",
    unrated: Spec = "zero",
    ties: Spec = "item",
    seed: int = 1,
) -> pl.DataFrame:
    """The values of one system's lists: a row for every test user, a column for every metric, and `length`.

    `length` is how many items the user's list has; it is 0 for users without a list. A value is null where the metric
    is undefined for the user, such as recall without a relevant item: the mean of a column leaves such users out, where
    `evaluate` and `compare` count them as 0 unless `undefined` says otherwise. Without `relevance`, the scale of the
    ratings says which are relevant; a warning names the rule where it is not that of other libraries, from 1 on. What
    the notices of `evaluate` say, such as training items in the lists (HO101), is said by warnings. Test set, lists and
    options are as in `evaluate`, which aggregates and compares: metrics of whole systems, such as ItemCoverage, have one
    value for all users and belong there.
    """
    runs = named_runs(lists)
    if len(runs) != 1:
        raise SpecError(
            f"{len(runs)} runs, and `measure` takes the lists of one system",
            where="lists",
            hint="measure each by itself, or give all of them to ho.evaluate(qrels, runs, metrics)",
        )
    options: dict[str, Any] = {"relevance": relevance, "target": target, "unrated": unrated, "ties": ties}
    evaluation = evaluation_of(
        qrels, runs, several(metrics), train=train, scores=scores, items=items, seed=seed, compare="none", **options
    )
    protocol, analysis = evaluation.protocol, evaluation.analysis
    parts = evaluation.parts()
    for stage in options:
        if len(getattr(protocol, stage)) > 1:
            raise SpecError(f"{len(getattr(protocol, stage))} options, and `measure` takes one", where=stage)
    system_wide = [str(metric) for metric in analysis.metrics if not metric.per_user]
    if system_wide:
        raise SpecError(
            f"{', '.join(system_wide)} has one value for all users of a system, and none of a user",
            where="metrics",
            hint=f'such as ho.evaluate(qrels, lists, "{system_wide[0]}")',
        )
    (part,) = parts
    (values,) = part.scores
    missing = [str(metric) for metric in analysis.metrics if str(metric) not in values.metrics]
    if missing:
        raise all_of([SpecError(reason, where="metrics") for reason in evaluation.reasons])
    notices = evaluation.notices_of(parts)
    for notice in notices:
        if notice.code != GUESSED:
            warn_notice(f"{notice.code} {title_of(notice.code)}: {notice.message}")
    if protocol.guess is not None and (values.counts["relevant"] < values.counts["test"]).any():
        _say_guess(str(protocol.guess.rule), notices)
    columns = [str(metric) for metric in analysis.metrics]
    frame = values.to_polars(part.users).select("user_id", *columns, pl.col("length").cast(pl.Int64))
    return frame.with_columns(pl.col(columns).fill_nan(None))


def _say_guess(rule: str, notices: Sequence[Notice]) -> None:
    """Warn of a guessed relevance rule that values depend on, where other libraries have another."""
    guessed = next((notice for notice in notices if notice.code == GUESSED), None)
    if guessed is not None and rule != str(make("relevance", FROM_ONE)):
        others = f'other libraries count every grade from 1 on, relevance="{FROM_ONE}"; write the rule that is meant'
        warn_guess(f"relevance: {guessed.message}; {others}")
