"""Pipelines and scorers of LensKit as they are: `models={"iknn": topn_pipeline(ItemKNNScorer())}`."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from heldout.errors import MissingExtraError
from heldout.tables import Interactions
from heldout.tables.arrays import Bool, Float64, Ints


def is_lenskit(model: Any) -> bool:
    """Whether an object is a pipeline or a component of LensKit."""
    return any(base.__module__.partition(".")[0] == "lenskit" for base in type(model).__mro__)


class FromLensKit:
    """`fit` and `score` around a LensKit pipeline, or around a scorer, which is put into one.

    The pipeline needs a node `scorer`, as those of `topn_pipeline` and `predict_pipeline` have. Users and items are told
    by their codes. Items that it does not score, and users without training ratings, are NaN.
    """

    def __init__(self, model: Any) -> None:
        self._model = model

    def fit(self, train: Interactions, seed: int) -> _FittedLensKit:
        """A trained copy."""
        try:
            from lenskit.data import from_interactions_df
            from lenskit.pipeline import topn_pipeline
            from lenskit.training import TrainingOptions
            from pandas import DataFrame
        except ModuleNotFoundError as error:
            raise MissingExtraError(str(error.name), "models", "a model of LensKit") from None
        scorer = not hasattr(self._model, "run")
        pipeline = topn_pipeline(copy.deepcopy(self._model)) if scorer else self._model.clone()
        rows = {"user_id": train.user.astype(np.int64), "item_id": train.item.astype(np.int64), "rating": train.value}
        data = from_interactions_df(DataFrame(rows))
        pipeline.train(data, TrainingOptions(rng=seed % 2**31))
        return _FittedLensKit(pipeline, np.flatnonzero(train.item_counts), train.n_items, train.user_counts > 0)


class _FittedLensKit:
    def __init__(self, pipeline: Any, items: Ints, n_items: int, trained: Bool) -> None:
        self._pipeline, self._items, self._n, self._trained = pipeline, items, n_items, trained

    def score(self, users: Ints) -> Float64:
        """One query for each user."""
        from lenskit.data import ItemList

        wanted = ItemList(item_ids=self._items)
        out = np.full((len(users), self._n), np.nan)
        for place, user in enumerate(users):
            if self._trained[user]:
                scored = self._pipeline.run("scorer", query=int(user), items=wanted)
                out[place, self._items] = scored.scores()
        return out
