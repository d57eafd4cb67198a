"""One system on one fold: fit once, score each user once, judge that pass in every way the study asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from heldout import __version__
from heldout.errors import NotApplicableError
from heldout.experiment.clock import Clock
from heldout.experiment.failure import Failure, SystemFailedError, failure_of
from heldout.experiment.fitting import FoldWork
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
from heldout.experiment.provenance import cost_record
from heldout.experiment.ranks import Fitted, plan_of
from heldout.metrics.measuring import with_diagnostics
from heldout.storage.deferred import Deferred
from heldout.study.applicability import CUT
from heldout.study.protocol import JUDGING
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.tables.arrays import digest_of
from heldout.tables.cell_scores import CellScores, Pictured
from heldout.tables.mapped import Waiting
from heldout.tables.scores import COUNTS
from heldout.targets.ranker import Ranked

if TYPE_CHECKING:
    from heldout.experiment.run import StudyRun


def cell_key(study: Study, fold: Fold, system: System, groups: SideGroups | None = None) -> str:
    """The digest of all that a cell's scores depend on, and its pictures where there are `groups`."""
    choices = [f"{stage}={options}" for stage, options in study.options() if stage in ("users", *JUDGING)]
    choices.append(f"metrics={tuple(metric.full_text for metric in study.metrics)}")
    choices += [*COUNTS, f"pooled={keeps_denominators(study)}"]
    choices += [] if groups is None else ["pictured with lists", groups.digest]
    files = (system.recommender.source_digest(), side_digest(study.metrics, source_of(study, fold)))
    choices += [digest for digest in files if digest]
    return digest_of(__version__, fold.digest, system.name, system.recommender.full_text, study.seed, *choices)


def measured_part(study: Study, fold: Fold, fitted: Fitted, ranked: Ranked) -> CellScores:
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
    return CellScores(tuple(part.scores for part in parts), fold.split.train.users, curves)


def pictured_part(
    study: Study, fold: Fold, fitted: Fitted, ranked: Ranked, groups: SideGroups, waiting: Waiting | None
) -> CellScores:
    """The same with what pictures of the first protocol need; `groups` are those by which they show values.

    It is computed at once, or when it is first read if `waiting` keeps its inputs.
    """
    part = measured_part(study, fold, fitted, ranked)

    def of_first() -> Deferred[Pictured]:
        first = next(judgements_of(study, fold, fitted.system, ranked, ()))
        depicted = pictured(first, study.metrics, groups, part.scores[0].users, waiting)
        return Deferred.known(depicted.value) if waiting is None else depicted

    return replace(part, pictured=fitted.clock.time("measure", of_first))


@dataclass(eq=False, kw_only=True)
class CellTask:
    """The work of a run on one cell; an engine calls `work`, or what `task` names for the outcome in another process."""

    run: StudyRun
    fold: Fold
    system: System
    name: str
    """Of the cell, in the manifest."""
    key: str
    because: str
    """Why it is not taken from an earlier run; empty if there was none."""
    groups: SideGroups
    elsewhere: FoldWork | None
    """Fits systems in other processes, if the engine has some."""
    clock: Clock = field(default_factory=Clock)
    users: int = 0
    """Users ranked so far."""
    cost_kept: bool = False

    @property
    def label(self) -> str:
        """What progress calls the cell."""
        fold = self.fold.split.fold
        return self.system.name if fold == 0 else f"{self.system.name}, fold {fold + 1}"

    @cached_property
    def kept(self) -> bool:
        """True if an earlier run kept the scores."""
        ledger = self.run.ledger
        return ledger is not None and self.system.recommender.reusable and ledger.has(self.key)

    def task(self) -> Callable[[], CellScores | Failure]:
        """The task of an engine."""
        if self.kept or self.elsewhere is None:
            return self.work
        asking = next((str(m) for m in self.run.study.metrics if m.needs_all_scores), "")
        if asking:
            self._note_here(f"{asking} asks its model for all scores")
            return self.work
        self.run.bar.stage(f"fitting {self.label}")
        return self.elsewhere.task(
            self.system, here=self.work, after=self.work, failed=self._failed_there, unsendable=self._unsendable
        )

    def work(self, arrived: Ranked | None = None) -> CellScores | Failure:
        """The scores, or why there are none; `arrived` are ranks that another process made."""
        result = self._stored() if self.kept else self.compute(arrived)
        seconds = None if arrived is None or self.elsewhere is None else self.elsewhere.seconds(self.system)
        self.run.bar.finish(self.system.name, loaded=self.kept, seconds=seconds, stage=self.label)
        return result

    def _stored(self) -> CellScores:
        assert self.run.ledger is not None  # scores are kept there
        self._note_done("reused", "")
        return self.run.ledger.load(self.key)

    def compute(self, arrived: Ranked | None) -> CellScores | Failure:
        """Measure ranks that arrived, are kept or are made now, and keep the scores."""
        run, ledger = self.run, self.run.ledger
        if arrived is None:
            run.bar.stage(f"fitting {self.label}")
        fitted = Fitted(
            system=self.system,
            plan=plan_of(run.study, self.fold, pictured=True),
            clock=self.clock,
            block=run.block,
            progress=self._tell,
            arrived=arrived,
            before_keeping=self._keep_cost,
        )
        waiting = run.prepared.waiting if ledger is None else None  # a ledger stores pictures with the scores
        try:
            part = pictured_part(run.study, self.fold, fitted, fitted.ranks(ledger), self.groups, waiting)
        except SystemFailedError as error:
            return self._failed(error)
        finally:
            run.clock.add(self.clock)
        if fitted.was_fitted and not self.cost_kept:  # ranks were there, and a metric of all scores asked for the model
            self._keep_cost()
        self._note_done("fitted" if fitted.was_fitted else "measured", self.because)
        if ledger is not None:
            ledger.save(self.key, part)
            ledger.note_done(self.name)
        return part

    def _keep_cost(self) -> None:
        """Keep what the fit took before its ranks or scores are kept: a run that is stopped must not lose it."""
        self.cost_kept = True
        spent = Clock()
        spent.add(self.clock)
        if self.elsewhere is not None and self.system.name in self.elsewhere.clocks:
            spent.add(self.elsewhere.clocks[self.system.name])
        self.run.manifest["costs"][self.name] = cost_record(self.system.name, self.system.recommender.full_text, spent)
        if self.run.ledger is not None:
            self.run.ledger.write_manifest(self.run.manifest)

    def _failed(self, error: SystemFailedError) -> Failure:
        self._note_done("failed", error.reason)
        failure = failure_of(self.name, self.fold.split.fold, error)
        if self.run.ledger is not None:
            self.run.ledger.note_failure(failure)
        return failure

    def _failed_there(self, error: SystemFailedError) -> Failure:
        self.run.bar.finish(self.system.name, stage=self.label)
        return self._failed(error)

    def _unsendable(self, reason: str) -> CellScores | Failure:
        self._note_here(reason)
        return self.work()

    def _note_here(self, reason: str) -> None:
        """Note why the system is fitted in this process although there are others."""
        self.run.manifest.setdefault("here", {})[self.system.name] = reason

    def _note_done(self, done: str, because: str) -> None:
        self.run.manifest["cells"][self.name] = {"done": done, "because": because}

    def _tell(self, users: int) -> None:
        self.users += users
        self.run.bar.part(self.system.name, self.users / max(len(self.fold.users), 1), stage=self.label)
