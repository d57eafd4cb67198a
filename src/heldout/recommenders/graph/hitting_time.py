"""HT: how soon a random walk from an item meets the user."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.guards import refuse_negative
from heldout.recommenders.knn.neighbourhood import per_row
from heldout.recommenders.matrix import Rows, by_item, by_user
from heldout.recommenders.ranges import among
from heldout.recommenders.recommender import TILE, Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Ints, frozen
from heldout.tables.interactions import Values


class HT(Recommender):
    """The expected number of steps of a random walk from the item to the user on the graph of ratings, cut at τ.

    Assumes: a step leaves a user or item along a rating, chosen in proportion to it (or with equal chances,
    `values=binary`). Smaller times are better, so the score is what is saved of τ steps, τ − H; an item from which the user
    cannot be met within τ steps cannot be scored. The whole graph is walked, where the paper takes a part of it around the
    user. Ratings must not be negative.

    Published: nDCG@100 of 0.0754 on the split of Valcarce et al. (2018), who tell neither τ nor the part of the graph.
    Over all items nearest comes `HT(steps=4, values=binary)` with 0.0614. Half of the first ten items have a single rating
    there: the method is meant for the long tail. Without these items it has 0.0768.

    Example: u rated a; v rated a and b, all alike. Within τ = 3 steps a walk from b goes b, v, then a or b with ½
    each; only a's walkers, half of whom turn to u, arrive, at step 3: the chance to save anything is 0, since 3 steps are
    used up. With τ = 4 a quarter saves 1 step: b scores ¼.
    """

    key = "HT"
    aliases = ("HittingTime",)
    formula = "s(u, i) = τ − H_τ(u|i), H_t(x) = 1 + Σ_y p(x → y) H_{t−1}(y), H_t(u) = 0, H_0 = 0"
    references = ("yin2012", "valcarce2018")
    ranges = {"steps": among(4, 6, 8, 16), "values": among("rating", "binary")}

    steps: int = param(6, "how many steps are taken at most", least=2, most=1000, also=("τ", "tau"))
    values: Values = param("rating", "what the chance of a step is proportional to")

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Make chances of ratings; there is nothing random."""
        refuse_negative(train, self, "chances need")
        return _Walks(by_user(train, self.values), by_item(train, self.values), self.steps)


class _Walks(Model):
    def __init__(self, users: Rows, items: Rows, steps: int) -> None:
        self._graph: tuple[Any, ...] = (*_chances(users), *_chances(items), steps)
        self._n_items = len(items.indptr) - 1

    def score(self, users: Ints) -> Float32:
        from heldout.kernels.walks import steps_saved

        out = np.empty((len(users), self._n_items), np.float32)
        for first in range(0, len(users), TILE):
            block = frozen(users[first : first + TILE], np.int64)
            out[first : first + TILE] = steps_saved(block, *self._graph).T
        out[out <= 0] = np.nan
        return out


def _chances(rows: Rows) -> tuple[Ints, Ints, Float32]:
    totals = per_row(rows, rows.sums(rows.values))
    share = np.zeros(len(totals))
    np.divide(rows.values, totals, out=share, where=totals > 0)
    return rows.indptr, rows.indices, frozen(share, np.float32)
