"""A test set in which all items are equally popular."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heldout.catalogue import param
from heldout.catalogue.prose import cite, share
from heldout.errors import InputError
from heldout.splits.parts import draws, place_in_item
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Int64


class UniformTest(Divider):
    """Gives every test item the same number η of test ratings, which takes popularity's advantage away.

    With items by decreasing count (ties by item order), ζ = max{k : (1−ε) |R(i_k)| k / |R| ≥ σ}; the first ζ items are the
    test items, and η = (1−ε) |R(i_ζ)|, rounded, of each one's ratings, drawn at random, test.

    Assumes: every test item keeps a share of at least ε of its ratings in train, or less by under one rating, since η is
    rounded. σ is the least share that tests: where all items have many ratings, ζ is all of them and more tests. Items
    beyond ζ are not tested. Repeats are independent draws: disjoint folds are impossible.

    Example: MovieLens 1M with σ = ε = 0.2 has ζ = 1703 and η = 118, rounded from 117.6.
    """

    key = "uniform_test"
    uniform = True
    formula = "ζ = max {k : (1 − ε) |R(i_k)| k/|R| ≥ σ}, η = (1 − ε) |R(i_ζ)|"
    references = ("bellogin2017",)
    drawn = "uniform_test(share=0.15, keep=0.3)"

    share: float = param(0.2, "least share of all ratings that tests", above=0, below=1, also=("σ", "sigma"))
    keep: float = param(0.2, "least share of an item's ratings that trains", above=0, below=1, also=("ε", "epsilon"))
    repeats: int = param(1, "independent draws", least=1, most=10_000)

    @property
    def folds_made(self) -> int:
        return self.repeats

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        items, each = self.shape(data)
        tested = np.zeros(data.n_items, dtype=np.bool_)
        tested[items] = True
        for fold in range(self.repeats):
            place = place_in_item(data, draws(data, seed, "split uniform_test", fold))
            yield Hidden(tested[data.item] & (place < each))

    def shape(self, data: Interactions) -> tuple[Int64, int]:
        """The test items, most popular first (there are ζ), and η; InputError when no ζ solves the condition."""
        order = np.argsort(-data.item_counts, kind="stable")
        shares = self._shares(data.item_counts)
        fits = np.flatnonzero(shares >= self.share)
        if len(fits) == 0:
            best = int(shares.argmax())
            raise InputError(
                f"{self}: no number of items can have equally many test ratings that make {self.share:g} of all; "
                f"the largest share is {shares[best]:.3g}, with {best + 1:,} items",
                hint=f"lower share to at most {np.floor(shares[best] * 1000) / 1000:g}, or keep below {self.keep:g}",
            )
        zeta = self.items_tested(data.item_counts)
        return order[:zeta], int(np.floor((1 - self.keep) * data.item_counts[order[zeta - 1]] + 0.5 + 1e-9))

    def items_tested(self, counts: Int64) -> int:
        """ζ, where items have so many ratings; 0 when nothing solves its condition."""
        fits = np.flatnonzero(self._shares(counts) >= self.share)
        return int(fits[-1]) + 1 if len(fits) else 0

    def largest_share(self, counts: Int64) -> float:
        """The largest share of the ratings that can test, where items have so many ratings."""
        return float(self._shares(counts).max(initial=0.0))

    def _shares(self, counts: Int64) -> Float64:
        """The share that tests with the first k items, for every k."""
        descending = np.sort(counts)[::-1]
        share: Float64 = (1 - self.keep) * descending * np.arange(1, len(counts) + 1) / max(counts.sum(), 1)
        return share

    def phrase(self) -> str:
        return (
            f"test ratings ({share(self.share)} of all) were drawn so that every test item has the same number of them, "
            f"which takes the advantage of popular items away{cite(('bellogin2017',))}"
        )
