"""What a recommender is: fitted on training ratings, it scores all items for given users."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from heldout.catalogue import Component
from heldout.errors import NotApplicableError
from heldout.recommenders.ranges import Ranges
from heldout.tables import Interactions
from heldout.tables.arrays import Floats, Ints

TILE = 64
"""Users that a model is asked for at a time: products of one shape give the same bytes in whatever block or thread."""


class Model(ABC):
    """A fitted recommender."""

    @abstractmethod
    def score(self, users: Ints) -> Floats:
        """Scores of all items for these users, as a new array of shape (users, items); NaN where it cannot score.

        They are ranked at the width that they have, float32 or float64.
        A user's scores depend on neither the other users asked for nor the place among them, as long as TILE users are
        asked for at once (callers pad). Safe to call from several threads.
        """

    def places(self, users: Ints) -> Floats:
        """Like `score`, but numbers that fall by score and, where scores are equal, in the order of their file."""
        raise NotApplicableError("this system is fitted and has no order in a file", where="ties", found="file")


class Recommender(Component, kind="recommender"):
    """Learns from training ratings alone."""

    has_file_order: ClassVar[bool] = False
    """Whether scores come from the rows of a file, whose order can settle ties; models then have a method `places`."""
    ends_early: ClassVar[bool] = False
    """Whether what it does not score may merely stand below the end of its lists, as in a run file of top items."""
    weighs_by_value: ClassVar[bool] = False
    """Whether a rating weighs in proportion to its value; a parameter `values` of rating or binary says so by itself."""
    impersonal: ClassVar[bool] = False
    """Whether it knows nothing of the user: a baseline that every personal system should beat."""
    ranges: ClassVar[Ranges] = {}
    """Where `heldout tune` looks for each parameter, unless told otherwise; parameters not named keep their value."""

    @property
    def reusable(self) -> bool:
        """Whether the text form tells all that scores depend on, so that stored scores may be used again."""
        return True

    @property
    def fittable(self) -> bool:
        """Whether there is a model to fit: of one that was an object in memory, results keep the name alone."""
        return True

    @property
    def predicts_ratings(self) -> bool:
        """Whether scores are on the rating scale."""
        return False

    @property
    def comparable_scores(self) -> bool:
        """Whether a higher score for one user means more than a lower one for another; scores on the rating scale do."""
        return False

    @property
    def uses_values(self) -> bool:
        """Whether values are taken for ratings: a value of 1,000 then weighs a thousand times as much as a 1."""
        values = getattr(self, "values", None)
        return self.weighs_by_value if values is None else values == "rating"

    def source_digest(self) -> str:
        """sha256 of files that it reads beside the training ratings; empty when it reads none."""
        return ""

    @abstractmethod
    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Learn; the seed fixes the result whatever the thread count."""
