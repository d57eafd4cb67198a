"""Models of the library `implicit` as they are: `models={"ALS": AlternatingLeastSquares(factors=64)}`."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from heldout import threads
from heldout.tables import Interactions
from heldout.tables.arrays import Bool, Floats, Ints
from heldout.tables.interactions import Values


def is_implicit(model: Any) -> bool:
    """Whether an object, or the objects of a class, are models of `implicit`."""
    kind = model if isinstance(model, type) else type(model)
    return any(base.__module__.partition(".")[0] == "implicit" for base in kind.__mro__)


class FromImplicit:
    """`fit` and `score` around a model of `implicit`, which is copied for each fit.

    It is given the ratings (or ones, `values="binary"`) as confidence, and the seed where it takes a `random_state`. What
    it does not score, and users and items without training ratings, are NaN.
    """

    def __init__(self, model: Any, values: Values = "rating") -> None:
        self._model, self._values = model, values

    def fit(self, train: Interactions, seed: int) -> _FittedImplicit:
        """A fitted copy."""
        own = self._model() if isinstance(self._model, type) else copy.deepcopy(self._model)
        if hasattr(own, "random_state"):
            own.random_state = seed % 2**31
        ratings = train.to_csr(self._values).astype(np.float32)
        with threads.single_blas():  # as `implicit` itself asks for: it has threads of its own
            own.fit(ratings, show_progress=False)
        return _FittedImplicit(own, ratings, train.user_counts > 0, train.item_counts > 0)


class _FittedImplicit:
    def __init__(self, model: Any, ratings: Any, known_users: Bool, known_items: Bool) -> None:
        self._model, self._ratings, self._known_users, self._known_items = model, ratings, known_users, known_items

    def score(self, users: Ints) -> Floats:
        """What the model recommends of all items, put at their places."""
        n = self._ratings.shape[1]
        items, scores = self._model.recommend(users, self._ratings[users], N=n, filter_already_liked_items=False)
        out = np.full((len(users), n), np.nan, scores.dtype)
        row, place = np.nonzero((items >= 0) & (scores > -np.finfo(np.float32).max))
        out[row, items[row, place]] = scores[row, place]
        out[~self._known_users[users]] = np.nan
        out[:, ~self._known_items] = np.nan
        return out
