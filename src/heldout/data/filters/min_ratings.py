"""Dropping users and items with few ratings, once."""

from __future__ import annotations

from heldout.catalogue import param
from heldout.data.filter import Filter
from heldout.errors import SpecError
from heldout.tables import Interactions


class MinRatings(Filter):
    """Drops users and items with fewer ratings than asked, once.

    Assumes: both counts are taken before anything is dropped, so that what is left may again be below them; `core`
    repeats until nothing is.

    Example: users a (items x, y) and b (item x) under `min_ratings(user=2)` leave a's two ratings, although y and x then
    have one each.
    """

    key = "min_ratings"
    removes = True
    formula = "{(u, i) ∈ R : |R_u| ≥ n, |R_i| ≥ m}"

    user: int = param(0, "ratings that a user must have", least=0)
    item: int = param(0, "ratings that an item must have", least=0)

    def check(self) -> None:
        if self.user == 0 and self.item == 0:
            raise SpecError(where=self.key, expected="'user' or 'item'", hint="such as min_ratings(user=5, item=5)")

    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        rows = (data.user_counts >= self.user)[data.user] & (data.item_counts >= self.item)[data.item]
        return self.select(data, rows)

    def phrase(self) -> str:
        dropped = [f"{who}s with fewer than {n} ratings" for who, n in (("user", self.user), ("item", self.item)) if n > 0]
        return f"removed {' and '.join(dropped) or 'nothing'}, once"
