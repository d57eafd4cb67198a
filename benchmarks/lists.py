"""Generated test ratings and lists that look like those of MovieLens 1M, in the forms the peers want."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

SHARES = (0.0562, 0.1075, 0.2611, 0.3489, 0.2263)
"""Shares of the ratings 1 to 5 in MovieLens 1M."""
RELEVANT = 4
PULL = 1.5
"""How much higher a user's test items score than equally popular ones: about 13 of 33 come into the top 100."""
_BLOCK = 512


@dataclass(frozen=True, eq=False)
class Lists:
    """Test ratings and one system's top lists; ids are whole numbers from 1."""

    n_users: int
    n_items: int
    test: pl.DataFrame
    """user_id, item_id, rating."""
    run: pl.DataFrame
    """user_id, item_id, score and rank; each user's list by descending score."""

    @cached_property
    def qrels_dict(self) -> dict[str, dict[str, int]]:
        """Judgements as pytrec_eval and ranx take them."""
        return _nested(self.test.select("user_id", "item_id", "rating"), int)

    @cached_property
    def run_dict(self) -> dict[str, dict[str, float]]:
        """Lists as pytrec_eval and ranx take them."""
        return _nested(self.run.select("user_id", "item_id", "score"), float)


def generate(n_users: int = 6040, n_items: int = 3706, *, depth: int = 100, rated: int = 33, seed: int = 1) -> Lists:
    """Popular items are rated and listed more often; the number of test ratings varies about `rated` as activity does."""
    draw = np.random.default_rng(seed)
    popularity = np.log(1 + 3000 / (1 + np.arange(n_items) / 40)).astype(np.float32)
    counts = np.clip(np.round(rated * draw.lognormal(-0.4, 0.9, n_users)), 1, n_items // 4).astype(np.int64)
    test_items, items, scores = [], [], []
    for low in range(0, n_users, _BLOCK):
        high = min(low + _BLOCK, n_users)
        score = popularity + _gumbel(draw, high - low, n_items)
        taste = popularity + _gumbel(draw, high - low, n_items)
        by_taste = np.argpartition(-taste, int(counts[low:high].max()), axis=1)
        for k, count in enumerate(counts[low:high]):
            mine = np.sort(by_taste[k, :count])
            test_items.append(mine)
            score[k, mine] += PULL
        top = np.argpartition(-score, depth, axis=1)[:, :depth]
        found = np.take_along_axis(score, top, axis=1)
        order = np.argsort(-found, axis=1, kind="stable")
        items.append(np.take_along_axis(top, order, axis=1))
        scores.append(np.take_along_axis(found, order, axis=1))
    ratings = draw.choice(np.arange(1, 6), int(counts.sum()), p=np.array(SHARES) / sum(SHARES))
    users = np.arange(1, n_users + 1)
    test = {"user_id": np.repeat(users, counts), "item_id": np.concatenate(test_items) + 1, "rating": ratings}
    run = {
        "user_id": np.repeat(users, depth),
        "item_id": np.concatenate(items).ravel() + 1,
        "score": np.concatenate(scores).ravel().astype(np.float64),
        "rank": np.tile(np.arange(1, depth + 1), n_users),
    }
    return Lists(n_users, n_items, pl.DataFrame(test), pl.DataFrame(run))


def _nested(frame: pl.DataFrame, kind: Any) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for user, item, value in frame.iter_rows():
        found.setdefault(str(user), {})[str(item)] = kind(value)
    return found


def _gumbel(draw: np.random.Generator, rows: int, columns: int) -> Any:
    return -np.log(draw.standard_exponential((rows, columns), np.float32) + np.float32(1e-20))
