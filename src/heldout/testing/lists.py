"""Judged lists written by hand or drawn at random: the grade at each rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heldout.catalogue import make
from heldout.measure.judge import judge_rankings
from heldout.measure.metric import Metric
from heldout.tables import Interactions, Judged, Rankings, Vocabulary
from heldout.tables.arrays import Float64, frozen

Grades = Sequence[float | None]
"""The grade at each rank, None for an unrated item."""


def judged_lists(
    lists: Sequence[Grades],
    unlisted: Sequence[Sequence[float]] | None = None,
    *,
    tau: float = 4.0,
    top: float = 5.0,
    catalogue: int = 200,
) -> Judged:
    """One list per user; `unlisted` are the grades of rated items that a user's list lacks.

    The catalogue holds `catalogue` items, all of which are targets of every user.
    """
    unlisted = unlisted or [[] for _ in lists]
    users, items = Vocabulary.numbered(len(lists)), Vocabulary.numbered(catalogue)
    rows = [
        (u, k, grade)
        for u, (ranked, rest) in enumerate(zip(lists, unlisted, strict=True))
        for k, grade in enumerate([*ranked, *rest])
        if grade is not None
    ]
    user, item, grade = (np.array(column) for column in zip(*rows, strict=True))
    test = Interactions.build(users, items, user, item, grade.astype(np.float64))
    relevance = make("relevance", f"threshold({tau})").judge(test, np.arange(len(lists), dtype=np.int32), top)
    length = np.array([len(ranked) for ranked in lists])
    listed = np.flatnonzero(length)
    place = np.concatenate([np.arange(n) for n in length] or [np.empty(0)])
    rankings = Rankings(
        frozen(listed, np.int32),
        frozen(np.append(0, np.cumsum(length[listed])), np.int64),
        frozen(place, np.int32),
        frozen(-place, np.float64),
    )
    return judge_rankings(rankings, relevance, n_items=catalogue, targets=np.full(len(lists), catalogue, np.int32))


def values_of(metric: Metric | str, judged: Judged) -> Float64:
    """The metric's value for each list."""
    made: Metric = make("metric", metric)
    return made.measure(judged)


def random_lists(seed: int, users: int = 200, depth: int = 30) -> tuple[list[list[float | None]], list[list[float]]]:
    """Lists of any length from 0 to `depth` with few or many rated items, and rated items that they lack."""
    rng = np.random.default_rng(seed)
    lists: list[list[float | None]] = []
    unlisted: list[list[float]] = []
    for _ in range(users):
        share = rng.choice([0.1, 0.5, 1.0])
        grades = rng.integers(1, 6, size=int(rng.integers(0, depth + 1))).astype(float)
        lists.append([float(g) if rng.random() < share else None for g in grades])
        unlisted.append(rng.integers(1, 6, size=int(rng.integers(0, 4))).astype(float).tolist())
        if not unlisted[-1] and all(g is None for g in lists[-1]):
            unlisted[-1] = [float(rng.integers(1, 6))]
    return lists, unlisted
