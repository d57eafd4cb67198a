"""Pairs of rated items: where a ranking and the ratings agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.metrics.metric import check_ties_known
from heldout.tables import Judged
from heldout.tables.arrays import Float64
from heldout.tables.memo import once


@dataclass(frozen=True, eq=False, kw_only=True)
class PairCounts:
    """For every list the pairs of its rated items, by what score and rating say of them."""

    agreeing: Float64
    contrary: Float64
    tied_scores: Float64
    """Equal scores, different ratings."""
    tied_ratings: Float64
    """Equal ratings, different scores."""
    tied_both: Float64


def pair_counts(judged: Judged) -> PairCounts:
    """Counted once; equal scores are told by equal numbers of targets above."""

    def compute() -> PairCounts:
        from heldout.kernels.agreement import count_pairs

        check_ties_known(judged, "a correlation")
        out = np.empty((len(judged), 5))
        count_pairs(judged.indptr, judged.above, judged.grade, out)
        agreeing, contrary, tied_scores, tied_ratings, tied_both = map(np.ascontiguousarray, out.T)
        return PairCounts(
            agreeing=agreeing,
            contrary=contrary,
            tied_scores=tied_scores,
            tied_ratings=tied_ratings,
            tied_both=tied_both,
        )

    return once(judged, "pairs", compute)
