"""Fitting and ranking as tasks of an engine beyond this process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, TypeVar

from heldout.engine.engine import Engine, InProcess, Sendable, Shared, TaskFailedError
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError, guard, refuse_nothing
from heldout.experiment.folds import Fold
from heldout.experiment.ledger import Ledger
from heldout.experiment.ranks import Fitted, fit_key, plan_of
from heldout.recommenders.recommender import Model
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.targets.ranker import Ranked, RankPlan, joined, rank, shard_of, shards

R = TypeVar("R")
T = TypeVar("T")


@dataclass(eq=False, kw_only=True)
class FoldWork:
    """The systems to fit and rank on one fold. Its ratings are sent once for all of them."""

    study: Study
    fold: Fold
    store: Ledger | None
    """Where ranks are kept."""
    clock: Clock
    block: int = 4096
    pictured: bool = False
    """True if lists that pictures need are made too."""
    clocks: dict[str, Clock] = field(default_factory=dict)
    """System → what fitting and ranking it there took."""

    @cached_property
    def plan(self) -> Shared[RankPlan]:
        """The lists to rank, the same for all systems."""
        return Shared(plan_of(self.study, self.fold, pictured=self.pictured))

    def task(
        self,
        system: System,
        *,
        here: Callable[[], R],
        after: Callable[[Ranked], R],
        failed: Callable[[SystemFailedError], R],
        unsendable: Callable[[str], R],
    ) -> Callable[[], R]:
        """A task that fits and ranks a system in another process; many users are ranked in shards, side by side.

        `here` is called instead where its ranks are kept already. `after`, `failed` or `unsendable` are called in this
        process with what came of it.
        """
        plan = self.plan.value
        if self.store is not None and system.recommender.reusable and self.store.has_ranks(fit_key(plan, system), plan):
            return here

        def received(answers: AnswerThere | list[AnswerThere]) -> R:
            try:
                ranked = self._ranked(system, answers if isinstance(answers, list) else [answers])
            except SystemFailedError as error:
                return failed(error)
            return after(ranked)

        def not_done(error: TaskFailedError) -> R:
            if error.unsendable:
                return unsendable(error.reason)
            return failed(SystemFailedError(system.name, "fit", error.reason, details=error.details))

        sharded = shards(plan) > 1
        arguments: dict[str, Any] = {"plan": self.plan, "system": system}
        return Sendable(
            here=here,
            function=fit_there if sharded else rank_there,
            arguments=arguments if sharded else {**arguments, "block": self.block},
            then=(lambda answer: self._shards(system, answer)) if sharded else None,
            received=received,
            failed=not_done,
            resources=system.resources,
        )

    def _ranked(self, system: System, answers: Sequence[AnswerThere]) -> Ranked:
        """The ranks of all users; SystemFailedError if the system failed there, or scored nothing."""
        for answer in answers:
            self._spent(system, answer.clock)
            answer.refuse_failure(system)
        parts = [answer.ranked for answer in answers if answer.ranked is not None]
        ranked = joined(parts) if len(parts) > 1 else parts[0]
        refuse_nothing(system.name, ranked)
        return ranked

    def _spent(self, system: System, clock: Clock) -> None:
        self.clock.add(clock)
        self.clocks.setdefault(system.name, Clock()).add(clock)

    def seconds(self, system: System) -> float:
        """What fitting and ranking a system there took until now."""
        return sum(self.clocks[system.name].seconds.values()) if system.name in self.clocks else 0.0

    def _shards(self, system: System, fitted: AnswerThere) -> list[Sendable[AnswerThere]] | None:
        """Tasks that rank the users by a fitted model; None if the fit failed."""
        if fitted.failure is not None:
            return None
        self._spent(system, fitted.clock)
        model = Shared(fitted.model)
        return [self._shard(system, model, number) for number in range(shards(self.plan.value))]

    def _shard(self, system: System, model: Shared[Model | None], number: int) -> Sendable[AnswerThere]:
        arguments = {"plan": self.plan, "system": system, "model": model, "shard": number, "block": self.block}

        def here() -> AnswerThere:
            return rank_shard_there(self.plan.value, system, model.value, number, self.block)

        def not_done(error: TaskFailedError) -> AnswerThere:
            failure = {"stage": "score", "reason": error.reason, "details": error.details}
            return AnswerThere(clock=Clock(), failure=failure)

        return Sendable(
            here=here,
            function=rank_shard_there,
            arguments=arguments,
            received=lambda answer: answer,
            failed=not_done,
            resources=system.resources,
        )


@dataclass(kw_only=True)
class RanksAhead:
    """What other processes ranked of a split, by fold and system."""

    ranked: dict[tuple[int, str], Ranked] = field(default_factory=dict)
    failures: dict[tuple[int, str], SystemFailedError] = field(default_factory=dict)
    unsendable: dict[str, str] = field(default_factory=dict)
    """System → why it is fitted in this process after all."""


def ranking_tasks(
    study: Study,
    of_split: Sequence[Fold],
    ahead: RanksAhead,
    *,
    store: Ledger | None,
    engine: Engine,
    clock: Clock,
    block: int = 4096,
) -> list[Callable[[], None]]:
    """Tasks that put the ranks of all systems on all folds into `ahead`, as far as they are not in `store`.

    In this process there is nothing to be done ahead: systems are fitted when their ranks are needed.
    """
    if isinstance(engine, InProcess):
        return []
    tasks = []
    for fold in of_split:
        work = FoldWork(study=study, fold=fold, store=store, clock=clock, block=block)
        for system in study.recommend:
            cell = (fold.split.fold, system.name)
            tasks.append(
                work.task(
                    system,
                    here=_no_op,
                    after=partial(ahead.ranked.__setitem__, cell),
                    failed=partial(ahead.failures.__setitem__, cell),
                    unsendable=partial(ahead.unsendable.__setitem__, system.name),
                )
            )
    return tasks


def one_after_another(
    pieces: Iterable[T],
    tasks_of: Callable[[T], Sequence[Callable[[], None]]],
    engine: Engine,
    tell: Callable[[T, int], None],
) -> Iterator[T]:
    """Each piece of work in its turn, once all of its tasks are done; those of later pieces are begun meanwhile.

    A piece is drawn when the engine has room for its tasks. `tell` is told how many tasks of the next piece are done.
    """
    drawn: deque[tuple[T, int]] = deque()

    def tasks() -> Iterator[Callable[[], None]]:
        for piece in pieces:
            own = tasks_of(piece) or [_no_op]  # so that a piece without tasks is drawn in its turn too
            drawn.append((piece, len(own)))
            yield from own

    done = 0
    for _ in engine.run(tasks()):
        done += 1
        piece, all_of_them = drawn[0]
        tell(piece, done)
        if done == all_of_them:
            drawn.popleft()
            done = 0
            yield piece


def _no_op() -> None:
    """Leave a system to its caller: its ranks are stored."""


@dataclass(frozen=True, kw_only=True)
class AnswerThere:
    """What came of it there, and what each stage took."""

    ranked: Ranked | None = None
    model: Model | None = None
    clock: Clock
    failure: dict[str, str] | None = None
    """Stage, reason and traceback of a system that failed."""

    def refuse_failure(self, system: System) -> None:
        """Raise SystemFailedError if the system failed there."""
        if self.failure is not None:
            raise SystemFailedError(system.name, **self.failure)  # type: ignore[arg-type]


def rank_there(plan: RankPlan, system: System, block: int) -> AnswerThere:
    """Fit a system and rank all users."""
    clock = Clock()
    try:
        ranked = Fitted(system=system, plan=plan, clock=clock, block=block).ranks(None)
    except SystemFailedError as error:
        return _failed(error, clock)
    return AnswerThere(ranked=ranked, clock=clock)


def fit_there(plan: RankPlan, system: System) -> AnswerThere:
    """Fit a system; its users are ranked by other tasks."""
    clock = Clock()
    try:
        model = Fitted(system=system, plan=plan, clock=clock).plain_model()
    except SystemFailedError as error:
        return _failed(error, clock)
    return AnswerThere(model=model, clock=clock)


def rank_shard_there(plan: RankPlan, system: System, model: Any, shard: int, block: int) -> AnswerThere:
    """Rank one shard of the users by a fitted model."""
    clock = Clock()
    try:
        guarded = guard(system.name, model)
        ranked = clock.time("rank", lambda: rank(guarded, shard_of(plan, shard), block=block))
    except SystemFailedError as error:
        return _failed(error, clock)
    return AnswerThere(ranked=ranked, clock=clock)


def _failed(error: SystemFailedError, clock: Clock) -> AnswerThere:
    failure = {"stage": error.stage, "reason": error.reason, "details": error.details}
    return AnswerThere(clock=clock, failure=failure)
