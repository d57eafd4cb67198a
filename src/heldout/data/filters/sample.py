"""A random part of the data."""

from __future__ import annotations

import numpy as np

from heldout import rng
from heldout.catalogue import param
from heldout.catalogue.prose import share
from heldout.data.filter import Filter
from heldout.data.random_choice import lowest, wanted
from heldout.errors import SpecError
from heldout.tables import Interactions
from heldout.tables.arrays import Bool, Ints


class Sample(Filter):
    """Keeps a random share (below 1) or number (from 1 on) of users, items or ratings.

    Assumes: users are drawn first, then items, then ratings among what is left; every user, item and rating is as likely as
    any other, so that a sample of ratings is as skewed as the whole. The seed is the study's.

    Example: `sample(ratings=0.5)` keeps half of the ratings, `sample(users=1000)` 1,000 users with all they rated.
    """

    key = "sample"
    removes = True
    draws = True
    references = ("canamares2020",)

    ratings: float | None = param(None, "share or number of ratings", above=0)
    users: float | None = param(None, "share or number of users", above=0)
    items: float | None = param(None, "share or number of items", above=0)

    def check(self) -> None:
        sizes = {"ratings": self.ratings, "users": self.users, "items": self.items}
        if all(v is None for v in sizes.values()):
            raise SpecError(where=self.key, expected="ratings, users or items", hint="such as sample(ratings=0.5)")
        for name, value in sizes.items():
            if value is not None and value > 1 and not value.is_integer():
                raise SpecError(where=f"sample: '{name}'", found=value, expected="a share below 1 or a whole number")

    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        for amount, name in ((self.users, "users"), (self.items, "items")):
            if amount is not None:
                counts, codes = (data.user_counts, data.user) if name == "users" else (data.item_counts, data.item)
                data = self.select(data, self._drawn(amount, np.flatnonzero(counts > 0), len(counts), seed, name)[codes])
        if self.ratings is not None:
            keys = rng.uniform(rng.key(seed, "sample ratings"), data.user, data.item)
            data = self.select(data, lowest(keys, wanted(self.ratings, len(data), "ratings")))
        return data

    def _drawn(self, amount: float, met: Ints, n: int, seed: int, name: str) -> Bool:
        chosen = np.zeros(n, dtype=np.bool_)
        keys = rng.uniform(rng.key(seed, f"sample {name}"), met)
        chosen[met[lowest(keys, wanted(amount, len(met), name))]] = True
        return chosen

    def phrase(self) -> str:
        parts = [
            f"{share(n) if n < 1 else f'{n:,.0f}'} of the {what}"
            for what, n in (("ratings", self.ratings), ("users", self.users), ("items", self.items))
            if n is not None
        ]
        return f"kept a random sample of {' and '.join(parts)}"
