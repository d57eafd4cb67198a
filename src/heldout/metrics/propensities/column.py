"""Propensities from a column."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.errors import InputError
from heldout.metrics.metric import Propensity
from heldout.tables import Relevance
from heldout.tables.arrays import Float64


class ColumnPropensity(Propensity):
    """Propensities are a column of a table of items, or of ratings: measured in an experiment, or estimated elsewhere.

    Assumes: `scale=absolute` are probabilities above 0 and at most 1; `scale=proportional` are any numbers above 0, and
    serve self-normalised estimates (snips) alone. A table with one row for each item says the same of all users; one with
    a column of users too, and a row for each user and item, tells them apart.

    Example: P(ips, propensity=column(p, "items.csv"))@10 weighs a hit whose p is 0.25 by 4.
    """

    key = "column"
    formula = "p_{u,i} = the column's number for item i, or for user u and item i"
    references = ("schnabel2016",)

    column: str = param("propensity", "name of the column")
    table: str | None = param(
        None, "file with item_id (user_id too, or not) and this column; none: the data set's table of items"
    )
    scale: Literal["absolute", "proportional"] = param("absolute", "whether they are probabilities")

    @property
    def absolute(self) -> bool:
        """As the column is declared."""
        return self.scale == "absolute"

    @property
    def tables(self) -> tuple[str | None, ...]:
        """The named file, or the data set's own table."""
        return (self.table,)

    def of_rows(self, relevance: Relevance, asker: object) -> Float64:
        background = relevance.require_background(asker)
        user = relevance.users[relevance.owner]
        used = background.numbers_of_pairs(self.column, self.table, user, relevance.item, asker)
        bad = ~(used > 0) | (self.absolute & (used > 1))
        if bad.any():
            first = self._named(relevance, int(np.argmax(bad)), asker)
            expected = "above 0 and at most 1" if self.absolute else "above 0"
            raise InputError(
                f"the propensity of {first}",
                found=float(used[bad][0]),
                expected=f"a number {expected}",
                file=background.table(self.table, asker).source,
                column=self.column,
                hint="every test item needs one; if the numbers are not probabilities, add scale=proportional",
            )
        return used

    def _named(self, relevance: Relevance, row: int, asker: object) -> str:
        """The item of a row, and the user where the table tells them apart."""
        background = relevance.require_background(asker)
        item = f"item {background.items.ids[relevance.item[row]]}"
        if background.users is None or background.table(self.table, asker).users is None:
            return item
        return f"{item} for user {background.users.ids[relevance.users[relevance.owner[row]]]}"
