"""Fitting and scoring all users with every recommender, beside implicit where it does the same.

On MovieLens 1M where a folder of real data holds it ($HELDOUT_DATA, or ../shared/data), else on simulated ratings of its
size. Seconds are CPU seconds of one repeat, fitting and scoring together; scoring is of all items for all users.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Found
from heldout import threads
from heldout.catalogue import classes, make
from heldout.data.read import read
from heldout.errors import HeldoutError
from heldout.recommend.foreign import Foreign
from heldout.recommend.matrix import csr
from heldout.recommend.recommender import TILE, Recommender
from heldout.tables import Interactions

SIMULATED = "simulate(users=6040, items=3706, ratings=1000000)"
SMALL = "simulate(users=300, items=200, ratings=6000)"


def run() -> Found:
    data, told = _data()
    small = read(SMALL)
    notes, times, parts = [told], {}, {}
    for cls in classes("recommender"):
        if issubclass(cls, Foreign):
            continue
        try:
            ours(make("recommender", cls.key), small)  # compiles what it needs
            fitting, scoring = ours(make("recommender", cls.key), data)
        except HeldoutError as reason:
            notes.append(f"{cls.key} skipped: {reason}")
            continue
        times[cls.key] = [fitting + scoring]
        parts[cls.key] = {"fit": fitting, "score": scoring}
    try:
        for name, seconds in implicits(data).items():
            times[name] = [seconds]
    except ModuleNotFoundError:
        notes.append("implicit is not installed")
    split = ", ".join(f"{name} {p['fit']:.1f} + {p['score']:.1f}" for name, p in parts.items())
    return Found(times, notes=[*notes, f"fit + score: {split}"], more={"parts": parts})


def ours(recommender: Recommender, data: Interactions) -> tuple[float, float]:
    """CPU seconds of fitting and of scoring all users."""
    found: list[Any] = []
    fitting = _cpu(lambda: found.append(recommender.fit(data, seed=1)))
    users = np.arange(data.n_users, dtype=np.int32)
    tiles = [np.resize(users[k : k + TILE], TILE) for k in range(0, len(users), TILE)]

    def score() -> None:
        for _ in threads.run_all(lambda tile: found[0].score(tile).shape, tiles):
            pass

    return fitting, _cpu(score)


def implicits(data: Interactions) -> dict[str, float]:
    """CPU seconds of implicit's ALS and item kNN: fitting, and the scores or top 100 of all users."""
    from implicit.als import AlternatingLeastSquares
    from implicit.nearest_neighbours import CosineRecommender

    matrix = csr(data).astype(np.float32)
    users = np.arange(data.n_users)

    def als() -> None:
        model = AlternatingLeastSquares(factors=50, iterations=20, random_state=1)
        model.fit(matrix, show_progress=False)
        for k in range(0, len(users), TILE):
            np.asarray(model.user_factors[k : k + TILE] @ model.item_factors.T)

    def knn() -> None:
        model = CosineRecommender(K=100)
        model.fit(matrix, show_progress=False)
        model.recommend(users, matrix, N=100)

    return {"implicit: ALS as WRMF, by conjugate gradients": _cpu(als), "implicit: cosine kNN, top 100": _cpu(knn)}


def _data() -> tuple[Interactions, str]:
    folder = Path(os.environ.get("HELDOUT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    path = folder / "ml-1m" / "ratings.dat"
    data = read(str(path) if path.exists() else SIMULATED)
    name = "MovieLens 1M" if path.exists() else "simulated ratings"
    return data, f"{name}: {len(data):,} ratings of {data.n_users:,} users and {data.n_items:,} items"


def _cpu(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin
