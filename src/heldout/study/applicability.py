"""What does not go together: metrics with systems, targets and aggregations, found out before anything is fitted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.values import UserValues
from heldout.errors import NotApplicableError
from heldout.metrics.metric import Metric
from heldout.recommenders.recommender import Recommender
from heldout.study.compatibility import unfit
from heldout.study.protocol import JudgingChoices
from heldout.study.spec import Study
from heldout.targets.target import Target

_LOWEST = -1e6
"""What stands for values without a lower bound."""


def about(metric: Metric | str, error: NotApplicableError) -> str:
    """What an error says, beginning with the metric."""
    return error.problem if error.problem.startswith((f"{metric} ", f"{metric}:")) else f"{metric}: {error.problem}"


def refusal_of(metric: Metric, recommender: Recommender) -> str:
    """Why a metric has no value for a recommender; empty where it has."""
    if metric.needs_ratings and not recommender.predicts_ratings:
        return "its scores are not on the rating scale"
    if metric.needs_all_scores and not (recommender.comparable_scores or recommender.predicts_ratings):
        return "its scores are not comparable across users"
    return ""


def protocol_refusal(metric: Metric, choices: JudgingChoices) -> str:
    """Why a metric has no value under a way of judging; empty if it has."""
    form = choices.target.form
    if metric.needs_all_scores and (form.own or form.sample is not None or form.single or form.pool == "unrated"):
        return f"{metric} needs all candidates of a user in one list, which {choices.target} does not make"
    error = unfit(metric, choices)
    return "" if error is None else error.problem


def fits(metric: Metric, choices: JudgingChoices) -> bool:
    """True if a metric has a value under a way of judging."""
    return not protocol_refusal(metric, choices)


def aggregation_refusal(
    aggregate: Aggregation, metric: Metric, target: Target, systems: Sequence[str], baseline: str | None, *, sure: bool
) -> str:
    """Why an aggregation has no value of a metric's under a target; empty where it has.

    SpecError where the aggregation lacks a baseline or the like. Of a metric without a lower bound it cannot be known before
    it is measured; `sure` refuses what may fail.

    Assumes: an aggregation that takes the least values a metric may have, and weights where lists are averaged by rating,
    takes all. zrisk of a rank correlation, the least of which is −1: no; the median of lists averaged by rating: no.
    """
    if not metric.per_user:
        return ""
    low = max(metric.limits[0], _LOWEST)
    if np.isneginf(metric.limits[0]) and not sure:
        low = 0.0
    few = np.linspace(low, min(metric.limits[1], low + 1.0), len(systems) + 1)
    by_lists = target.by_rating or (target.single and aggregate.pools_ratios)
    weight = aggregate.user_weight
    tried = UserValues(
        systems=tuple(systems),
        values=np.stack([np.roll(few, k) for k in range(len(systems))]),
        included=np.ones((len(systems), len(few)), dtype=np.bool_),
        by=aggregate,
        weights=np.ones(len(few)) if by_lists else None,
        counts={weight.column: np.ones(len(few))} if weight is not None else {},
        denominator=np.ones(len(few)) if metric.pooling and not target.single else None,
        pool=metric.pooling,
        baseline=baseline,
        higher_is_better=metric.direction == "higher",
    )
    try:
        prepared = aggregate.prepare(tried)
        if prepared.totals is None:
            prepared.by.aggregate(prepared.values.T, prepared.weights)
    except NotApplicableError as error:
        return error.problem
    return ""


def left_out(study: Study) -> tuple[list[str], list[str]]:
    """What cannot be measured, and what cannot be aggregated: why, for each pair; NotApplicableError where nothing is left.

    Only the choices are checked here; `heldout.experiment.preflight` checks them against the data.
    """
    reasons: dict[str, None] = {}
    not_aggregated: dict[str, None] = {}
    some_left = False
    for metric in study.metrics:
        systems = [s.name for s in study.recommend if not refusal_of(metric, s.recommender)]
        reasons |= dict.fromkeys(about_systems(study, metric))
        refusal_by_choices = {choices: protocol_refusal(metric, choices) for choices in study.judgements()}
        fitting = [choices for choices, why in refusal_by_choices.items() if not why]
        reasons |= dict.fromkeys(why for why in refusal_by_choices.values() if why)
        if not systems or not fitting or metric.direction == "none":
            continue
        for target in dict.fromkeys(choices.target for choices in fitting):
            baseline = study.compare.baseline if study.compare.baseline in systems else None
            for aggregate in study.aggregations(metric):
                why = aggregation_refusal(aggregate, metric, target, systems, baseline, sure=False)
                some_left = some_left or not why
                if why:
                    not_aggregated[f"{metric} under {aggregate}: {why}"] = None
    if study.recommend and not some_left:
        raise NotApplicableError(
            "nothing is left to measure",
            where="metrics",
            found=[*reasons, *not_aggregated],
            expected="a metric that applies to a system of the study",
            hint="`heldout describe METRIC` shows what a metric needs",
        )
    return list(reasons), list(not_aggregated)


def about_systems(study: Study, metric: Metric) -> Iterator[str]:
    """Why a metric has no value for some systems of a study, a sentence for each reason."""
    refused: dict[str, list[str]] = {}
    for system in study.recommend:
        if why := refusal_of(metric, system.recommender):
            refused.setdefault(why, []).append(system.name)
    for why, systems in refused.items():
        yield f"{metric} of {', '.join(systems)}: {why if len(systems) == 1 else why.replace('its', 'their', 1)}"


CUT = "lists end before the last candidates, whose order enters the value"


def about_cut_metric(metric: Metric, systems: Sequence[str]) -> str:
    """Why a metric of the whole order has no value of systems whose lists end early."""
    return f"{metric} of {', '.join(systems)}: {'its' if len(systems) == 1 else 'their'} {CUT}"
