"""Utilities from a column."""

from __future__ import annotations

from heldout.errors import NotApplicableError
from heldout.metrics.metric import Utility
from heldout.tables import Relevance
from heldout.tables.arrays import Float64


class ColumnUtility(Utility):
    """What each rating is worth is a column of the data, such as profit times quantity.

    Assumes: the column is the one that the reader took for the utility (usual names: utility, profit).

    Example: a test purchase with a profit of 12.5 is worth 12.5.
    """

    key = "column"
    formula = "u = the rating's utility"
    references = ("gunawardana2009",)

    def of_rows(self, relevance: Relevance, asker: object) -> Float64:
        if relevance.utility is None:
            raise NotApplicableError(
                "the test ratings have no column of utilities",
                where=str(asker),
                hint="name it when reading: utility=<column>; or use utility=hit or utility=above_neutral",
            )
        return relevance.utility
