"""The latent-factor machinery: scores as inner products of a user's and an item's factors."""

from __future__ import annotations

import numpy as np

from heldout import rng
from heldout.recommend.recommender import TILE, Model
from heldout.tables.arrays import Bool, Float32, Float64, Ints


class InnerProducts(Model):
    """s(u, i) = x_u · y_i; NaN for users and items that are not known."""

    def __init__(self, users: Float64, items: Float64, *, known_users: Bool, known_items: Bool) -> None:
        self._users = users.astype(np.float32)
        self._items = np.ascontiguousarray(items.T, dtype=np.float32)
        self._strangers, self._unknown = ~known_users, np.flatnonzero(~known_items)

    def score(self, users: Ints) -> Float32:
        """Products of a fixed shape, so that a user's bytes do not depend on who else is asked for.

        BLAS is not pinned here, for every tile, but by the caller for all of them (`threads.run_all`).
        """
        out = np.empty((len(users), self._items.shape[1]), np.float32)
        tile = np.zeros((TILE, len(self._items)), np.float32)
        for first in range(0, len(users), TILE):
            block = users[first : first + TILE]
            tile[: len(block)] = self._users[block]
            out[first : first + TILE] = (tile @ self._items)[: len(block)]
        out[self._strangers[users]] = np.nan
        out[:, self._unknown] = np.nan
        return out


def start(seed: int, purpose: str, known: Bool, factors: int) -> Float64:
    """Factors to begin from: uniform in ±½/√f, a function of seed, entity and factor alone; 0 for unknown entities."""
    drawn = rng.uniform(rng.key(seed, purpose), np.arange(len(known))[:, None], np.arange(factors)[None, :])
    return np.where(known[:, None], (drawn - 0.5) / np.sqrt(factors), 0.0)
