"""Ratings as liked or not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.catalogue import REQUIRED, param
from heldout.data.filter import Filter
from heldout.tables import Interactions
from heldout.tables.arrays import frozen


class Binarise(Filter):
    """Turns ratings from a threshold on into 1 and the others into 0; all are kept.

    Assumes: a low rating is a known dislike, unlike an absent one; `positive` drops it instead.

    Example: the ratings 3, 4 and 5 become 0, 1 and 1 under `binarise(4)`.
    """

    key = "binarise"
    binary = True
    aliases = ("binarize",)
    formula = "r'(u, i) = 1 if r(u, i) ≥ τ, else 0"

    threshold: float = param(REQUIRED, "the lowest rating that becomes 1", also=("τ", "tau"))

    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        return replace(data, value=frozen(data.value >= self.threshold, np.float64)).compact()

    def phrase(self) -> str:
        return f"turned ratings of at least {self.threshold:g} into 1 and all others into 0"
