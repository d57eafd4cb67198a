"""Propensities from popularity."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.metrics.metric import Propensity
from heldout.tables import Relevance
from heldout.tables.arrays import Float64, frozen


class PopularityPropensity(Propensity):
    """Popular items are rated more readily: a power of the number of ratings an item has in train and test.

    Assumes: how often an item is rated follows a power law of how often it is relevant. Known up to a factor, so that
    only self-normalised estimates (snips) can use it.

    Example: γ = 1: an item with 4 ratings is 4 times as likely to be rated as one with 1; γ = 0: twice.
    """

    key = "popularity"
    formula = "p_i ∝ n_i^((γ+1)/2)"
    references = ("yang2018",)

    gamma: float = param(1.5, "how strongly being shown follows popularity", above=-1, also=("γ",))

    @property
    def absolute(self) -> bool:
        """Only proportional."""
        return False

    def of_rows(self, relevance: Relevance, asker: object) -> Float64:
        counts = relevance.require_background(asker).ratings
        if counts is None:
            raise NotApplicableError(
                "the training ratings are missing, which show how popular items are",
                where=str(asker),
                hint="pass the training set: train=…",
            )
        return frozen(np.maximum(counts[relevance.item], 1.0) ** ((self.gamma + 1) / 2), np.float64)
