"""The lists of all systems of a study, or of runs that any system produced, judged under one protocol."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from heldout.metric_quality.sampled_means import JudgedFold
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.study.protocol import Protocol
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.tables import ProtocolKey, Scores
from heldout.tables.arrays import Float64, Int64, digest_of
from heldout.targets.ranker import Ranked
from heldout.targets.user_rule import UserRule
from heldout.text.numbers import counted
from heldout.text.phrases import listed


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedSystems:
    """The lists of all systems under one protocol, on every fold."""

    protocol: ProtocolKey
    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    """The metrics that apply to every system."""
    folds: tuple[JudgedFold, ...]
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


def _arrays(fold: JudgedFold, systems: Sequence[str]) -> Iterator[object]:
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
) -> Iterator[JudgedSystems]:
    """Judge the systems of a study under each of its protocols; ranks that `store` keeps are not made again.

    A system that fails on a fold is left out of all, and so is a metric that does not apply to some system. `step` is
    called with the system after each on each fold. Profiles of the data are noted in `prepared`.
    """
    clock, prepared = Clock(), Prepared() if prepared is None else prepared
    study, sources = settle(study, filtered_sources(study, prepared, clock))
    folds = list(checked_folds(study, prepared, clock, sources))
    judged: dict[ProtocolKey, dict[int, dict[str, JudgedSystem]]] = {}
    failed: dict[str, str] = {}
    for f, fold in enumerate(folds):
        relevances = relevances_of(study, fold, study.metrics)
        for system in study.recommend:
            if system.name in failed:
                continue
            fitted = Fitted(system=system, plan=plan_of(study, fold), clock=clock, block=block)
            try:
                for judged_system in judged_in_all_ways(study, fold, system, fitted.ranks(store), fitted, relevances):
                    judged.setdefault(judged_system.protocol, {}).setdefault(f, {})[system.name] = judged_system
            except SystemFailedError as error:
                failed[system.name] = error.reason
            if step is not None:
                step(system.name)
    if not judged:
        raise _too_few(study, (), failed)
    for by_fold in judged.values():
        yield _joined(study, folds, by_fold, failed)


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedSystem:
    """One system on one fold under one protocol."""

    protocol: ProtocolKey
    users: tuple[UserRule, ...]
    judgement: Judgement
    metrics: tuple[Metric, ...]
    """Those that have a value of its lists."""
    values: Float64
    """Metrics × tested users."""


def judged_in_all_ways(
    study: Study, fold: Fold, system: System, ranked: Ranked, fitted: Fitted, relevances: Relevances
) -> Iterator[JudgedSystem]:
    """A system on a fold in every way in which the study judges it."""
    for choice in study.judgements():
        judgement = judge(study, fold, system, ranked, choice, relevances)
        metrics = applying_metrics(study.metrics, system.recommender, judgement, fold.refused)
        metrics = [metric for metric in metrics if metric.per_user]
        if not metrics:
            continue
        blocks = partial(fitted.target_scores, judgement.choices.target)
        for users, scored in zip(study.users, score(judgement, metrics, blocks, pooling=False), strict=True):
            scores = scored.scores
            yield JudgedSystem(
                protocol=scores.protocol, users=users, judgement=judgement, metrics=tuple(metrics), values=scores.values.T
            )


def _joined(
    study: Study, folds: Sequence[Fold], by_fold: Mapping[int, Mapping[str, JudgedSystem]], failed: Mapping[str, str]
) -> JudgedSystems:
    """Systems that were judged on every fold, and metrics that apply to all of them."""
    systems = tuple(
        s.name for s in study.recommend if s.name not in failed and all(s.name in judged for judged in by_fold.values())
    )
    several = [judged[name] for judged in by_fold.values() for name in systems]
    if len(systems) < 2:
        raise _too_few(study, systems, failed)
    metrics = tuple(m for m in study.metrics if all(m in judged.metrics for judged in several))
    left_out = _systems_left_out(study, systems, failed)
    left_out += [
        f"{metric}: {'it does not apply to every system' if metric.per_user else 'it has no value for single users'}"
        for metric in study.metrics
        if metric not in metrics
    ]
    first = {f: judged[systems[0]] for f, judged in by_fold.items()}
    return JudgedSystems(
        protocol=several[0].protocol,
        systems=systems,
        metrics=metrics,
        folds=tuple(_fold(folds[f], judged, systems) for f, judged in by_fold.items()),
        popularity=tuple(folds[f].split.train.item_counts + folds[f].split.test.item_counts for f in first),
        trained=tuple(folds[f].split.train.item_counts for f in first),
        values=np.concatenate([_values(judged, systems, metrics) for judged in by_fold.values()], axis=2),
        fold_digests=tuple(folds[f].digest[:32] for f in first),
        left_out=tuple(left_out),
        gaps=guessed(study, metrics),
    )


def guessed(protocol: Protocol, metrics: Sequence[Metric]) -> tuple[str, ...]:
    """That nobody wrote which ratings are relevant, where that matters."""
    if protocol.guess is None or not judged_by_relevance(protocol, metrics):
        return ()
    return (f"Which ratings are relevant was guessed. {guess_sentence(protocol.guess)}.",)


def _systems_left_out(study: Study, systems: Sequence[str], failed: Mapping[str, str]) -> list[str]:
    """The systems that are not on trial, with the reason."""
    names = [system.name for system in study.recommend if system.name not in systems]
    return [f"{name}: {failed.get(name, 'no metric has a value of it')}" for name in names]


def _too_few(study: Study, systems: Sequence[str], failed: Mapping[str, str]) -> NotApplicableError:
    return NotApplicableError(
        "metrics are put on trial by systems",
        where="recommend",
        found=len(systems),
        expected="at least two",
        hint="; ".join(_systems_left_out(study, systems, failed)),
    )


def _fold(fold: Fold, judged: Mapping[str, JudgedSystem], systems: Sequence[str]) -> JudgedFold:
    first = judged[systems[0]]
    judgement, rules = first.judgement, first.users
    eligible = np.ones(len(fold.users), np.bool_)
    for rule in rules:
        if not (rule.least_rated or rule.least_relevant):
            eligible &= rule.keep(fold.split, judgement.choices.relevance)[fold.users]
    return JudgedFold(
        relevance=judgement.judged.relevance,
        # What measuring remembered of each list would take more memory than the lists.
        judged={name: replace(judged[name].judgement.judged) for name in systems},
        target=judgement.choices.target,
        eligible=eligible,
        least_rated=max((rule.least_rated for rule in rules), default=0),
        least_relevant=max((rule.least_relevant for rule in rules), default=0),
    )


def _values(judged: Mapping[str, JudgedSystem], systems: Sequence[str], metrics: Sequence[Metric]) -> Float64:
    """Metrics × systems × tested users of one fold."""
    rows = [judged[name].values[[judged[name].metrics.index(m) for m in metrics]] for name in systems]
    return np.stack(rows, axis=1)


def judged_runs(evaluation: Evaluation, at_default_depths: Collection[Metric] = ()) -> Iterator[JudgedSystems]:
    """The runs of an evaluation under each of its protocols; metrics that some run has no value of are left out.

    Metrics `at_default_depths` are also left out if the lists of some run end before their cut-off.
    """
    runs = evaluation.runs
    if len(runs) < 2:
        raise NotApplicableError("metrics are put on trial by runs", where="runs", found=len(runs), expected="at least two")
    judged: dict[ProtocolKey, dict[str, tuple[Judgement, Scores]]] = {}
    for name, run in runs.items():
        for judgement in evaluation.judged(name, run):
            for scored in evaluation.measured(judgement):
                judged.setdefault(scored.scores.protocol, {})[name] = (judgement, scored.scores)
    for protocol, by_run in judged.items():
        yield _joined_runs(evaluation, protocol, by_run, at_default_depths)


def _joined_runs(
    evaluation: Evaluation,
    protocol: ProtocolKey,
    by_run: Mapping[str, tuple[Judgement, Scores]],
    at_default_depths: Collection[Metric],
) -> JudgedSystems:
    systems = tuple(name for name in evaluation.runs if name in by_run)
    missing = [f"{name}: no metric has a value of it" for name in evaluation.runs if name not in by_run]
    if len(systems) < 2:
        raise NotApplicableError(
            "metrics are put on trial by runs",
            where="runs",
            found=len(systems),
            expected="at least two",
            hint="; ".join(missing),
        )
    metrics = tuple(
        metric
        for metric in evaluation.analysis.metrics
        if metric.per_user and all(str(metric) in scores.metrics for _, scores in by_run.values())
    )
    longest = min(int(judgement.judged.length.max(initial=0)) for judgement, _ in by_run.values())
    deepest = max(longest, DEPTHS[0])
    beyond = {metric for metric in metrics if metric in at_default_depths and (depth_of(metric) or 0) > deepest}
    metrics = tuple(metric for metric in metrics if metric not in beyond)
    judgement = by_run[systems[0]][0]
    test, train = evaluation.qrels.test, evaluation.qrels.train
    return JudgedSystems(
        protocol=protocol,
        systems=systems,
        metrics=metrics,
        folds=(
            JudgedFold(
                relevance=judgement.judged.relevance,
                judged={name: by_run[name][0].judged for name in systems},
                target=judgement.choices.target,
                eligible=np.ones(len(judgement.users), np.bool_),
            ),
        ),
        popularity=(test.item_counts + (train.item_counts if train is not None else 0),),
        trained=() if train is None else (train.item_counts,),
        values=np.stack([_run_values(by_run[name][1], metrics) for name in systems], axis=1),
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


def _run_values(scores: Scores, metrics: tuple[Metric, ...]) -> Float64:
    """Metrics × tested users."""
    values: Float64 = scores.values[:, [scores.metrics.index(str(metric)) for metric in metrics]].T
    return values


def _run_gaps(
    by_run: Mapping[str, tuple[Judgement, Scores]], systems: tuple[str, ...], metrics: tuple[Metric, ...], *, trained: bool
) -> Iterator[str]:
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
