"""The lists of all systems of a study, or of runs that any system produced, judged under one protocol."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial

import numpy as np

from heldout.errors import NotApplicableError
from heldout.experiment.clock import Clock
from heldout.experiment.evaluate import Evaluation
from heldout.experiment.failure import SystemFailedError
from heldout.experiment.folds import Fold, Prepared, filtered_sources
from heldout.experiment.guessed_relevance import guess_sentence, judged_by_relevance, settle
from heldout.experiment.judging import Judgement, Relevances, applying_metrics, judge, relevances_of, score
from heldout.experiment.preflight import checked_folds
from heldout.experiment.ranks import Fitted, RankStore, plan_of
from heldout.metric_quality.options import DEPTHS
from heldout.metric_quality.sampled_means import FoldLists
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.study.protocol import Protocol, chain_text
from heldout.study.spec import Study
from heldout.tables import ProtocolKey, Scores
from heldout.tables.arrays import Float64, Int64, digest_of
from heldout.targets.ranker import Ranked
from heldout.targets.user_rule import UserRule
from heldout.text.numbers import counted
from heldout.text.phrases import listed

OfFold = Mapping[str, tuple[Judgement, Scores]]
"""By system, its lists on a fold under one protocol, and their values."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SystemsOnTrial:
    """The lists of all systems under one protocol, on every fold."""

    protocol: ProtocolKey
    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    """The metrics that apply to every system."""
    folds: tuple[FoldLists, ...]
    popularity: tuple[Int64, ...]
    """Of each fold, the ratings of each item in training and test together."""
    trained: tuple[Int64, ...]
    """Of each fold, the training ratings of each item; empty if there is no training set."""
    values: Float64
    """Metrics × systems × tested users; a user of several folds counts once in each."""
    fold_digests: tuple[str, ...]
    """Of the ratings of each fold."""
    left_out: tuple[str, ...]
    """Systems and metrics that are not here, with the reason."""
    gaps: tuple[str, ...] = ()
    """What these lists cannot tell."""

    @cached_property
    def digest(self) -> str:
        """sha256 of everything that a trial computes with."""
        texts = (*asdict(self.protocol).values(), *self.systems, *(metric.full_text for metric in self.metrics))
        arrays = [array for fold in self.folds for array in _arrays(fold, self.systems)]
        return digest_of(*texts, *arrays, *self.popularity, *self.trained, self.values)


def _arrays(fold: FoldLists, systems: Sequence[str]) -> Iterator[object]:
    relevance = fold.relevance
    yield from (relevance.users, relevance.indptr, relevance.item, relevance.grade, relevance.relevant, relevance.utility)
    yield from (str(fold.target), fold.eligible, fold.least_rated, fold.least_relevant)
    for name in systems:
        judged = fold.judged[name]
        yield from (judged.owner, judged.indptr, judged.row, judged.rank, judged.above, judged.tied, judged.length)
        if judged.lists is not None:
            yield from (judged.lists.indptr, judged.lists.item)


def judged_systems(
    study: Study,
    *,
    store: RankStore | None = None,
    block: int = 4096,
    step: Callable[[str], None] | None = None,
    prepared: Prepared | None = None,
) -> Iterator[SystemsOnTrial]:
    """Judge the systems of a study under each of its protocols; ranks that `store` keeps are not made again.

    A system that fails on a fold is left out of all, and so is a metric that does not apply to some system. `step` is
    called with the system after each on each fold. Profiles of the data are noted in `prepared`.
    """
    clock, prepared = Clock(), Prepared() if prepared is None else prepared
    study, sources = settle(study, filtered_sources(study, prepared, clock))
    folds = list(checked_folds(study, prepared, clock, sources))
    judged: dict[ProtocolKey, dict[int, dict[str, tuple[Judgement, Scores]]]] = {}
    failed: dict[str, str] = {}
    for f, fold in enumerate(folds):
        relevances = relevances_of(study, fold, study.metrics)
        for system in study.recommend:
            if system.name in failed:
                continue
            fitted = Fitted(system=system, plan=plan_of(study, fold), clock=clock, block=block)
            try:
                for judgement, scores in judged_in_all_ways(study, fold, fitted, fitted.ranks(store), relevances):
                    judged.setdefault(scores.protocol, {}).setdefault(f, {})[system.name] = (judgement, scores)
            except SystemFailedError as error:
                failed[system.name] = error.reason
            if step is not None:
                step(system.name)
    names = [system.name for system in study.recommend]
    if not judged:
        raise _too_few("systems", "recommend", (), _without_values(names, (), failed))
    for protocol, by_fold in judged.items():
        yield _joined(study, protocol, [(folds[f], of_fold) for f, of_fold in by_fold.items()], failed)


