"""What a recommender is: fitted on training ratings, it scores all items for given users."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from heldout.catalogue import Component
from heldout.tables import Interactions
from heldout.tables.arrays import Float32, Ints

TILE = 64
"""Users scored at a time. Products of a fixed shape give the same bytes whatever block or thread they belong to."""


class Model(ABC):
    """A fitted recommender."""

    @abstractmethod
    def score(self, users: Ints) -> Float32:
        """Scores of all items for these users, as a new array of shape (users, items); NaN where it cannot score.

        A user's scores depend on neither the other users asked for nor the place among them, as long as TILE users are
        asked for at once (callers pad). Safe to call from several threads.
        """


class Recommender(Component, kind="recommender"):
    """Learns from training ratings alone."""

    predicts_ratings: ClassVar[bool] = False
    """Whether scores are on the rating scale."""

    @abstractmethod
    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Learn; the seed fixes the result whatever the thread count."""
