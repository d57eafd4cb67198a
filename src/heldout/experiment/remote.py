"""What another process does for an experiment: fit a system and rank by it, or rank some users by a fitted model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError, guard
from heldout.experiment.ranks import Fitted
from heldout.recommenders.recommender import Model
from heldout.study.protocol import System
from heldout.targets.ranker import Ranked, RankPlan, rank
from heldout.targets.shards import shard_of


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
