"""What the data rule out, checked before anything is fitted: a trial on a few users with scores that no system made."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

import numpy as np

from heldout.analysis.alignment import refuse_group
from heldout.catalogue import make
from heldout.data.side import user_column
from heldout.errors import HeldoutError, NotApplicableError, all_of
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Fold, Prepared, split_folds
from heldout.experiment.guessed_relevance import FilteredSource
from heldout.experiment.judging import Judgement, judge, relevances_of
from heldout.experiment.ranks import plan_of, scores_of_targets
from heldout.metrics.measuring import check_gains, with_diagnostics
from heldout.metrics.metric import Gain, Metric
from heldout.metrics.system import refusal
from heldout.study.applicability import about, fits
from heldout.study.spec import Study
from heldout.tables import Relevance
from heldout.tables.arrays import Float32, Ints
from heldout.targets.ranker import RankPlan, rank

T = TypeVar("T")
Place = tuple[str, str, str]
"""Metric, target and relevance rule, as text."""
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

    def once(noted: Prepared, sources: Iterable[FilteredSource] | None) -> Iterator[Fold]:
        problems: list[HeldoutError] = []
        try:
            for label, of_split in split_folds(study, noted, clock, sources):
                try:
                    for fold in of_split:
                        yield check_fold(study, fold, problems, needs_metric=True)
                except HeldoutError as error:
                    problems.append(error if len(study.split) == 1 or label in str(error) else error.within(label))
        except HeldoutError as error:
            problems.append(error)
        if problems:
            raise all_of(problems)

    yield from all_before_first(once(prepared, sources), lambda: once(Prepared(), None), _ratings)


def all_before_first(first: Iterator[T], again: Callable[[], Iterator[T]], ratings: Callable[[T], int]) -> Iterator[T]:
    """Every item, once all of them were made without an error.

    Items of up to `KEPT_ROWS` ratings together are kept in memory; those beyond are taken from `again`.
    """
    kept: deque[T] = deque()
    rows = count = 0
    for item in first:
        count, rows = count + 1, rows + ratings(item)
        if rows <= KEPT_ROWS or count == 1:
            kept.append(item)
    from_memory = len(kept)
    while kept:
        yield kept.popleft()
    if from_memory < count:
        yield from islice(again(), from_memory, None)


def _ratings(fold: Fold) -> int:
    return len(fold.split.train) + len(fold.split.test)


def refused_metrics(fold: Fold) -> list[str]:
    """Why metrics have no value on a fold, a sentence for each."""
    return list(dict.fromkeys(fold.refused.values()))


def some_metric_left(study: Study, refused: Container[Place]) -> bool:
    """True if a metric by which systems are compared has a value under some way of judging."""
    return any(
        metric.direction != "none" and fits(metric, choices)
        for choices in study.judgements()
        for metric in study.metrics
        if (str(metric), str(choices.target), str(choices.relevance)) not in refused
    )


class _NoSystem:
    """Scores within the range of the ratings, the same in every process."""

    def __init__(self, n_items: int, low: float, high: float) -> None:
        self.n_items, self.low, self.high = n_items, low, high

    def score(self, users: Ints) -> Float32:
        place = (31 * users.astype(np.int64)[:, None] + 17 * np.arange(self.n_items)[None, :]) % 101
        return (self.low + (self.high - self.low) * place / 100).astype(np.float32)


def check_fold(study: Study, fold: Fold, problems: list[HeldoutError], *, needs_metric: bool) -> Fold:
    """The fold with the metrics that its data rule out; what makes it unfit for the study is added to `problems`.

    With `needs_metric`, a fold on which no metric has a value is unfit.
    """
    refused: dict[Place, NotApplicableError] = {}

    def check_metrics(study: Study, fold: Fold) -> None:
        refused.update(_refused(study, fold))
        if needs_metric and not some_metric_left(study, refused):
            raise all_of(list(refused.values()))

    for check in (_check_group, _check_weights, check_metrics):
        try:
            check(study, fold)
        except HeldoutError as error:
            problems.append(error.within(fold.split_text) if len(study.split) > 1 else error)
    return replace(fold, refused={place: about(place[0], error) for place, error in refused.items()})


def _check_group(study: Study, fold: Fold) -> None:
    refuse_group(study.compare.group, fold.split.development, fold.users)


def _check_weights(study: Study, fold: Fold) -> None:
    for aggregation in study.all_aggregations:
        weight = aggregation.user_weight
        if weight is not None and weight.table is not None:
            user_column(weight.table, weight.column, fold.split.train.users.decode(fold.users))


def _refused(study: Study, fold: Fold) -> dict[Place, NotApplicableError]:
    """The metrics that have no value under a target and a relevance rule, and why."""
    refused: dict[Place, NotApplicableError] = {}
    for (rule, _), relevance in relevances_of(study, fold, study.metrics).items():
        for metric in study.metrics:
            if (error := _grades_refused(metric, relevance)) is not None:
                refused |= {(str(metric), str(target), rule): error for target in study.target}
    for judgement, plan, metrics in _trials(study, fold):
        target, rule = str(judgement.choices.target), str(judgement.choices.relevance)
        untried = {name: metric for name, metric in metrics.items() if (name, target, rule) not in refused}
        if _refusal(list(untried.values()), judgement, plan) is None:  # as a rule: all at once, which is faster
            continue
        for name, metric in untried.items():
            if (error := _refusal([metric], judgement, plan)) is not None:
                refused[name, target, rule] = error
    return refused


def _grades_refused(metric: Metric, relevance: Relevance) -> NotApplicableError | None:
    """Why the ratings of the test set have no gain; None if they have."""
    try:
        check_gains(relevance, [metric])
        gain = getattr(metric, "gain", None)
        if isinstance(gain, Gain):
            gain.rows(relevance, getattr(metric, "rel", None))
    except NotApplicableError as error:
        return error
    return None


def _trials(study: Study, fold: Fold) -> Iterator[tuple[Judgement, RankPlan, dict[str, Metric]]]:
    """Lists of the few users who have most test ratings, with the metrics to try on them: each once per target and rule."""
    if any(ties.from_file for ties in study.ties):  # no file has an order of these lists
        study = replace(study, ties=(*(t for t in study.ties if not t.from_file), make("ties", "item")))
    most = np.sort(np.argsort(-fold.split.test.user_counts[fold.users], kind="stable")[:FEW])
    small = replace(fold, users=fold.users[most], masks={key: mask[most] for key, mask in fold.masks.items()})
    plan = plan_of(study, small)
    ranked = rank(_no_system(plan), plan)
    relevances = relevances_of(study, small, with_diagnostics(study.metrics))
    names = {str(metric): metric for metric in study.metrics}
    untried: dict[tuple[str, str], dict[str, Metric]] = {}
    for choices in study.judgements():
        left = untried.setdefault((str(choices.target), str(choices.relevance)), dict(names))
        metrics = {name: metric for name, metric in left.items() if fits(metric, choices)}
        if not metrics:
            continue
        for name in metrics:
            del left[name]
        judgement = judge(study, small, study.recommend[0], ranked, choices, relevances)
        yield replace(judgement, judged=replace(judgement.judged, predicts_ratings=True, comparable=True)), plan, metrics


def _no_system(plan: RankPlan) -> _NoSystem:
    train = plan.split.train
    return _NoSystem(train.n_items, float(train.value.min()), float(train.value.max()))


def _refusal(metrics: Sequence[Metric], judgement: Judgement, plan: RankPlan) -> NotApplicableError | None:
    """Why one of the metrics has no value for the lists; None if all have one."""
    target, judged = judgement.choices.target, judgement.judged
    everyone = np.ones(len(plan.users), dtype=np.bool_)
    model = _no_system(plan)
    return refusal(metrics, judged, everyone, lambda tested: scores_of_targets(model, plan, target, tested), target=target)
