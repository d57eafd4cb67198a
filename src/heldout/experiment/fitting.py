"""Fitting and ranking as tasks of an engine: in this process, or in several that write their ranks to a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar

from heldout.engine.engine import Engine, InProcess, Sendable, TaskFailedError
from heldout.errors import ResultsError
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError
from heldout.experiment.fold_copy import copy_fold
from heldout.experiment.folds import Fold
from heldout.experiment.ledger import Ledger
from heldout.experiment.ranks import fit_key, plan_of
from heldout.experiment.remote import FUNCTION, arguments, sendable
from heldout.study.protocol import System
from heldout.study.spec import Study
from heldout.targets.ranker import RankPlan

R = TypeVar("R")

_copies = count()
"""Numbers the copies of folds that this process makes."""


@dataclass(eq=False, kw_only=True)
class FoldWork:
    """The systems to fit and rank on one fold. The fold is copied to disk once; all processes read that copy."""

    study: Study
    fold: Fold
    store: Ledger
    """Where ranks are kept."""
    clock: Clock
    block: int = 4096
    awaited: int = field(default=0, init=False)
    """Tasks sent to other processes that have not ended."""

    @cached_property
    def plan(self) -> RankPlan:
        """The lists to rank, the same for all systems."""
        return plan_of(self.study, self.fold)

    @cached_property
    def _copy(self) -> Path:
        split = self.fold.split
        folder = self.store.work / f"fold-{split.digest[:32]}-{next(_copies)}"
        self.clock.time("copy", lambda: copy_fold(folder, split, self.fold.users))
        return folder

    def task(
        self,
        system: System,
        here: Callable[[], R],
        after: Callable[[], R],
        failed: Callable[[SystemFailedError], R],
    ) -> Callable[[], R]:
        """A task that fits and ranks a system.

        It calls `here` in this process, or sends the work to another and then calls `after` or `failed` in this one.
        """
        key = fit_key(self.plan, system) if system.recommender.reusable else ""
        if not key or not sendable(self.study, system) or self.store.has_ranks(key, self.plan):
            return here
        self.store.begin()
        file = self.store.ranks_file(key, self.plan)
        fold = self.fold.split.fold
        sent = arguments(self.study, system, fold=fold, copy=self._copy, file=file, plan=self.plan, block=self.block)
        self.awaited += 1

        def received(answer: dict[str, Any]) -> R:
            self._task_done()
            if "failed" in answer:
                return failed(SystemFailedError(system.name, **answer["failed"]))
            self.clock.add(answer["seconds"])
            self.store.note(file)
            return after()

        def died(error: TaskFailedError) -> R:
            self._task_done()
            if not error.raised:
                return failed(SystemFailedError(system.name, "fit", error.reason, details=error.details))
            if error.raised == ResultsError.__name__:
                raise ResultsError(error.reason)
            return here()  # the worker failed before the fit started

        return Sendable(here=here, function=FUNCTION, arguments=sent, received=received, failed=died)

    def _task_done(self) -> None:
        self.awaited -= 1
        if self.awaited == 0:
            rmtree(self._copy, ignore_errors=True)


def _no_op() -> None:
    """Leave a system to its caller: its ranks are stored by now, or it cannot be sent to another process."""


def rank_ahead(
    study: Study, of_split: Sequence[Fold], *, store: Ledger, engine: Engine, clock: Clock, block: int = 4096
) -> dict[tuple[int, str], SystemFailedError]:
    """Fit and rank all systems on all folds into `store`; returns the failures by fold and system.

    Systems that cannot be sent to other processes are skipped: they are fitted when their ranks are read.
    """
    if isinstance(engine, InProcess):
        return {}
    failures: dict[tuple[int, str], SystemFailedError] = {}
    tasks = []
    for fold in of_split:
        work = FoldWork(study=study, fold=fold, store=store, clock=clock, block=block)
        for system in study.recommend:
            note = partial(failures.__setitem__, (fold.split.fold, system.name))
            tasks.append(work.task(system, _no_op, _no_op, note))
    for _ in engine.run(tasks):
        pass
    return failures
