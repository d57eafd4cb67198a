"""Fitting and ranking as tasks of an engine: in this process, or side by side in others that keep the ranks in a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
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


@dataclass(eq=False)
class FoldWork:
    """The systems of one fold, each to be fitted and ranked; the fold is copied once for all processes that read it."""

    study: Study
    fold: Fold
    store: Ledger
    """Where ranks are kept."""
    clock: Clock
    block: int = 4096
    awaited: int = field(default=0, init=False)

    @cached_property
    def plan(self) -> RankPlan:
        """What is ranked."""
        return plan_of(self.study, self.fold)

    @cached_property
    def _copy(self) -> Path:
        split = self.fold.split
        folder = self.store.work / f"fold-{split.digest[:32]}-{id(self)}"
        self.clock.time("copy", lambda: copy_fold(folder, split, self.fold.users))
        return folder

    def task(
        self,
        system: System,
        here: Callable[[], R],
        after: Callable[[], R],
        failed: Callable[[SystemFailedError], R],
    ) -> Callable[[], R]:
        """What fits and ranks a system: `here`, or another process, and then `after` or `failed` in this one."""
        key = fit_key(self.plan, system) if system.recommender.reusable else ""
        if not key or not sendable(self.study, system) or self.store.has_ranks(key, self.plan):
            return here
        self.store.begin()
        file = self.store.ranks_file(key, self.plan)
        fold = self.fold.split.fold
        sent = arguments(self.study, system, fold=fold, copy=self._copy, file=file, plan=self.plan, block=self.block)
        self.awaited += 1

        def received(answer: dict[str, Any]) -> R:
            self._one_less()
            if "failed" in answer:
                return failed(SystemFailedError(system.name, **answer["failed"]))
            self.clock.add(answer["seconds"])
            self.store.note(file)
            return after()

        def died(error: TaskFailedError) -> R:
            self._one_less()
            if not error.raised:
                return failed(SystemFailedError(system.name, "fit", error.reason, details=error.details))
            if error.raised == ResultsError.__name__:
                raise ResultsError(error.reason)
            return here()  # the recommender did not fail, the way there did

        return Sendable(here=here, function=FUNCTION, arguments=sent, received=received, failed=died)

    def _one_less(self) -> None:
        self.awaited -= 1
        if self.awaited == 0:
            rmtree(self._copy, ignore_errors=True)


def _nothing() -> None:
    """What is done where nothing is to be done."""


def rank_ahead(
    study: Study, of_split: Sequence[Fold], *, store: Ledger, engine: Engine, clock: Clock, block: int = 4096
) -> dict[tuple[int, str], SystemFailedError]:
    """Have an engine fit and rank all systems on all folds, so that `store` has the ranks; by fold and system, who failed.

    Systems that cannot be sent to other processes are left to whoever asks for their ranks.
    """
    if isinstance(engine, InProcess):
        return {}
    found: dict[tuple[int, str], SystemFailedError] = {}
    tasks = []
    for fold in of_split:
        work = FoldWork(study, fold, store, clock, block)
        for system in study.recommend:
            note = partial(found.__setitem__, (fold.split.fold, system.name))
            tasks.append(work.task(system, _nothing, _nothing, note))
    for _ in engine.run(tasks):
        pass
    return found