def judged_in_all_ways(
    study: Study, fold: Fold, fitted: Fitted, ranked: Ranked, relevances: Relevances
) -> Iterator[tuple[Judgement, Scores]]:
    """A system on a fold in every way in which the study judges it, with the values of metrics that apply to it."""
    for choice in study.judgements():
        judgement = judge(study, fold, fitted.system, ranked, choice, relevances)
        metrics = applying_metrics(study.metrics, fitted.system.recommender, judgement, fold.refused)
        metrics = [metric for metric in metrics if metric.per_user]
        if metrics:
            blocks = partial(fitted.target_scores, judgement.choices.target)
            for scored in score(judgement, metrics, blocks, pooling=False):
                yield judgement, scored.scores


def _joined(
    study: Study, protocol: ProtocolKey, folds: Sequence[tuple[Fold, OfFold]], failed: Mapping[str, str]
) -> SystemsOnTrial:
    """Systems that were judged on every fold, and metrics that apply to all of them."""
    names, of_folds = [system.name for system in study.recommend], [of_fold for _, of_fold in folds]
    systems = tuple(name for name in names if name not in failed and all(name in of_fold for of_fold in of_folds))
    left_out = _without_values(names, systems, failed)
    if len(systems) < 2:
        raise _too_few("systems", "recommend", systems, left_out)
    metrics = tuple(m for m in study.metrics if all(str(m) in of[name][1].metrics for of in of_folds for name in systems))
    left_out += [
        f"{metric}: {'it does not apply to every system' if metric.per_user else 'it has no value for single users'}"
        for metric in study.metrics
        if metric not in metrics
    ]
    rules = next(chain for chain in study.users if chain_text(chain) == protocol.users)
    return SystemsOnTrial(
        protocol=protocol,
        systems=systems,
        metrics=metrics,
        folds=tuple(_fold(fold, of_fold, systems, rules) for fold, of_fold in folds),
        popularity=tuple(fold.split.train.item_counts + fold.split.test.item_counts for fold, _ in folds),
        trained=tuple(fold.split.train.item_counts for fold, _ in folds),
        values=_values(of_folds, systems, metrics),
        fold_digests=tuple(fold.digest[:32] for fold, _ in folds),
        left_out=tuple(left_out),
        gaps=guessed(study, metrics),
    )


def guessed(protocol: Protocol, metrics: Sequence[Metric]) -> tuple[str, ...]:
    """That nobody wrote which ratings are relevant, where that matters."""
    if protocol.guess is None or not judged_by_relevance(protocol, metrics):
        return ()
    return (f"Which ratings are relevant was guessed. {guess_sentence(protocol.guess)}.",)


def _without_values(names: Iterable[str], systems: Sequence[str], failed: Mapping[str, str]) -> list[str]:
    """The systems that are not on trial, with the reason."""
    return [f"{name}: {failed.get(name, 'no metric has a value of it')}" for name in names if name not in systems]


def _too_few(noun: str, where: str, systems: Sequence[str], reasons: Sequence[str]) -> NotApplicableError:
    return NotApplicableError(
        f"metrics are put on trial by {noun}",
        where=where,
        found=len(systems),
        expected="at least two",
        hint="; ".join(reasons),
    )


def _fold(fold: Fold, of_fold: OfFold, systems: Sequence[str], rules: Sequence[UserRule]) -> FoldLists:
    first = of_fold[systems[0]][0]
    eligible = np.ones(len(fold.users), np.bool_)
    for rule in rules:
        if not (rule.least_rated or rule.least_relevant):
            eligible &= rule.keep(fold.split, first.choices.relevance)[fold.users]
    return FoldLists(
        relevance=first.judged.relevance,
        # What measuring remembered of each list would take more memory than the lists.
        judged={name: replace(of_fold[name][0].judged) for name in systems},
        target=first.choices.target,
        eligible=eligible,
        least_rated=max((rule.least_rated for rule in rules), default=0),
        least_relevant=max((rule.least_relevant for rule in rules), default=0),
    )


