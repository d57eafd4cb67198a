"""A test set in which all items are equally popular."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heldout.catalogue import param
from heldout.catalogue.prose import cite, number_word, share
from heldout.errors import InputError, SpecError
from heldout.splits.parts import draws, place_in_item
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Int64


class UniformTest(Divider):
    """Gives every test item the same number η of test ratings, which takes popularity's advantage away.

    With items by decreasing count (ties by item order), ζ = max{k : (1−ε) |R(i_k)| k / |R| ≥ σ}; the first ζ items are the
    test items, and η = (1−ε) |R(i_ζ)|, rounded, of each one's ratings, drawn at random, test.

    Assumes: every test item keeps a share of at least ε of its ratings in train, or less by under one rating, since η is
    rounded. σ is the least share that tests: if all items have many ratings, ζ is all of them and more tests. Items
    beyond ζ are not tested. `repeats` are independent draws. With `folds=n` each item's ratings stand in one random circular
    order, and the η test ratings of fold f begin at ⌊f |R(i)| / n⌋. Test sets of n folds are disjoint if n η ≤ |R(i)| for
    every test item, hence if ε ≥ 1 − 1/n; η is then rounded down if rounding would break this. With smaller ε they overlap,
    and the report states it. Bellogín et al. (2017) write that ε ≥ 1/n allows n-fold cross-validation, which suffices for
    n = 2 only.

    Example: MovieLens 1M with σ = ε = 0.2 has ζ = 1703 and η = 118, rounded from 117.6. The item at ζ has 147 ratings: five
    folds of 118 overlap.
    """

    key = "uniform_test"
    uniform = True
    formula = "ζ = max {k : (1 − ε) |R(i_k)| k/|R| ≥ σ}, η = (1 − ε) |R(i_ζ)|"
    references = ("bellogin2017",)
    drawn = "uniform_test(share=0.15, keep=0.3)"

    share: float = param(0.2, "least share of all ratings that tests", above=0, below=1, also=("σ", "sigma"))
    keep: float = param(0.2, "least share of an item's ratings that trains", above=0, below=1, also=("ε", "epsilon"))
    repeats: int = param(1, "independent draws", least=1, most=10_000)
    folds: int | None = param(
        None,
        "test sets from one random order of each item's ratings, disjoint if ε ≥ 1 − 1/n; none: draws",
        least=2,
        most=10_000,
    )

    def check(self) -> None:
        if self.folds is not None and self.repeats > 1:
            raise SpecError(
                "folds and repeats exclude each other",
                where="uniform_test",
                found=[f"folds={self.folds}", f"repeats={self.repeats}"],
                hint="set one of them",
            )

    @property
    def folds_made(self) -> int:
        return self.repeats if self.folds is None else self.folds

    @property
    def least_kept_for_disjoint(self) -> float | None:
        least = 1 - 1 / (self.folds or 1)
        return None if self.keep >= least - 1e-9 else least

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        items, each = self.shape(data)
        tested = np.zeros(data.n_items, dtype=np.bool_)
        tested[items] = True
        if self.folds is not None:
            size = data.item_counts[data.item]
            place = place_in_item(data, draws(data, seed, "split uniform_test", 0))
            for fold in range(self.folds):
                yield Hidden(tested[data.item] & ((place - fold * size // self.folds) % size < each))
            return
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
            largest = float(np.floor(shares[best] * 1000) / 1000)
            raise InputError(
                "no number of items can have equally many test ratings that make up this share",
                found=self.share,
                expected=f"at most {largest:g}, the share of {best + 1:,} items",
                hint=f"lower share, or set keep below {self.keep:g}",
            ).within(str(self))
        zeta = self.items_tested(data.item_counts)
        fewest = int(data.item_counts[order[zeta - 1]])
        each = int(np.floor((1 - self.keep) * fewest + 0.5 + 1e-9))
        if self.folds is not None and self.least_kept_for_disjoint is None:
            each = min(each, fewest // self.folds)
        return order[:zeta], each

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
        folds = ""
        if self.folds is not None:
            sets = "overlapping" if self.least_kept_for_disjoint is not None else "disjoint"
            folds = f", in {number_word(self.folds)} folds with {sets} test sets"
        return (
            f"test ratings ({share(self.share)} of all) were drawn so that every test item has the same number of them, "
            f"which takes the advantage of popular items away{cite(('bellogin2017',))}{folds}"
        )
