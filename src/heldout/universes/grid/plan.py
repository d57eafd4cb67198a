"""What a multiverse would take, before it is run: stages, fits, time and disk."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from heldout import threads
from heldout.errors import HeldoutError
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError, guarded_fit, ratings_for
from heldout.experiment.folds import Fold, Prepared, filtered_sources, folds_of
from heldout.experiment.guessed_relevance import settle
from heldout.experiment.ledger import Ledger
from heldout.experiment.ranks import fit_key, plan_of
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.tables import Interactions
from heldout.tables.display import Displayed
from heldout.targets.ranker import rank
from heldout.text.numbers import count, rough_seconds, size
from heldout.universes.grid.grid import Multiverse

TRIED = (1 / 16, 1 / 8)
"""Shares of the users on whom systems are tried, to see how their time grows."""
MOST = 200_000
"""Ratings that the larger trial may have."""
USERS_RANKED = 256
"""Users ranked in a trial."""
_MEASURING = 2.5e-7
"""Seconds for a user, system, way of judging and metric: measured once, for a rough idea."""
_BYTES_RANKED, _BYTES_UNIVERSE = 1.2, 40
"""Bytes on disk for a test rating under a way of judging, and for a universe and pair."""


@dataclass(frozen=True)
class Stage:
    """One stage of the run: what it does, how often, and about how long."""

    name: str
    count: int
    what: str
    seconds: float


@dataclass(frozen=True, repr=False, kw_only=True)
class Plan(Displayed):
    """What is about to be run. Times are rough: trial fits on a few users, made larger."""

    universes: int
    fits: int
    present: int
    """Fits whose ranks the results folder has."""
    stages: tuple[Stage, ...]
    disk: int
    """Bytes of results."""

    @property
    def seconds(self) -> float:
        """All stages together."""
        return sum(stage.seconds for stage in self.stages)

    @property
    def summary(self) -> str:
        """Universes, fits, time and disk in a sentence."""
        present = f", {count(self.present)} of which the folder has" if self.present else ""
        return (
            f"{count(self.universes)} distinct universes from {count(self.fits)} fits{present}: "
            f"{_about(self.seconds)} and {size(self.disk)} of disk. Times are rough: systems were tried on a few users."
        )

    def _headline(self) -> str:
        """The stages, and the whole in a sentence."""
        stages = [f"{s.name}: {count(s.count)} {s.what}, {_about(s.seconds)}" for s in self.stages]
        return "\n".join([*stages, self.summary])


def _about(seconds: float) -> str:
    return f"about {rough_seconds(seconds)}" if seconds >= 1 else "less than 1 s"


def plan(multiverse: Multiverse, *, out: str | Path | None = None) -> Plan:
    """Count what a multiverse needs, and estimate its time and disk from trial fits on a small share of the users."""
    ledger = Ledger(out) if out is not None and (Path(out) / "manifest.json").exists() else None
    clock = Clock()
    study, sources = settle(multiverse.study, filtered_sources(multiverse.study, Prepared(), clock))
    multiverse = replace(multiverse, study=study)
    fits = present = folds = rows = measured = 0
    seconds = {system.name: 0.0 for system in study.recommend}
    ranking = 0.0
    trials: dict[str, TrialFit] = {}
    ways = len(multiverse.judgements)
    for name, chain, filtering in sources:
        for seed in multiverse.seeds:
            seeded = multiverse.seeded(seed)
            for splitter in study.split:
                for fold in folds_of(seeded, name, filtering(seed), chain, splitter, Prepared(), clock):
                    trials = trials or {s.name: trial(seeded, fold, s) for s in study.recommend}
                    folds, rows = folds + 1, rows + len(fold.split.test)
                    measured += len(fold.users)
                    for system in study.recommend:
                        fits += 1
                        if ledger is not None and _has(ledger, seeded, fold, system):
                            present += 1
                            continue
                        seconds[system.name] += trials[system.name].fit(len(fold.split.train))
                        ranking += trials[system.name].per_user * len(fold.users)
    pairs = len(study.recommend) * (len(study.recommend) - 1) // 2
    columns = sum(len(multiverse.metrics_of(chain, j)) for chain in study.users for j in multiverse.judgements)
    arithmetic = measured * len(study.recommend) * columns * _MEASURING / threads.count()
    sets, metrics = len(study.data) * len(study.filters), len(multiverse.metrics)
    stages = (
        Stage("data", sets, f"data set{_s(sets)} after filters", clock.seconds.get("data", 0.0)),
        Stage("split", folds, f"fold{_s(folds)}", clock.seconds.get("split", 0.0)),
        *(Stage("fit", folds, name, spent) for name, spent in seconds.items()),
        Stage("rank", fits - present, f"× {ways} way{_s(ways)} of judging", ranking),
        Stage("measure", metrics, f"metric{_s(metrics)}, then {len(multiverse):,} verdict{_s(len(multiverse))}", arithmetic),
    )
    disk = int(rows * ways * len(study.recommend) * _BYTES_RANKED + len(multiverse) * pairs * _BYTES_UNIVERSE)
    return Plan(universes=len(multiverse), fits=fits, present=present, stages=stages, disk=disk)


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _has(ledger: Ledger, study: Study, fold: Fold, system: System) -> bool:
    planned = plan_of(study, fold)
    return system.recommender.reusable and ledger.has_ranks(fit_key(planned, system), planned)


@dataclass(frozen=True)
class TrialFit:
    """How a system's time grows: fitted on two samples of users."""

    ratings: int
    seconds: float
    power: float
    """Time grows with the ratings to this power."""
    per_user: float
    """Seconds to rank one user in all ways."""

    def fit(self, ratings: int) -> float:
        """Seconds to fit so many ratings, about."""
        return float(self.seconds * (ratings / self.ratings) ** self.power)


def trial(study: Study, fold: Fold, system: System) -> TrialFit:
    """Fit a system on two small samples of users, and rank a few users by the larger; a system that fails takes no time."""
    train = fold.split.train
    timings: list[tuple[int, float]] = []
    per_user = 0.0
    try:
        for share in (TRIED[0], *TRIED):  # the first time a kernel is called it is compiled
            sample = ratings_for(system.recommender, sampled(train, share))
            begun = time.perf_counter()
            model = guarded_fit(system.name, partial(system.recommender.fit, sample, seed=study.seed))
            timings.append((len(sample), time.perf_counter() - begun))
        plan = plan_of(study, fold)
        few = replace(plan, users=plan.users[:USERS_RANKED])
        for _ in range(2):
            begun = time.perf_counter()
            rank(model, few)
            per_user = (time.perf_counter() - begun) / len(few.users)
    except (HeldoutError, SystemFailedError):
        return TrialFit(1, 0.0, 1.0, 0.0)
    (small, quick), (large, slow) = timings[1:]
    power = np.log(max(slow, 1e-6) / max(quick, 1e-6)) / np.log(large / small) if large > small else 1.0
    return TrialFit(large, slow, float(np.clip(power, 0.7, 2.0)), per_user)


def sampled(train: Interactions, share: float) -> Interactions:
    """The ratings of an even share of the users, and no more of them than `MOST`."""
    wanted = max(2, min(int(train.n_users * share), int(train.n_users * MOST * share / TRIED[-1] / max(len(train), 1))))
    kept = np.zeros(train.n_users, dtype=np.bool_)
    kept[np.linspace(0, train.n_users - 1, wanted).astype(np.int64)] = True
    return train.select(kept[train.user])
