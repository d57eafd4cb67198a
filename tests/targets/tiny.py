"""Small random splits and models whose scores are a table."""

from __future__ import annotations

import numpy as np
import polars as pl

from heldout.tables import Interactions, Split, Vocabulary


class Table:
    """A model whose scores are a table."""

    def __init__(self, scores: np.ndarray) -> None:
        self.scores = scores.astype(np.float32)

    def score(self, users: np.ndarray) -> np.ndarray:
        return self.scores[users].copy()


def random_split(rng: np.random.Generator, n_users: int, n_items: int, *, test: float = 0.15) -> Split:
    users, items = Vocabulary.numbered(n_users), Vocabulary.of(pl.Series([f"i{k}" for k in range(n_items)]))
    kind = rng.choice([0, 1, 2], size=(n_users, n_items), p=[0.75 - test, 0.25, test])
    kind[:, : n_items // 5] = np.minimum(kind[:, : n_items // 5], 1)  # items without a test rating
    kind[:, n_items // 5 : n_items // 4] = 0  # items nobody rated
    kind[:, n_items // 4 : n_items // 3][kind[:, n_items // 4 : n_items // 3] == 1] = 2  # items without a training rating
    values = rng.integers(1, 6, size=kind.shape).astype(float)

    def part(which: int) -> Interactions:
        user, item = np.nonzero(kind == which)
        return Interactions.build(users, items, user, item, values[user, item])

    return Split(train=part(1), test=part(2))


def random_scores(rng: np.random.Generator, n_users: int, n_items: int) -> np.ndarray:
    """Few distinct values, so many ties, some infinitely low, and some items that cannot be scored."""
    scores = rng.integers(0, 6, size=(n_users, n_items)).astype(float)
    scores[scores == 0] = rng.choice([-np.inf, -0.0, 0.0], size=int((scores == 0).sum()))
    scores[rng.random(scores.shape) < 0.3] = np.nan
    scores[0] = np.nan
    return scores


def users_of(split: Split) -> np.ndarray:
    return np.flatnonzero(split.test.user_counts).astype(np.int32)
