"""How the scores of all pairs of users and targets lie among those of the relevant ones: for one list of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Float64, Int64


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """Counts of pairs by score, added up block by block; no list of all pairs is ever held."""

    thresholds: Float64
    """The distinct scores of relevant pairs, ascending."""
    at: Int64
    """Pairs with just this score."""
    between: Int64
    """Pairs below the first threshold, between two, and above the last: one more than thresholds."""
    unscored: int = 0
    """Targets that the system could not score: tied below all others."""

    @classmethod
    def begin(cls, relevant_scores: Float64) -> ScoreCounts:
        """Nothing counted yet."""
        thresholds = np.unique(relevant_scores[~np.isnan(relevant_scores)])
        return cls(thresholds, np.zeros(len(thresholds), np.int64), np.zeros(len(thresholds) + 1, np.int64))

    def add(self, scores: Float64) -> ScoreCounts:
        """With the scores of more targets; NaN is one that could not be scored."""
        scored = scores[~np.isnan(scores)]
        place = np.searchsorted(self.thresholds, scored)
        equal = (
            self.thresholds[np.minimum(place, len(self.thresholds) - 1)] == scored
            if len(self.thresholds)
            else scored < scored
        )
        return ScoreCounts(
            self.thresholds,
            self.at + np.bincount(place[equal], minlength=len(self.at)),
            self.between + np.bincount(place[~equal], minlength=len(self.between)),
            self.unscored + len(scores) - len(scored),
        )
