"""The ranks of one system on one fold: loaded from the results folder, or fitted, ranked and stored there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np

from heldout import __version__, threads
from heldout.errors import NotApplicableError
from heldout.experiment.clock import Clock
from heldout.experiment.failure import Guarded, guarded_fit, ratings_for, refuse_changed, refuse_nothing
from heldout.experiment.folds import Fold
from heldout.metrics.measuring import list_depth, pictured_depth
from heldout.recommenders.recommender import Model
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.tables import Interactions
from heldout.tables.arrays import Bool, Float64, Int32, digest_of
from heldout.tables.interactions import release
from heldout.targets.ranker import TILE, Ranked, RankPlan, Scorer, rank, rank_by_plans
from heldout.targets.target import Target


class RankStore(Protocol):
    """Where ranks are kept, such as a results folder."""

    def load_ranks(self, key: str, plan: RankPlan) -> Ranked | None:
        """The ranks of a fit that a plan asks for; None if they are not all there."""

    def save_ranks(self, key: str, plan: RankPlan, ranked: Ranked, about: dict[str, Any] | None = None) -> None:
        """Keep what fitting and ranking a system gave."""


def plan_of(study: Study, fold: Fold, *, pictured: bool = False) -> RankPlan:
    """What is to be ranked on a fold: the same for all systems; with the lists that pictures need, where these are drawn."""
    split = fold.split
    return RankPlan(
        split=split,
        users=fold.users,
        targets=study.target,
        fallbacks={str(fallback): fallback.order(split.train, seed=study.seed) for fallback in study.fallback},
        ties=study.ties,
        seed=study.seed,
        relevances=study.relevance,
        depth=list_depth(study.metrics, split.train.n_items),
        count_ties=any(metric.needs_ties for metric in study.metrics),
        pictured=pictured_depth(study.metrics) if pictured else 0,
    )


def fit_key(plan: RankPlan, system: System) -> str:
    """The digest of all that a system's scores of the tested users depend on, which its name and the metrics are not."""
    split = plan.split
    source = system.recommender.source_digest()
    learned = (system.recommender.full_text, source, plan.seed, split.train.digest)
    return digest_of("fit", __version__, *learned, split.test.digest, split.fold, plan.users)


@dataclass(eq=False, kw_only=True)
class Fitted:
    """A system on a fold: its model, fitted on first use, and its ranks. Raises SystemFailedError if either fails."""

    system: System
    plan: RankPlan
    clock: Clock
    block: int = 4096
    progress: Callable[[int], None] | None = None
    arrived: Ranked | None = None
    """Its ranks, where another process made them."""
    before_keeping: Callable[[], None] | None = None
    """Called when there are new ranks, before they are kept: what making them took is kept first."""
    _begun: bool = field(default=False, init=False)
    lender: Fitted | None = None
    """Who has the model already, fitted to the same training ratings: one model ranks by several plans."""

    @cached_property
    def model(self) -> Model:
        """The fitted recommender."""
        if self.lender is not None:
            return self.lender.model
        self._begun = True
        fit = partial(self.system.recommender.fit, self._train, seed=self.plan.seed)
        return guarded_fit(self.system.name, lambda: self.clock.time("fit", lambda: threads.interruptible(fit)))

    @property
    def was_fitted(self) -> bool:
        """True if a fit was made, here or in another process, or failed here."""
        return self.arrived is not None or self._begun

    @cached_property
    def _train(self) -> Interactions:
        """The training ratings that the model is given."""
        return ratings_for(self.system.recommender, self.plan.split.train)

    def ranks(self, store: RankStore | None, *, later: Callable[[Callable[[], None]], object] | None = None) -> Ranked:
        """Load stored ranks, or fit and rank. Models without a text form have no stable key, so theirs are never loaded.

        `later` queues the writing of new ranks; without it they are written at once.
        """
        kept = store is not None and self.system.recommender.reusable
        key = fit_key(self.plan, self.system) if kept else ""
        if store is not None and kept:
            stored = self.clock.time("load", lambda: store.load_ranks(key, self.plan))
            if stored is not None:
                if self.progress is not None:
                    self.progress(len(self.plan.users))
                return stored
        ranked = self._fit_and_rank() if self.arrived is None else self.arrived
        if self.before_keeping is not None:
            self.before_keeping()
        if store is not None and kept:

            def keep() -> None:
                # All of it is part of the key, so that the same ranks are the same bytes.
                recommender, fold = self.system.recommender, self.plan.split.fold
                about = {"system": recommender.full_text, "fold": fold, "heldout": __version__}
                self.clock.time("save", lambda: store.save_ranks(key, self.plan, ranked, about))

            keep() if later is None else later(keep)
        return ranked

    def _fit_and_rank(self) -> Ranked:

        with self.clock.watching():
            ranking = partial(rank, self.model, self.plan, block=self.block, progress=self.progress)
            ranked = self.clock.time("rank", lambda: threads.interruptible(ranking))
        refuse_nothing(self.system.name, ranked)
        refuse_changed(self.system.name, self.plan.split.train, self._train)
        release(self.plan.split.train)
        return ranked

    def plain_model(self) -> Model:
        """The fitted recommender without its guard, to be sent to other processes."""
        with self.clock.watching():
            model = self.model
        refuse_changed(self.system.name, self.plan.split.train, self._train)
        return model.model if isinstance(model, Guarded) else model

    def under(self, plans: Sequence[RankPlan]) -> list[tuple[Fitted, Ranked]]:
        """The same model under other plans, with its ranks by each; users and training ratings must be the same."""
        model = self.model
        ranking = partial(rank_by_plans, model, plans, block=self.block)
        ranked = self.clock.time("rank", lambda: threads.interruptible(ranking))
        return [
            (Fitted(system=self.system, plan=plan, clock=self.clock, block=self.block, lender=self), ranks)
            for plan, ranks in zip(plans, ranked, strict=True)
        ]

    def target_scores(self, target: Target, tested: Bool) -> Iterator[Float64]:
        """The scores of all targets of the tested users, in blocks of users; the model is fitted if it was not yet."""
        return scores_of_targets(self.model, self.plan, target, tested)


def scores_of_targets(model: Scorer, plan: RankPlan, target: Target, tested: Bool) -> Iterator[Float64]:
    """The scores of all targets of the tested users, one tile of users at a time; NaN if the system has none."""
    if target.form.own or target.form.sample is not None or target.form.single or target.form.pool == "unrated":
        raise NotApplicableError(
            f"global curves need all candidates of a user in one list, which {target} does not make",
            where="metrics",
            hint="measure them under AllItems, TestItems or TrainingItems",
        )
    users = plan.users[tested]
    train, member = plan.split.train, plan.candidates(target).member
    for first in range(0, len(users), TILE):
        tile = users[first : first + TILE]
        padded: Int32 = np.concatenate([tile, np.repeat(tile[-1:], TILE - len(tile))])
        scores = model.score(padded)[: len(tile)]
        taken = np.broadcast_to(member, scores.shape).copy()
        for k, user in enumerate(tile):
            taken[k, train.item[train.user_indptr[user] : train.user_indptr[user + 1]]] = False
        yield scores[taken].astype(np.float64)
