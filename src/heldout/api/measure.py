"""Measure lists, user by user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl

from heldout.api.arguments import several
from heldout.catalogue import make
from heldout.catalogue.notices import title_of
from heldout.catalogue.suggest import warn_other_pool
from heldout.data.frames import named_runs
from heldout.errors import SpecError, all_of, warn_guess, warn_notice
from heldout.experiment.guessed_relevance import about_guess
from heldout.experiment.metric_notices import about_metrics
from heldout.experiment.notices import about_coverage
from heldout.experiment.run_judging import ListJudge, encode, run_protocol
from heldout.study.analysis import PRIMARY_METRIC, error_within, make_measures, refuse_diagnostics_alone
from heldout.study.protocol import JUDGING
from heldout.tables.cell_scores import MeasuredUsers

if TYPE_CHECKING:
    from heldout.aggregations.undefined_rule import UndefinedRule
    from heldout.api.arguments import Metrics, Spec
    from heldout.metrics.metric import Metric
    from heldout.study.protocol import Protocol
    from heldout.tables import Scores

FROM_ONE = "threshold(1)"
"""The relevance rule of trec_eval and ranx."""


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
    undefined: Spec = "zero",
    seed: int = 1,
) -> pl.DataFrame:
    """The values of one system's lists: a row for every test user, a column for every metric, and `length`.

    `length` is how many items the user's list has; it is 0 for users without a list. The mean of a column is the value of
    `evaluate`. A metric that is undefined for a user, such as recall without a relevant item, counts as 0 in both, as in
    trec_eval. With `undefined="skip"` the value is null, and the mean leaves the user out. Errors, AUC, UROC and
    descriptive metrics are always null if they are undefined. Without `relevance`, the scale of the ratings decides
    which are relevant; a warning names the rule if it is not that of other libraries, from 1 on. The notices of `evaluate`,
    such as training items in the lists (HO101), are warnings here. Test set, lists and options are as in `evaluate`, which
    aggregates and compares: metrics of whole systems, such as ItemCoverage, have one value for all users and belong there.
    """
    runs = named_runs(lists)
    if len(runs) != 1:
        raise SpecError(
            f"{len(runs)} runs, and `measure` takes the lists of one system",
            where="lists",
            hint="measure each by itself, or give all of them to ho.evaluate(qrels, runs, metrics)",
        )
    (name,) = runs
    for metric in several(metrics):
        if isinstance(metric, str):
            warn_other_pool(metric)
    ratings, frames = encode(qrels, runs, train)
    protocol = run_protocol(
        lambda: ratings.grades, relevance=relevance, target=target, unrated=unrated, ties=ties, seed=seed
    )
    _refuse_several(protocol)
    with error_within("undefined"):
        rule: UndefinedRule = make("undefined", undefined)
    wanted = _metrics_of_users(metrics)
    judge = ListJudge(
        protocol=protocol,
        metrics=wanted,
        qrels=ratings,
        items=items,
        scores_are=scores,
    )
    judge.check()
    (judgement,) = judge.judged(name, frames[name])
    measured = judge.measured(judgement)
    if judge.reasons:
        raise all_of(list(judge.reasons.values()))
    (values,) = (of_users.scores for of_users in measured)
    _warn(judge, values, rule)
    columns = {str(metric): _values(metric, values, rule) for metric in judge.metrics}
    length = pl.Series(values.length).cast(pl.Int64)
    return pl.DataFrame({"user_id": ratings.test.users.decode(values.users), **columns, "length": length})


def _refuse_several(protocol: Protocol) -> None:
    """Raise SpecError if lists would be judged in more than one way."""
    for stage in JUDGING:
        if len(getattr(protocol, stage)) > 1:
            raise SpecError(f"{len(getattr(protocol, stage))} options, and `measure` takes one", where=stage)
    (unrated,) = protocol.unrated
    if len(unrated.ends()) > 1:
        raise SpecError(
            "this option gives two values, and `measure` gives one",
            where="unrated",
            found=str(unrated),
            expected=" or ".join(str(end) for end in unrated.ends()),
        )


def _metrics_of_users(metrics: Metrics) -> tuple[Metric, ...]:
    """The metrics, each of which gives every user a value."""
    with error_within("metrics"):
        wanted, _ = make_measures(several(metrics), ())
        refuse_diagnostics_alone(wanted)
    system_wide = [str(metric) for metric in wanted if not metric.per_user]
    if system_wide:
        raise SpecError(
            f"{', '.join(system_wide)} has one value for all users of a system, and none of a user",
            where="metrics",
            hint=f'such as ho.evaluate(qrels, lists, "{system_wide[0]}")',
        )
    return wanted


def _values(metric: Metric, values: Scores, undefined: UndefinedRule) -> pl.Series:
    """A metric's values, undefined ones as `evaluate` counts them."""
    column = values.column(str(metric))
    counted = (
        column if metric.direction == "none" or metric.descriptive or metric.skips_undefined else undefined.apply(column)
    )
    return pl.Series(np.asarray(counted), nan_to_null=True)


def _warn(judge: ListJudge, values: Scores, undefined: UndefinedRule) -> None:
    """Warn of what the notices of `evaluate` say about one run, and of a guessed rule that other libraries do not have."""
    measured = [MeasuredUsers.of(values)]
    guessed = list(about_guess(judge.protocol, judge.metrics, measured))
    equal_ratings = ["test set"] if judge.qrels.equal_ratings else []
    for notice in (
        *judge.noticed(),
        *about_coverage(measured, forgiving=False),
        *about_metrics(judge.metrics, measured, equal_ratings, as_zero=undefined.as_zero),
    ):
        warn_notice(f"{notice.code} {title_of(notice.code)}: {notice.message}")
    guess = judge.protocol.guess
    if not guessed or guess is None or (values.counts["relevant"] == values.counts["test"]).all():
        return
    if str(guess.rule) != str(make("relevance", FROM_ONE)):
        others = f'other libraries count every grade from 1 on, relevance="{FROM_ONE}"; write the rule that is meant'
        warn_guess(f"relevance: {guessed[0].message}; {others}")
