"""The sign test."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.significance.differences import checked_rows
from heldout.significance.effect import Effects, effects
from heldout.significance.significance_test import Test
from heldout.tables.arrays import Float64, Int64


class Sign(Test):
    """The sign test, exact: is a better than b for as many users as b is better than a?

    Assumes: nothing of the size of differences. Users without a difference are dropped; when none is left, p = 1.

    Example: 3 wins, no loss: two-sided p = 2 · (1/2)³ = 0.25; that a has the greater values, p = 0.125.
    """

    key = "sign"
    formula = "p = min(1, 2 P(X ≤ min(wins, losses))), X ~ Binomial(wins + losses, 1/2)"
    references = ("gunawardana2009",)
    compares = "ranks"
    alternative: Literal["two_sided", "greater", "less"] = param(
        "two_sided", "what is tested against: a difference, or that a's values are greater or less than b's"
    )

    @property
    def one_sided(self) -> bool:
        return self.alternative != "two_sided"

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """The p of each pair; nothing is drawn at random."""
        self.refuse_weights(weights)
        return self.p_of_effects(effects(checked_rows(columns, pairs), pairs))

    def p_of_effects(self, effects: Effects) -> Float64:
        """From the users for whom either system is better."""
        return sign_p(effects.greater, effects.less, self.alternative)


def sign_p(wins: Int64, losses: Int64, alternative: str = "two_sided") -> Float64:
    """The exact p of so many users better off and so many worse off."""
    from scipy.special import bdtr

    against = {"two_sided": np.minimum(wins, losses), "greater": losses, "less": wins}[alternative]
    tail = bdtr(against.astype(np.float64), wins + losses, 0.5)
    p_value: Float64 = np.minimum(1.0, tail * (2.0 if alternative == "two_sided" else 1.0))
    return p_value