def _values(of_folds: Sequence[OfFold], systems: Sequence[str], metrics: Sequence[Metric]) -> Float64:
    """Metrics × systems × tested users of all folds."""

    def of_system(scores: Scores) -> Float64:
        return scores.values[:, [scores.metrics.index(str(metric)) for metric in metrics]].T

    by_fold = [np.stack([of_system(of_fold[name][1]) for name in systems], axis=1) for of_fold in of_folds]
    return np.concatenate(by_fold, axis=2)


def judged_runs(evaluation: Evaluation, at_default_depths: Collection[Metric] = ()) -> Iterator[SystemsOnTrial]:
    """The runs of an evaluation under each of its protocols; metrics that some run has no value of are left out.

    Metrics `at_default_depths` are also left out if the lists of some run end before their cut-off.
    """
    if len(evaluation.runs) < 2:
        raise _too_few("runs", "runs", list(evaluation.runs), ())
    judged: dict[ProtocolKey, dict[str, tuple[Judgement, Scores]]] = {}
    for name, run in evaluation.runs.items():
        for judgement in evaluation.judged(name, run):
            for scored in evaluation.measured(judgement):
                judged.setdefault(scored.scores.protocol, {})[name] = (judgement, scored.scores)
    for protocol, by_run in judged.items():
        yield _joined_runs(evaluation, protocol, by_run, at_default_depths)


def _joined_runs(
    evaluation: Evaluation, protocol: ProtocolKey, by_run: OfFold, at_default_depths: Collection[Metric]
) -> SystemsOnTrial:
    systems = tuple(name for name in evaluation.runs if name in by_run)
    missing = _without_values(evaluation.runs, systems, {})
    if len(systems) < 2:
        raise _too_few("runs", "runs", systems, missing)
    metrics = tuple(
        metric
        for metric in evaluation.analysis.metrics
        if metric.per_user and all(str(metric) in scores.metrics for _, scores in by_run.values())
    )
    longest = min(int(judgement.judged.length.max(initial=0)) for judgement, _ in by_run.values())
    deepest = max(longest, DEPTHS[0])
    beyond = {metric for metric in metrics if metric in at_default_depths and (depth_of(metric) or 0) > deepest}
    metrics = tuple(metric for metric in metrics if metric not in beyond)
    first = by_run[systems[0]][0]
    test, train = evaluation.qrels.test, evaluation.qrels.train
    fold = FoldLists(
        relevance=first.judged.relevance,
        judged={name: by_run[name][0].judged for name in systems},
        target=first.choices.target,
        eligible=np.ones(len(first.users), np.bool_),
    )
    return SystemsOnTrial(
        protocol=protocol,
        systems=systems,
        metrics=metrics,
        folds=(fold,),
        popularity=(test.item_counts + (train.item_counts if train is not None else 0),),
        trained=() if train is None else (train.item_counts,),
        values=_values([by_run], systems, metrics),
        fold_digests=(digest_of(test.digest, None if train is None else train.digest)[:32],),
        left_out=(*missing, *evaluation.reasons, *_beyond_lists(beyond, longest)),
        gaps=(
            *guessed(evaluation.protocol, metrics),
            *_run_gaps(by_run, systems, metrics, trained=train is not None),
        ),
    )


def _beyond_lists(beyond: Collection[Metric], longest: int) -> Iterator[str]:
    """The default cut-offs that are beyond the end of all lists of some run."""
    if beyond:
        cutoffs = listed([f"@{depth}" for depth in sorted({depth_of(metric) or 0 for metric in beyond})])
        yield f"{cutoffs}: the lists of some run end at rank {longest} or before, and nobody named these cut-offs"


def _run_gaps(by_run: OfFold, systems: tuple[str, ...], metrics: tuple[Metric, ...], *, trained: bool) -> Iterator[str]:
    if not trained:
        yield "Popularity is counted over the test ratings alone: no training set was named."
    deepest = max((depth_of(metric) or 0 for metric in metrics), default=0)
    for name in systems:
        judged = by_run[name][0].judged
        ended = judged.length < np.minimum(deepest, judged.targets)
        if ended.any():
            yield (
                f"{name}: {int(ended.sum()):,} of {counted(len(judged), 'list')} end before rank {deepest} (the shortest "
                f"has {counted(int(judged.length.min()), 'item')}); deeper cut-offs measure them as they are."
            )
