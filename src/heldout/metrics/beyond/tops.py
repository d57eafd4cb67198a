"""The first items of lists, rated or not."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from heldout.errors import NotApplicableError
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64, Int32, Int64
from heldout.tables.memo import once


@dataclass(frozen=True, eq=False)
class Tops:
    """The top n of every list."""

    indptr: Int64
    item: Int32

    @property
    def sizes(self) -> Int64:
        """Items of each."""
        return np.diff(self.indptr)

    def sum(self, of_item: Float64) -> Float64:
        """Sum a value of items over each list."""
        from heldout.kernels.lists import sum_top

        out = np.empty(len(self.indptr) - 1)
        sum_top(self.indptr, np.zeros(len(self.item), np.int32), np.ascontiguousarray(of_item[self.item]), 1, out)
        return out

    def counts(self, n_items: int) -> Int64:
        """How often each item of the catalogue is recommended."""
        return np.bincount(self.item, minlength=n_items)


def top_items(judged: Judged, n: int, asker: object) -> Tops:
    """The top n of every list; items outside the catalogue (of foreign runs) are left out."""
    if judged.only is not None:
        raise NotApplicableError(
            "lists of one relevant item among sampled ones recommend nothing",
            where=str(asker),
            hint="measure it under AllItems",
        )
    if judged.lists is None:
        raise NotApplicableError("the lists themselves were not kept", where=str(asker))
    lists = judged.lists

    def compute() -> Tops:
        place = np.arange(len(lists.item)) - np.repeat(lists.indptr[:-1], lists.length)
        kept = (place < n) & (lists.item >= 0)
        sizes = np.add.reduceat(np.append(kept, False), lists.indptr[:-1]) if len(lists) else np.empty(0, np.int64)
        sizes = np.where(lists.length > 0, sizes, 0)
        return Tops(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), lists.item[kept])

    return once(judged, ("tops", n), compute)


class OfItemCounts(Metric):
    """A value of a whole system that follows from how often each item is in a top n: counts of users add up."""

    per_user = False
    needs_lists = True

    n: int

    @abstractmethod
    def of_counts(self, counts: Int64) -> float:
        """The value, from how often each item of the catalogue is recommended; NaN where nothing is."""

    def counts(self, judged: Judged) -> Int64:
        """How often each item of the catalogue is recommended."""
        return top_items(judged, self.n, self).counts(judged.relevance.require_background(self).n_items)

    def measure(self, judged: Judged) -> Float64:
        return np.full(len(judged), self.of_counts(self.counts(judged)))
