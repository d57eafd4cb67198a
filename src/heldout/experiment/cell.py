"""One system on one fold: fit once, score each user once, judge that pass in every way the study asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from heldout import __version__
from heldout.errors import NotApplicableError
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Fold
from heldout.experiment.judging import (
    UserScores,
    applying_metrics,
    judgements_of,
    keeps_denominators,
    score,
    side_digest,
    source_of,
)
from heldout.experiment.pictured import SideGroups, pictured
from heldout.experiment.ranks import Fitted, RankStore, plan_of
from heldout.metrics.measuring import with_diagnostics
from heldout.study.applicability import CUT
from heldout.study.protocol import JUDGING
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.tables.arrays import digest_of
from heldout.tables.deferred import Deferred, Waiting
from heldout.tables.part import Part, Pictured
from heldout.tables.scores import COUNTS
from heldout.targets.ranker import Ranked


def cell_key(study: Study, fold: Fold, system: System, groups: SideGroups | None = None) -> str:
    """The digest of all that a cell's scores depend on, and its pictures where there are `groups`."""
    choices = [f"{stage}={options}" for stage, options in study.options() if stage in ("users", *JUDGING)]
    choices.append(f"metrics={tuple(metric.full_text for metric in study.metrics)}")
    choices += [*COUNTS, f"pooled={keeps_denominators(study)}"]
    choices += [] if groups is None else ["pictured with lists", groups.digest]
    files = (system.recommender.source_digest(), side_digest(study.metrics, source_of(study, fold)))
    choices += [digest for digest in files if digest]
    return digest_of(__version__, fold.digest, system.name, system.recommender.full_text, study.seed, *choices)


def cell(
    study: Study,
    fold: Fold,
    system: System,
    *,
    block: int,
    clock: Clock,
    progress: Callable[[int], None],
    store: RankStore | None = None,
    fits: list[str] | None = None,
    arrived: Ranked | None = None,
    before_keeping: Callable[[], None] | None = None,
    groups: SideGroups | None = None,
    waiting: Waiting | None = None,
) -> Part:
    """Scores of every user under every protocol; ranks that `store` has, or that `arrived`, are not made again.

    Fits are noted in `fits`; `before_keeping` is called when there are new ranks, before they are kept. `groups` are those
    by which pictures show values; with them, what pictures of the first protocol need is kept. It is computed when it is
    first read if `waiting` has room for its inputs.
    """
    fitted = Fitted(
        system=system,
        plan=plan_of(study, fold, pictured=groups is not None),
        clock=clock,
        block=block,
        progress=progress,
        fits=[] if fits is None else fits,
        arrived=arrived,
        before_keeping=before_keeping,
    )
    ranked = fitted.ranks(store)
    part = measured_part(study, fold, fitted, ranked)
    if groups is None:
        return part

    def kept() -> Deferred[Pictured]:
        first = next(judgements_of(study, fold, system, ranked, ()))
        depicted = pictured(first, study.metrics, groups, part.scores[0].users)
        return Deferred.known(depicted.value) if waiting is None else waiting.keep(depicted, first.nbytes)

    return replace(part, pictured=clock.time("measure", kept))


def measured_part(study: Study, fold: Fold, fitted: Fitted, ranked: Ranked) -> Part:
    """Scores of every user under every protocol of a study; `ranked` may hold the ranks of other targets too."""
    system, clock = fitted.system, fitted.clock

    def measured() -> list[UserScores]:
        return [
            user_scores
            for judgement in judgements_of(study, fold, system, ranked, with_diagnostics(study.metrics))
            if (metrics := applying_metrics(study.metrics, system.recommender, judgement, fold.refused))
            for user_scores in score(
                judgement,
                with_diagnostics(metrics),
                partial(fitted.target_scores, judgement.choices.target),
                pooling=keeps_denominators(study),
            )
        ]

    parts = clock.time("measure", measured)
    if not parts and system.recommender.ends_early:
        raise NotApplicableError(f"nothing is left to measure of {system.name}: {CUT}", where="metrics")
    curves = tuple(points for part in parts for points in part.curves)
    return Part(tuple(part.scores for part in parts), fold.split.train.users, curves)
