"""Only what users liked."""

from __future__ import annotations

from heldout.catalogue import REQUIRED, param
from heldout.data.filter import Filter
from heldout.tables import Interactions


class Positive(Filter):
    """Keeps ratings from a threshold on and treats the others as absent.

    Assumes: a rating below the threshold is as if it had never been given, also for popularity and for what a user has
    already seen; `binarise` keeps it as 0.

    Example: of the ratings 3, 4 and 5 `positive(4)` keeps 4 and 5.
    """

    key = "positive"
    removes = True
    formula = "{(u, i) ∈ R : r(u, i) ≥ τ}"

    threshold: float = param(REQUIRED, "the lowest rating that is kept", also=("τ", "tau"))

    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        return self.select(data, data.value >= self.threshold)

    def phrase(self) -> str:
        return f"kept ratings of at least {self.threshold:g} and treated all others as absent"
