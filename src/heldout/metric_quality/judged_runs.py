"""Runs that any system produced, judged under one protocol: what metrics are put on trial with when nothing is fitted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from heldout.errors import NotApplicableError
from heldout.experiment.evaluate import Evaluation
from heldout.experiment.judging import Judgement
from heldout.metric_quality.judged_systems import JudgedSystems, guessed
from heldout.metric_quality.sampled_means import JudgedFold
from heldout.metric_quality.trial import DEPTHS
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.tables import ProtocolKey, Scores
from heldout.tables.arrays import Float64, digest_of
from heldout.words import counted, listed


def judged_runs(evaluation: Evaluation, at_default_depths: Collection[Metric] = ()) -> Iterator[JudgedSystems]:
    """The runs of an evaluation under each of its protocols; metrics that some run has no value of are left out.

    Metrics `at_default_depths` are also left out if the lists of some run end before their cut-off.
    """
    runs = evaluation.judgements.runs
    if len(runs) < 2:
        raise NotApplicableError(f"metrics are put on trial by at least two runs, found {len(runs)}", where="runs")
    judged: dict[ProtocolKey, dict[str, tuple[Judgement, Scores]]] = {}
    for name, run in runs.items():
        for judgement in evaluation.judged(name, run):
            for scored in evaluation.measured(judgement):
                judged.setdefault(scored.scores.protocol, {})[name] = (judgement, scored.scores)
    for protocol, by_run in judged.items():
        yield _judged(evaluation, protocol, by_run, at_default_depths)


def _judged(
    evaluation: Evaluation,
    protocol: ProtocolKey,
    by_run: Mapping[str, tuple[Judgement, Scores]],
    at_default_depths: Collection[Metric],
) -> JudgedSystems:
    systems = tuple(name for name in evaluation.judgements.runs if name in by_run)
    missing = [f"{name}: no metric has a value of it" for name in evaluation.judgements.runs if name not in by_run]
    if len(systems) < 2:
        raise NotApplicableError(
            f"metrics are put on trial by at least two runs, found {len(systems)} ({'; '.join(missing)})", where="runs"
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
    test, train = evaluation.judgements.test, evaluation.judgements.train
    return JudgedSystems(
        protocol=protocol,
        systems=systems,
        metrics=metrics,
        folds=(
            JudgedFold(
                relevance=judgement.judged.relevance,
                judged={name: by_run[name][0].judged for name in systems},
                target=judgement.target,
                eligible=np.ones(len(judgement.users), np.bool_),
            ),
        ),
        popularity=(test.item_counts + (train.item_counts if train is not None else 0),),
        trained=() if train is None else (train.item_counts,),
        values=np.stack([_values(by_run[name][1], metrics) for name in systems], axis=1),
        fold_digests=(digest_of(test.digest, None if train is None else train.digest)[:32],),
        left_out=(*missing, *evaluation.reasons, *_beyond_lists(beyond, longest)),
        gaps=(
            *guessed(evaluation.protocol, metrics),
            *_gaps(by_run, systems, metrics, trained=train is not None),
        ),
    )


def _beyond_lists(beyond: Collection[Metric], longest: int) -> Iterator[str]:
    """The default cut-offs that are beyond the end of all lists of some run."""
    if beyond:
        cutoffs = listed([f"@{depth}" for depth in sorted({depth_of(metric) or 0 for metric in beyond})])
        yield f"{cutoffs}: the lists of some run end at rank {longest} or before, and nobody named these cut-offs"


def _values(scores: Scores, metrics: tuple[Metric, ...]) -> Float64:
    """Metrics × tested users."""
    values: Float64 = scores.values[:, [scores.metrics.index(str(metric)) for metric in metrics]].T
    return values


def _gaps(
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
