"""Relevant and unexpected."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.errors import SpecError
from heldout.metrics.beyond.likeness import likeness
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class Serendipity(Metric):
    """Serendipity: how much of the top n is relevant and unexpected.

    Assumes: against=popular finds an item unexpected if a list of the n most popular items new to the user would lack it;
    against=profile finds it as unexpected as it is unlike, on average, what the user rated in training (by the users
    who rated both, or by a column of features). The denominator is n.

    Example: two relevant items in the top 10, one of them among the ten most popular: Serendipity@10 = 1/10.
    """

    key = "Serendipity"
    other_range = "0 to 2 with against=profile by training ratings, which may be negative"
    formula = "(1/n) Σ_{k ≤ n, rel_k} unexpected(u, i_k)"
    references = ("ge2010", "murakami2008", "vargas2011")
    divides = "n"
    claims = ("bounded",)
    tasks = ("some_good_items",)

    against: Literal["popular", "profile"] = param("popular", "what an unexpected item is unlike")
    features: str | None = param(None, "for against=profile: column of the items' features; none: training ratings")
    table: str | None = param(None, "file with item_id and that column; none: the data set's own table of items")
    n: int = cutoff()

    def check(self) -> None:
        if self.against == "popular" and self.features is not None:
            raise SpecError(
                "only against=profile uses features",
                where="Serendipity: 'features'",
                found=self.features,
                hint="add against=profile",
            )
        if self.table is not None and self.features is None:
            raise SpecError("needs 'features', a column of this table", where="Serendipity: 'table'", found=self.table)

    @property
    def tables(self) -> tuple[str | None, ...]:
        """The named file, or the data set's own table."""
        return () if self.features is None else (self.table,)

    @property
    def needs_all_training(self) -> bool:
        """For how alike two items are by their ratings."""
        return self.against == "profile" and self.features is None

    @property
    def limits(self) -> tuple[float, float]:
        """Up to 2 for profiles of training ratings: items with opposite ratings have a cosine of −1."""
        return (0.0, 2.0) if self.needs_all_training else self.range

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return judged.hits().sum(self._unexpected(judged), self.n) / self.n

    def _unexpected(self, judged: Judged) -> Float64:
        """How unexpected every hit is; those beyond n are not looked at."""
        background = judged.relevance.require_background(self)
        train = background.train_of_judged(self)
        at = judged.hit_entries()
        near = judged.rank[at] <= self.n
        item, user = judged.item[at][near], judged.relevance.users[judged.owner[judged.list_of[at]]][near]
        out = np.zeros(len(at))
        if self.against == "popular":
            # An item's place in the user's own popularity list: its place in all, less the user's items before it.
            place = np.empty(train.n_items, np.int64)
            place[np.argsort(-background.popularity(self), kind="stable")] = np.arange(train.n_items)
            width = train.n_items
            trained = np.sort(train.user.astype(np.int64) * width + place[train.item])
            first_of_user = user.astype(np.int64) * width
            before = np.searchsorted(trained, first_of_user + place[item]) - np.searchsorted(trained, first_of_user)
            out[near] = place[item] - before >= self.n
            return out
        from heldout.kernels.distances import distances_to_profiles

        alike = likeness(judged.relevance, self.features, self.table, self)
        unexpected = np.empty(len(item))
        distances_to_profiles(
            item, user, train.user_indptr, train.item, alike.indptr, alike.column, alike.value, alike.norm, unexpected
        )
        out[near] = unexpected
        return out
