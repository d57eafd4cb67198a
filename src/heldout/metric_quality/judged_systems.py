"""All systems' lists under one protocol: what metrics are put on trial with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from heldout.errors import NotApplicableError
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError
from heldout.experiment.folds import Fold, Prepared, filtered_sources
from heldout.experiment.guessed_relevance import settle
from heldout.experiment.judging import Judgement, judgements_of
from heldout.experiment.preflight import checked_folds
from heldout.experiment.ranks import Fitted, plan_of
from heldout.experiment.scoring import applying_metrics, score
from heldout.metric_quality.sampled_means import JudgedFold
from heldout.metrics.metric import Metric
from heldout.study.protocol import System
from heldout.study.spec import Study
from heldout.tables import ProtocolKey
from heldout.tables.arrays import Float64, Int64
from heldout.targets.user_rule import UserRule

if TYPE_CHECKING:
    from heldout.experiment.ledger import Ledger


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
    values: Float64
    """Metrics × systems × tested users; a user of several folds counts once in each."""
    left_out: tuple[str, ...]
    """Systems and metrics that are not here, with the reason."""


def judged_systems(
    study: Study,
    *,
    store: Ledger | None = None,
    block: int = 4096,
    progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[JudgedSystems]:
    """Judge the systems of a study under each of its protocols; ranks that `store` keeps are not made again.

    A system that fails on a fold is left out of all, and so is a metric that does not apply to some system.
    """
    clock, prepared = Clock(), Prepared([], [])
    study, sources = settle(study, filtered_sources(study, prepared, clock))
    folds = list(checked_folds(study, prepared, clock, sources))
    judged: dict[ProtocolKey, dict[int, dict[str, _JudgedSystem]]] = {}
    failed: dict[str, str] = {}
    total = len(folds) * len(study.recommend)
    for f, fold in enumerate(folds):
        for s, system in enumerate(study.recommend):
            if progress is not None:
                progress(f"judging {system.name}", f * len(study.recommend) + s, total)
            if system.name in failed:
                continue
            fitted = Fitted(system, plan_of(study, fold), clock, block)
            try:
                for judged_system in _judge(study, fold, system, fitted, store):
                    judged.setdefault(judged_system.protocol, {}).setdefault(f, {})[system.name] = judged_system
            except SystemFailedError as error:
                failed[system.name] = error.reason
    for by_fold in judged.values():
        yield _joined(study, folds, by_fold, failed)


@dataclass(frozen=True, eq=False, kw_only=True)
class _JudgedSystem:
    """One system on one fold under one protocol."""

    protocol: ProtocolKey
    users: tuple[UserRule, ...]
    judgement: Judgement
    metrics: tuple[Metric, ...]
    """Those that have a value of its lists."""
    values: Float64
    """Metrics × tested users."""


def _judge(study: Study, fold: Fold, system: System, fitted: Fitted, store: Ledger | None) -> Iterator[_JudgedSystem]:
    """A system on a fold in every way in which the study judges it."""
    ranked = fitted.ranks(store)
    for judgement in judgements_of(study, fold, system, ranked, study.measure):
        metrics = applying_metrics(study.measure, system.recommender, judgement, fold.refused)
        metrics = [metric for metric in metrics if metric.per_user]
        if not metrics:
            continue
        blocks = partial(fitted.target_scores, judgement.target)
        for users, scored in zip(study.users, score(judgement, metrics, blocks, pooling=False), strict=True):
            scores = scored.scores
            yield _JudgedSystem(
                protocol=scores.protocol, users=users, judgement=judgement, metrics=tuple(metrics), values=scores.values.T
            )


def _joined(
    study: Study, folds: Sequence[Fold], by_fold: Mapping[int, Mapping[str, _JudgedSystem]], failed: Mapping[str, str]
) -> JudgedSystems:
    """Systems that were judged on every fold, and metrics that apply to all of them."""
    systems = tuple(
        s.name for s in study.recommend if s.name not in failed and all(s.name in judged for judged in by_fold.values())
    )
    several = [judged[name] for judged in by_fold.values() for name in systems]
    if len(systems) < 2:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in failed.items())
        raise NotApplicableError(
            f"metrics are put on trial by at least two systems, found {len(systems)}" + (f" ({reasons})" if reasons else ""),
            where="recommend",
        )
    metrics = tuple(m for m in study.measure if all(m in judged.metrics for judged in several))
    left_out = [f"{name}: {reason}" for name, reason in failed.items()]
    left_out += [f"{metric}: it does not apply to every system" for metric in study.measure if metric not in metrics]
    first = {f: judged[systems[0]] for f, judged in by_fold.items()}
    return JudgedSystems(
        protocol=several[0].protocol,
        systems=systems,
        metrics=metrics,
        folds=tuple(_fold(folds[f], judged, systems) for f, judged in by_fold.items()),
        popularity=tuple(folds[f].split.train.item_counts + folds[f].split.test.item_counts for f in first),
        values=np.concatenate([_values(judged, systems, metrics) for judged in by_fold.values()], axis=2),
        left_out=tuple(left_out),
    )


def _fold(fold: Fold, judged: Mapping[str, _JudgedSystem], systems: Sequence[str]) -> JudgedFold:
    first = judged[systems[0]]
    judgement, rules = first.judgement, first.users
    eligible = np.ones(len(fold.users), np.bool_)
    for rule in rules:
        if not (rule.least_rated or rule.least_relevant):
            eligible &= rule.keep(fold.split, judgement.relevance_rule)[fold.users]
    return JudgedFold(
        relevance=judgement.judged.relevance,
        judged={name: judged[name].judgement.judged for name in systems},
        target=judgement.target,
        eligible=eligible,
        least_rated=max((rule.least_rated for rule in rules), default=0),
        least_relevant=max((rule.least_relevant for rule in rules), default=0),
    )


def _values(judged: Mapping[str, _JudgedSystem], systems: Sequence[str], metrics: Sequence[Metric]) -> Float64:
    """Metrics × systems × tested users of one fold."""
    rows = [judged[name].values[[judged[name].metrics.index(m) for m in metrics]] for name in systems]
    return np.stack(rows, axis=1)
