"""What a target protocol is: which items compete in a user's ranking."""

from __future__ import annotations

from typing import ClassVar, Literal

from heldout.catalogue import Component
from heldout.target.relevance_rule import RelevanceRule

Candidates = Literal["all", "test", "training"]
Competition = Literal["candidates", "own", "sample"]


class Target(Component, kind="target"):
    """Declares which items are to be ranked; the ranker serves every protocol asked for from one pass over the scores.

    A user's training items are never targets.
    """

    competition: ClassVar[Competition] = "candidates"
    """Against what an item competes: a set of candidates, the user's own test items, or a sample."""
    candidates: ClassVar[Candidates] = "all"
    single: ClassVar[bool] = False
    """One list per (user, relevant item) instead of one per user."""
    lacks: ClassVar[str] = ""
    """What a run of top items cannot tell about this protocol."""

    @property
    def sample_size(self) -> int:
        """Sampled items in each list."""
        return 0

    @property
    def by_rating(self) -> bool:
        """Whether lists are averaged over relevant ratings rather than over users."""
        return False

    @property
    def own_relevance(self) -> RelevanceRule | None:
        """The relevance rule that belongs to the protocol, if it has one of its own."""
        return None
