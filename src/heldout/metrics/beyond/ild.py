"""How diverse lists are."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.errors import SpecError
from heldout.metrics.beyond.likeness import likeness
from heldout.metrics.beyond.tops import top_items
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class ILD(Metric):
    """Intra-list distance: how unlike each other the items of the top n are, on average over their pairs.

    Assumes: distance is one minus the cosine of two items' training ratings, or of the features that a column names;
    items without ratings or features are unlike all others.

    Example: three items, two of them with the same genre and the third with another: (0 + 1 + 1) / 3.
    """

    key = "ILD"
    other_range = "0 to 1 with features"
    by_relevance = "never"
    descriptive = True
    formula = "2/(m (m−1)) Σ_{i<j in top_n} (1 − cos(i, j))"
    references = ("smyth2001", "ziegler2005")
    divides = "the pairs of the top n"
    short_lists = "averaged over the pairs the list holds"
    undefined = "the list has fewer than two items"
    claims = ("bounded",)
    needs_lists = True
    range = (0.0, 2.0)

    features: str | None = param(None, "column of the items' features, such as genres; none: training ratings")
    table: str | None = param(None, "file with item_id and that column; none: the data set's own table of items")
    n: int = cutoff()

    def check(self) -> None:
        if self.n < 2:
            raise SpecError(
                "one item has no distance",
                where="ILD: cut-off",
                found=self.n,
                expected="a number at least 2",
                hint="such as ILD@10",
            )
        if self.table is not None and self.features is None:
            raise SpecError("needs 'features', a column of this table", where="ILD: 'table'", found=self.table)

    @property
    def tables(self) -> tuple[str | None, ...]:
        """The named file, or the data set's own table."""
        return () if self.features is None else (self.table,)

    @property
    def limits(self) -> tuple[float, float]:
        """Up to 2 by training ratings, which may be negative; up to 1 by features."""
        return self.range if self.features is None else (0.0, 1.0)

    @property
    def needs_all_training(self) -> bool:
        """For how alike two items are by their ratings."""
        return self.features is None

    def measure(self, judged: Judged) -> Float64:
        from heldout.kernels.distances import distances_within

        tops, alike = top_items(judged, self.n, self), likeness(judged.relevance, self.features, self.table, self)
        out = np.empty(len(judged))
        rows = len(alike.indptr) - 1
        distances_within(tops.indptr, tops.item, rows, alike.indptr, alike.column, alike.value, alike.norm, out)
        return out
