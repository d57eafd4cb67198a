"""Judged lists written by hand or drawn at random: the grade at each rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl

from heldout.catalogue import make
from heldout.metrics.judge import judge_rankings
from heldout.metrics.metric import Metric
from heldout.metrics.system import count_lists
from heldout.tables import Background, Interactions, Judged, Rankings, Side, Vocabulary
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
    items: Sequence[Sequence[int]] | None = None,
) -> Judged:
    """One list per user; `unlisted` are the grades of rated items that a user's list lacks.

    The catalogue holds `catalogue` items, all of which are targets of every user. Scores fall from 5 on, by 0.1 a rank.
    The item at rank k has the code k − 1 unless `items` says otherwise; unlisted ones follow. The worth of a rating is
    itself less 2.
    """
    unlisted = unlisted or [[] for _ in lists]
    listed_items = items or [range(len(ranked)) for ranked in lists]
    rows = [
        (u, code, grade)
        for u, (ranked, codes, rest) in enumerate(zip(lists, listed_items, unlisted, strict=True))
        for code, grade in zip([*codes, *range(len(ranked), len(ranked) + len(rest))], [*ranked, *rest], strict=True)
        if grade is not None
    ]
    user, item, grade = (np.array(column) for column in zip(*rows, strict=True))
    value = grade.astype(np.float64)
    test = Interactions.build(
        Vocabulary.numbered(len(lists)), Vocabulary.numbered(catalogue), user, item, value, utility=value - 2
    )
    rule = make("relevance", f"threshold({tau})")
    codes = np.arange(len(lists), dtype=np.int32)
    relevance = rule.judge(test, codes, top, background=background(catalogue))
    length = np.array([len(ranked) for ranked in lists])
    listed = np.flatnonzero(length)
    place = np.concatenate([np.arange(n) for n in length] or [np.empty(0)])
    rankings = Rankings(
        frozen(listed, np.int32),
        frozen(np.append(0, np.cumsum(length[listed])), np.int64),
        frozen(np.concatenate([np.asarray(codes) for codes in listed_items] or [np.empty(0)]), np.int32),
        frozen(5 - 0.1 * place, np.float64),
    )
    targets = np.full(len(lists), catalogue, np.int32)
    judged = judge_rankings(rankings, relevance, n_items=catalogue, targets=targets, keep_lists=True)
    return count_lists(replace(judged, predicts_ratings=True, comparable=True))


@cache
def background(catalogue: int) -> Background:
    """Training ratings that do not depend on who is judged, a genre for every item, and how likely it was to be rated.

    The first 500 of 1,000 users rated the last five items, so that all who are judged have the same profile; the others
    rated the k-th item the more rarely the larger k is.
    """
    items = Vocabulary.numbered(catalogue)
    own = [(u, catalogue - 1 - k) for u in range(500) for k in range(min(5, catalogue))]
    others = [(500 + u, i) for i in range(catalogue) for u in range(i % 7, 500, 2 + i)]
    user, item = np.array(sorted({*own, *others})).T
    train = Interactions.build(Vocabulary.numbered(1000), items, user, item, 1.0 + (user + item) % 5)
    codes = np.arange(catalogue)
    side = Side(
        pl.Series(codes),
        pl.DataFrame({"genre": [f"g{k % 3}|g{k % 5}" for k in codes], "p": 1 / (1 + codes % 4)}),
    )
    counts = frozen(train.item_counts + 5, np.int64)
    return Background(items=items, train=train, positives=counts, ratings=counts, lowest=1.0, side=side)


def values_of(metric: Metric | str, judged: Judged) -> Float64:
    """The metric's value for each list."""
    measured: Metric = make("metric", metric)
    return measured.measure(judged)


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
