"""Ratings of every pair, and rows written by hand."""

from __future__ import annotations

import numpy as np

from heldout.tables import Interactions, Vocabulary


def data(users: int = 30, items: int = 20, *, text_ids: bool = False) -> Interactions:
    user, item = np.divmod(np.arange(users * items), items)
    names = (
        Vocabulary(np.array([f"u{k:02}" for k in range(users)], dtype=object)) if text_ids else Vocabulary.numbered(users)
    )
    n = len(user)
    time = np.random.default_rng(3).permutation(n).astype(np.int64)
    return Interactions.build(names, Vocabulary.numbered(items), user, item, np.arange(n) % 5 + 0.5, time=time)


def rows(user: list[int], item: list[int], time: list[int] | None) -> Interactions:
    made = np.array(time, dtype=np.int64) if time is not None else None
    return Interactions.build(
        Vocabulary.numbered(4), Vocabulary.numbered(4), np.array(user), np.array(item), np.ones(len(user)), time=made
    )


def table(pairs: list[tuple[int, int]], users: int = 12, items: int = 15) -> Interactions:
    user, item = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    n = len(pairs)
    time = np.random.default_rng(n).permutation(n).astype(np.int64) // 2  # some ratings share a second
    vocabularies = Vocabulary.numbered(users), Vocabulary.numbered(items)
    return Interactions.build(*vocabularies, user, item, np.arange(n) % 5 + 1.0, time=time)


def full(users: int, items: int, *, timed: bool = False) -> Interactions:
    user, item = np.divmod(np.arange(users * items), items)
    time = np.random.default_rng(7).permutation(len(user)).astype(np.int64) if timed else None
    return Interactions.build(
        Vocabulary.numbered(users), Vocabulary.numbered(items), user, item, np.ones(len(user)), time=time
    )
