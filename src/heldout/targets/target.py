"""What a target protocol is, which says what competes in a user's ranking, and what an estimator for sampled targets is."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from heldout.catalogue import Component
from heldout.catalogue.prose import cite
from heldout.tables.arrays import Float64
from heldout.targets.relevance_rule import RelevanceRule

Candidates = Literal["all", "test", "training"]
Pool = Literal["nonrelevant", "unrated"]
Average = Literal["user", "rating"]


@dataclass(frozen=True, kw_only=True)
class Form:
    """The general form of a target protocol (Bellogín, Castells and Cantador 2017): one value on each axis."""

    candidates: Candidates = "all"
    single: bool = False
    """One list per (user, relevant item) instead of one per user."""
    sample: int | None = None
    """Sampled items in each list; None takes all."""
    percentiles: int = 1
    """Popularity classes; the items of a list are of one class."""
    pool: Pool = "nonrelevant"
    """What besides relevant items competes: all that is not relevant, or only what the user rated nowhere."""
    head: float = 0.0
    """The share of most popular items that is no part of the test."""
    average: Average = "user"
    """What counts the same in an average over lists of one relevant item: users, or relevant ratings."""
    corrected: Estimator | None = None
    own: bool = False
    """Only the user's own test items compete; nothing else of the form then matters."""
    uniform: bool = False
    """Made for a split that gives every test item the same number of test ratings."""

    @property
    def by_relevance(self) -> bool:
        """True if which items are sampled or ranked depends on what is relevant."""
        return self.sample is not None and (self.pool == "nonrelevant" or not self.single)


class Target(Component, kind="target"):
    """Declares which items are to be ranked; the ranker serves all protocols of a study from one pass over the scores.

    A user's training items are never targets.
    """

    lacks: ClassVar[str] = ""
    """What a run of top items cannot tell about this protocol."""

    @property
    @abstractmethod
    def form(self) -> Form:
        """The protocol in the general form."""

    @property
    def own_relevance(self) -> RelevanceRule | None:
        """The relevance rule that belongs to the protocol, if it has one of its own."""
        return None

    @property
    def single(self) -> bool:
        """One list per (user, relevant item) instead of one per user."""
        return self.form.single

    @property
    def sample_size(self) -> int:
        """Sampled items in each list, 0 where all compete."""
        return self.form.sample or 0

    @property
    def by_rating(self) -> bool:
        """True if users count for as much as their lists do, instead of all the same."""
        return self.form.single and (self.form.average == "rating" or self.form.percentiles > 1)

    def average_phrase(self) -> str:
        """How values of lists of one relevant item became values of users, ending a phrase."""
        over = "per user first and then over users" if self.form.average == "user" else "over all lists alike"
        return f", and values were averaged {over}"

    def correction_phrase(self) -> str:
        """How values were corrected for sampling, ending a phrase; empty if they were not."""
        by = self.form.corrected
        return f", corrected for sampling by the `{by}` estimator{cite(by.references)}" if by is not None else ""


class Estimator(Component, kind="estimator"):
    """Estimates, from a relevant item's rank among sampled items, the metric at its rank among all of them."""

    @abstractmethod
    def values(self, squares: Float64, cross: Float64, mean: Float64, first: float) -> Float64:
        """The corrected value of each sampled rank.

        With A[r, s] the chance of sampled rank s where the rank among all n is r, and f(r) the metric: `squares` is AᵀA / n,
        `cross` is Aᵀf / n, `mean` is the chance of each sampled rank over all r, `first` is f(1), the highest value.
        """
