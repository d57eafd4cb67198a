"""What a reader found, before anyone decided what a repeated pair means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from heldout.errors import InputError
from heldout.tables.arrays import Float64, Int64, Ints
from heldout.tables.interactions import Interactions
from heldout.tables.vocabulary import Vocabulary, id_column

Keep = Literal["latest", "sum", "max", "error"]


@dataclass(frozen=True, eq=False)
class Log:
    """Rows as they were written: external ids, a value, perhaps a time and a utility; pairs may repeat."""

    user_id: pl.Series
    item_id: pl.Series
    value: Float64
    time: Int64 | None = None
    utility: Float64 | None = None
    source: str = "data"

    def __len__(self) -> int:
        return len(self.value)

    def interactions(
        self, keep: Keep = "error", *, users: Vocabulary | None = None, items: Vocabulary | None = None
    ) -> Interactions:
        """One row per pair: repeated pairs keep the latest, the sum, the maximum, or are an error.

        `latest` takes the largest time, and the later row where times are equal or absent. Sums add utilities too;
        `max` keeps the row of the highest value.
        """
        if len(self) == 0:
            raise InputError("no ratings", file=self.source)
        user_id = id_column(self.user_id, file=self.source, name="user")
        item_id = id_column(self.item_id, file=self.source, name="item")
        users = users or Vocabulary.of(user_id)
        items = items or Vocabulary.of(item_id)
        user, item = users.encode(user_id), items.encode(item_id)
        if keep == "error":
            return self._distinct(users, items, user, item)
        pair = user.astype(np.int64) * len(items) + item
        if keep == "max":
            order = np.lexsort((self.value, pair))
        elif self.time is not None:
            order = np.lexsort((np.arange(len(pair)), self.time, pair))
        else:
            order = np.argsort(pair, kind="stable")
        ordered = pair[order]
        last = order[np.append(ordered[1:] != ordered[:-1], True)]
        value, utility = self.value[last], self.utility[last] if self.utility is not None else None
        if keep == "sum":
            first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
            value = np.add.reduceat(self.value[order], first)
            utility = np.add.reduceat(self.utility[order], first) if self.utility is not None else None
        return Interactions.build(
            users,
            items,
            user[last],
            item[last],
            value,
            utility=utility,
            time=self.time[last] if self.time is not None else None,
        )

    def _distinct(self, users: Vocabulary, items: Vocabulary, user: Ints, item: Ints) -> Interactions:
        try:
            return Interactions.build(users, items, user, item, self.value, time=self.time, utility=self.utility)
        except InputError as error:
            raise error.within(self.source) from None
