"""The k-core: every user and every item has at least k ratings."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import REQUIRED, param
from heldout.data.filter import Filter
from heldout.tables import Interactions


class Core(Filter):
    """Drops users and items with fewer than k ratings again and again, until every one left has at least k.

    Assumes: nothing of the order in which they are dropped: the k-core is the largest part in which all have k, and there
    is one only.

    Example: under `core(2)` of a (x, y), b (x, y), c (y, z): z has one rating and goes, then c has one and goes; a and b
    with x and y are left.
    """

    key = "core"
    removes = True
    references = ("seidman1983",)

    k: int = param(REQUIRED, "ratings that every user and item must have", least=1)

    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        user, item = data.user, data.item
        rows = np.arange(len(data))
        while True:
            good = (np.bincount(user, minlength=data.n_users) >= self.k)[user]
            good &= (np.bincount(item, minlength=data.n_items) >= self.k)[item]
            if good.all():
                return self.select(data, rows)
            rows, user, item = rows[good], user[good], item[good]

    def phrase(self) -> str:
        return f"removed users and items with fewer than {self.k} ratings until none was left (the {self.k}-core)"
