"""What the data rule out, asked before anything is fitted: a trial on a few users with scores that no system made."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np

from heldout.aggregations.mean import Mean
from heldout.analysis.user_groups import refuse_group
from heldout.catalogue import make
from heldout.data.user_columns import user_column
from heldout.errors import HeldoutError, NotApplicableError, all_of
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Fold, Prepared, folds
from heldout.experiment.guessed_relevance import FilteredSource
from heldout.experiment.judging import Judgement, judgements_of, relevances_of
from heldout.experiment.metric_inputs import scores_of_targets
from heldout.experiment.ranks import plan_of
from heldout.metrics.measuring import check_gains, with_diagnostics
from heldout.metrics.metric import Gain, Metric
from heldout.metrics.system import refusal
from heldout.study.applicability import about, fits
from heldout.study.spec import Study
from heldout.tables import Relevance
from heldout.tables.arrays import Float32, Ints
from heldout.targets.ranker import RankPlan, rank

FEW = 32
"""Users that a trial is made on."""
KEPT_ROWS = 30_000_000
"""Ratings of folds that are kept from the check for the run; folds beyond are made again."""


def checked_folds(
    study: Study, prepared: Prepared, clock: Clock, sources: Iterable[FilteredSource] | None = None
) -> Iterator[Fold]:
    """All folds of a study, each with the metrics that its data rule out, once every one of them is found fit to be run.

    All problems of all folds are raised as one error. `sources` are those of `filtered_sources`, where read before.
    """
    kept: deque[Fold] = deque()
    rows = count = 0
    problems: list[HeldoutError] = []
    try:
        for fold in folds(study, prepared, clock, sources):
            checked = _checked(study, fold, problems)
            count, rows = count + 1, rows + len(fold.split.train) + len(fold.split.test)
            if rows <= KEPT_ROWS or count == 1:
                kept.append(checked)
    except HeldoutError as error:
        problems.append(error)
    if problems:
        raise all_of(problems)
    again = count - len(kept)
    done = len(kept)
    while kept:
        yield kept.popleft()
    if again:
        for fold in islice(folds(study, Prepared([], []), clock), done, None):
            yield _checked(study, fold, problems)


def refused_metrics(fold: Fold) -> list[str]:
    """Why metrics have no value on a fold, a sentence for each."""
    return list(dict.fromkeys(fold.refused.values()))


class _NoSystem:
    """Scores within the range of the ratings, the same in every process."""

    def __init__(self, n_items: int, low: float, high: float) -> None:
        self.n_items, self.low, self.high = n_items, low, high

    def score(self, users: Ints) -> Float32:
        place = (31 * users.astype(np.int64)[:, None] + 17 * np.arange(self.n_items)[None, :]) % 101
        return (self.low + (self.high - self.low) * place / 100).astype(np.float32)


def _checked(study: Study, fold: Fold, problems: list[HeldoutError]) -> Fold:
    """The fold with the metrics that its data rule out; what makes it unfit for the study is added to `problems`."""
    refused: dict[tuple[str, str, str], NotApplicableError] = {}
    for check in (_check_group, _check_weights, partial(_check_metrics, refused=refused)):
        try:
            check(study, fold)
        except HeldoutError as error:
            told = error.within(fold.split_text) if len(study.split) > 1 else error
            if str(told) not in {str(problem) for problem in problems}:
                problems.append(told)
    return replace(fold, refused={place: about(place[0], error) for place, error in refused.items()})


def _check_group(study: Study, fold: Fold) -> None:
    refuse_group(study.compare.group, fold.split.development, fold.users)


def _check_weights(study: Study, fold: Fold) -> None:
    for aggregation in study.all_aggregations:
        if isinstance(aggregation, Mean) and aggregation.weight is not None and aggregation.table is not None:
            user_column(aggregation.table, aggregation.weight, fold.split.train.users.decode(fold.users))


def _check_metrics(study: Study, fold: Fold, refused: dict[tuple[str, str, str], NotApplicableError]) -> None:
    """Enter the metrics that have no value into `refused`; NotApplicableError where none is left."""
    relevances = relevances_of(study, fold, study.measure)
    for metric in study.measure:
        for (rule, _), relevance in relevances.items():
            if (error := _grades_refused(metric, relevance)) is not None:
                refused |= {(str(metric), str(target), rule): error for target in study.target}
    tried: set[tuple[str, str, str]] = set()
    for judgement, plan in _trials(study, fold):
        for metric in study.measure:
            place = (str(metric), str(judgement.target), str(judgement.relevance_rule))
            if place in tried or place in refused or not fits(metric, judgement.target, judgement.unrated, judgement.ties):
                continue
            tried.add(place)
            if (error := _refusal(metric, judgement, plan)) is not None:
                refused[place] = error
    if not any(m.direction != "none" and _left(study, m, refused) for m in study.measure):
        raise all_of(list({str(error): error for error in refused.values()}.values()))


def _left(study: Study, metric: Metric, refused: Mapping[tuple[str, str, str], object]) -> bool:
    """Whether a metric has a value under some way of judging."""
    return any(
        fits(metric, target, unrated, ties) and (str(metric), str(target), str(rule)) not in refused
        for target, rule, unrated, _, ties in study.judgements()
    )


def _grades_refused(metric: Metric, relevance: Relevance) -> NotApplicableError | None:
    """Why the ratings of the test set have no gain; None where they have."""
    try:
        check_gains(relevance, [metric])
        gain = getattr(metric, "gain", None)
        if isinstance(gain, Gain):
            gain.rows(relevance, getattr(metric, "rel", None))
    except NotApplicableError as error:
        return error
    return None


def _trials(study: Study, fold: Fold) -> Iterator[tuple[Judgement, RankPlan]]:
    """Lists of a few users who have most test ratings, judged in every way of the study."""
    if any(ties.from_file for ties in study.ties):  # no file has an order of these lists
        study = replace(study, ties=(*(t for t in study.ties if not t.from_file), make("ties", "item")))
    most = np.sort(np.argsort(-fold.split.test.user_counts[fold.users], kind="stable")[:FEW])
    small = replace(fold, users=fold.users[most], masks={key: mask[most] for key, mask in fold.masks.items()})
    plan = plan_of(study, small)
    train = fold.split.train
    model = _NoSystem(train.n_items, float(train.value.min()), float(train.value.max()))
    ranked = rank(model, plan)
    for one in judgements_of(study, small, study.recommend[0], ranked, with_diagnostics(study.measure)):
        yield replace(one, judged=replace(one.judged, predicts_ratings=True, comparable=True)), plan


def _refusal(metric: Metric, judgement: Judgement, plan: RankPlan) -> NotApplicableError | None:
    """Why a metric has no value of these lists; None where it has."""
    target, judged, train = judgement.target, judgement.judged, plan.split.train
    model = _NoSystem(train.n_items, float(train.value.min()), float(train.value.max()))
    everyone = np.ones(len(plan.users), dtype=np.bool_)
    return refusal(metric, judged, everyone, lambda tested: scores_of_targets(model, plan, target, tested), target=target)
