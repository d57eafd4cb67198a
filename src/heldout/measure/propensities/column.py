"""Propensities from a column."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.errors import InputError
from heldout.measure.metric import Propensity
from heldout.tables import Relevance
from heldout.tables.arrays import Float64


class ColumnPropensity(Propensity):
    """Propensities are a column of a table of items: measured in an experiment, or estimated elsewhere.

    Assumes: `scale=absolute` are probabilities above 0 and at most 1; `scale=proportional` are any numbers above 0, and
    serve self-normalised estimates (snips) alone. They depend on the item only.

    Example: P(ips, propensity=column(p, "items.csv"))@10 weighs a hit whose p is 0.25 by 4.
    """

    key = "column"
    formula = "p_i = the column's number for item i"
    references = ("schnabel2016",)

    column: str = param("propensity", "name of the column")
    table: str | None = param(None, "file with a column item_id and this one; none: the data set's own table of items")
    scale: Literal["absolute", "proportional"] = param("absolute", "whether they are probabilities")

    @property
    def absolute(self) -> bool:
        """As the column is declared."""
        return self.scale == "absolute"

    @property
    def tables(self) -> tuple[str | None, ...]:
        """The named file, or the data set's own table."""
        return (self.table,)

    def of_items(self, relevance: Relevance, asker: object) -> Float64:
        found = relevance.known(asker).numbers(self.column, self.table, asker)
        used = found[relevance.item]
        bad = ~(used > 0) | (self.absolute & (used > 1))
        if bad.any():
            first = relevance.known(asker).items.ids[relevance.item[np.argmax(bad)]]
            expected = "above 0 and at most 1" if self.absolute else "above 0"
            raise InputError(
                f"the propensity of item {first} is {used[bad][0]:g}, expected {expected}",
                file=relevance.known(asker).table(self.table, asker).source,
                column=self.column,
                hint="every test item needs one; numbers that are no probabilities are scale=proportional",
            )
        return found
