"""Fit a recommender on training ratings."""

from __future__ import annotations

from typing import Any

from heldout.data.read import read
from heldout.experiment.recommend import FittedModel, fit_system, system_of


def fit(recommender: Any, train: Any, *, seed: int = 1, threads: int | None = None) -> FittedModel:
    """Fit a recommender, whose `recommend` then gives lists: `fit("EASE(l2=100)", split.train).recommend(n=10)`.

    `recommender` is a text form, a recommender of `ho.recommenders`, or a model of your own (see `as_recommender`); `train`
    is anything that `read` takes.
    """
    return fit_system(system_of(recommender), read(train), seed=seed, threads_used=threads)
