"""The machinery of topic models: one step of expectation–maximisation on all cores, and what such models refuse."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout import rng, threads
from heldout.errors import NotApplicableError
from heldout.recommenders.guards import refuse_negative
from heldout.recommenders.matrix import by_item, by_user
from heldout.recommenders.recommender import Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Bool, Float64

_BLOCK = 256


class Counts:
    """How often each user met each item: once for every rating, or as often as the rating says."""

    def __init__(self, train: Interactions, values: Literal["binary", "rating"], owner: Recommender, topics: int) -> None:
        if values == "rating":
            refuse_negative(train, owner, "a count needs")
        self._users, self._items, self._place = by_user(train, values), by_item(train, values), train.by_item[1]
        self._ratio = np.zeros(len(train))
        self.of_users = self._users.sums(self._users.values)
        self.of_items = self._items.sums(self._items.values)
        rated = int(np.count_nonzero(self.of_items))
        if topics > rated > 0:
            raise NotApplicableError(
                "so many topics only repeat the ratings",
                where=str(owner),
                found=topics,
                expected=f"at most {rated:,}, the number of rated items",
            )

    @property
    def known_users(self) -> Bool:
        """Users who met anything."""
        return self.of_users > 0

    @property
    def known_items(self) -> Bool:
        """Items that anyone met."""
        return self.of_items > 0

    def shares(self, users: Float64, items: Float64) -> tuple[Float64, Float64, float]:
        """What each topic explains of every user's and every item's count, and Σ n log Σ_z users·items.

        Users are summed row by row and items column by column, each by one thread in a fixed order.
        """
        from heldout.kernels.mixtures import share_columns, share_rows

        of_users, of_items = np.empty_like(users), np.empty_like(items)
        ratings, columns = self._users, self._items

        def rows(first: int) -> float:
            last = min(first + _BLOCK, len(users))
            log_likelihood: float = share_rows(first, last, *ratings, users, items, self._ratio, of_users)
            return log_likelihood

        def cols(first: int) -> None:
            last = min(first + _BLOCK, len(items))
            share_columns(first, last, columns.indptr, columns.indices, self._place, self._ratio, items, users, of_items)

        likelihood = sum(threads.run_all(rows, range(0, len(users), _BLOCK)))
        for _ in threads.run_all(cols, range(0, len(items), _BLOCK)):
            pass
        return of_users, of_items, likelihood


def random_shares(seed: int, purpose: str, n: int, topics: int) -> Float64:
    """Positive numbers to begin from, between ½ and 1½: a function of seed, entity and topic alone."""
    return 0.5 + rng.uniform(rng.key(seed, purpose), np.arange(n)[:, None], np.arange(topics)[None, :])


def normalised(shares: Float64, axis: int) -> Float64:
    """Shares that sum to 1 along an axis; 0 where there is nothing to share."""
    with np.errstate(over="ignore", invalid="ignore"):  # what has left the numbers is refused by its likelihood
        total = shares.sum(axis=axis, keepdims=True)
        out = np.zeros_like(shares)
        np.divide(shares, total, out=out, where=total > 0)
    return out


def refuse_nan(likelihood: float, iteration: int, owner: Recommender) -> None:
    """NotApplicableError when an iteration left the numbers."""
    if not np.isfinite(likelihood):
        raise NotApplicableError(
            f"the likelihood of iteration {iteration} is not finite",
            where=str(owner),
            found=float(likelihood),
            hint="use values=binary, or ratings on a smaller scale",
        )
