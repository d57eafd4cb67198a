"""ExpectedUtility: the chance that an item is chosen times what that is worth."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import Coerced, param
from heldout.errors import NotApplicableError
from heldout.recommenders.guards import refuse_beyond
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Float64, Ints


class ExpectedUtility(Recommender):
    """Another recommender's score as a probability, times the mean utility of the item.

    Assumes: p̃ is the score over the highest training rating (`scale=rating`, for recommenders that predict ratings) or
    over the user's highest score (`scale=user`), held between 0 and 1; neither changes the order of the base's own list.
    A user whose scores are all 0 or below has no probabilities and cannot be scored. ũ is the mean over the item's training
    rows of the data's `utility` column, or of the rating (`utility=rating`). What the base cannot score is not scored.

    Example: an item with the user's highest score and a mean profit of 2 has 2; one with half that score and a profit of
    6 has 3.
    """

    key = "ExpectedUtility"
    formula = "s(u, i) = p̃(i|u) · ũ(i), p̃ = score/scale, ũ(i) the mean utility of i"
    references = ("gunawardana2009",)

    base: Coerced[Recommender, str] = param("ItemItem", "the recommender whose scores become probabilities")
    utility: Literal["column", "rating"] = param(
        "column", "what an item is worth: the mean of its utility, or of its rating"
    )
    scale: Literal["auto", "rating", "user"] = param(
        "auto", "what scores are divided by; auto: rating if the base predicts them"
    )

    @property
    def uses_values(self) -> bool:
        """Where its base does, or values are what items are worth."""
        return self.utility == "rating" or self.base.uses_values

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Fit the base and average utilities."""
        if self.utility == "column" and train.utility is None:
            raise NotApplicableError(
                "the data have no utility column", where=str(self), hint="read data with one, or use utility=rating"
            )
        worth = train.utility if self.utility == "column" and train.utility is not None else train.value
        total = np.bincount(train.item, worth, train.n_items)
        mean = np.full(train.n_items, np.nan)
        np.divide(total, train.item_counts, out=mean, where=train.item_counts > 0)
        refuse_beyond(float(np.fmax.reduce(np.abs(mean), initial=0)), "mean utilities")
        by_rating = self.scale == "rating" or (self.scale == "auto" and self.base.predicts_ratings)
        top = float(train.value.max()) if by_rating and len(train) else None
        if top is not None and top <= 0:
            raise NotApplicableError(
                "these ratings give no probabilities", where=str(self), found=top, expected="a highest rating above 0"
            )
        return _Expected(self.base.fit(train, seed=seed), mean, top)


class _Expected(Model):
    def __init__(self, base: Model, worth: Float64, top: float | None) -> None:
        self._base, self._worth, self._top = base, worth, top

    def score(self, users: Ints) -> Float32:
        scores = self._base.score(users).astype(np.float64)
        if self._top is None:
            highest = np.fmax.reduce(scores, axis=1, initial=np.nan)
            scale = np.where(highest > 0, highest, np.nan)[:, None]
        else:
            scale = np.full((len(users), 1), self._top)
        out: Float32 = (np.clip(scores / scale, 0, 1) * self._worth).astype(np.float32)
        return out
