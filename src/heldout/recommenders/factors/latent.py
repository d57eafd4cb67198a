"""The latent-factor machinery: where factors start, how they descend on all cores, and scores as inner products."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from heldout import rng, threads
from heldout.errors import NotApplicableError
from heldout.recommenders.guards import refuse_beyond
from heldout.recommenders.recommender import Model
from heldout.tables import Interactions
from heldout.tables.arrays import Bool, Float32, Float64, Int32, Ints, frozen

PARTS = 4
"""Blocks of users and of items that a pass of gradient descent is divided into."""
_FEW = 64
"""Items in a block, at least; fewer are not divided."""

Step = Callable[[int, np.uint64, Int32, Int32], None]
"""What is done in one cell: the number of the pass, a key, the cell's ratings (row numbers) and the items of its block."""


class InnerProducts(Model):
    """s(u, i) = x_u · y_i; NaN for users and items that are not known."""

    def __init__(self, users: Float64 | Float32, items: Float64 | Float32, *, known_users: Bool, known_items: Bool) -> None:
        from heldout.kernels.products import filled_rows, panels

        refuse_beyond(_longest(users) * _longest(items), "products of factors")
        self._users, self._items = filled_rows(users), panels(items.T.astype(np.float32))
        self._n = len(items)
        self._strangers, self._unknown = ~known_users, np.flatnonzero(~known_items)

    def score(self, users: Ints) -> Float32:
        """The same bytes for a user whoever else is asked for."""
        from heldout.kernels.products import rows_times_panels

        out: Float32 = rows_times_panels(frozen(users, np.int64), self._users, self._items, self._n)
        out[self._strangers[users]] = np.nan
        out[:, self._unknown] = np.nan
        return out


def _longest(factors: Float64 | Float32) -> float:
    """The greatest length of a row: no product of two rows exceeds that of their lengths."""
    return float(np.sqrt(np.einsum("ij,ij->i", factors, factors, dtype=np.float64).max(initial=0)))


def start(seed: int, purpose: str, trained: Bool, factors: int) -> Float64:
    """Factors to begin from: uniform in ±½/√f, a function of seed, entity and factor alone; 0 for unknown entities."""
    present, needed = threads.memory(), 32 * len(trained) * factors
    if 0 < present < needed:
        raise NotApplicableError(
            f"the factors of {len(trained):,} users or items do not fit into {present / 2**30:.0f} GiB of memory",
            found=factors,
            expected=f"at most {present // (32 * len(trained)):,} factors",
        )
    drawn = rng.uniform(rng.key(seed, purpose), np.arange(len(trained))[:, None], np.arange(factors)[None, :])
    return np.where(trained[:, None], (drawn - 0.5) / np.sqrt(factors), 0.0)


def descend(train: Interactions, passes: int, step: Step, *, seed: int, purpose: str, check: Callable[[int], None]) -> None:
    """Stochastic gradient descent that all cores share and whose result none of them changes.

    Users and items are dealt to PARTS blocks each, the items anew in every pass. In round k of a pass the cells
    (p, p + k mod PARTS) share no user and no item, so they run at once without meeting; rounds follow one another. Which
    rating is met when is thus fixed by the seed, whatever the number of threads. `check` is told of every finished pass.
    """
    from heldout.kernels.descent import bucket

    trained = np.flatnonzero(train.item_counts)
    parts = PARTS if len(trained) >= PARTS * _FEW else 1
    of_user = (rng.uniform(rng.key(seed, purpose + " users"), np.arange(train.n_users)) * parts).astype(np.int32)
    of_item = np.zeros(train.n_items, np.int32)
    pointers, rows = np.zeros(parts * parts + 1, np.int64), np.empty(len(train), np.int32)
    with ThreadPoolExecutor(min(threads.count(), parts), thread_name_prefix="heldout") as pool:
        for number in range(1, passes + 1):
            order = np.argsort(rng.uniform(rng.key(seed, purpose + " items", number), trained), kind="stable")
            pools = [np.sort(trained[order[q::parts]]).astype(np.int32) for q in range(parts)]
            for q, items in enumerate(pools):
                of_item[items] = q
            bucket(train.user, train.item, of_user, of_item, parts, pointers, rows)

            def work(cell: tuple[int, int], number: int = number, pools: Any = pools) -> None:
                at = cell[0] * parts + cell[1]
                key = np.uint64(rng.key(seed, purpose + " cell", number, at))
                step(number, key, rows[pointers[at] : pointers[at + 1]], pools[cell[1]])

            for shift in range(parts):
                for _ in pool.map(work, [(p, (p + shift) % parts) for p in range(parts)]):
                    pass
            check(number)
