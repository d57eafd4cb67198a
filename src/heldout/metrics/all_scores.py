"""Scores of all users' targets counted among those of the relevant ones: what global curves are drawn from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from heldout.tables import Judged, ScoreCounts
from heldout.tables.arrays import Float64


def count_blocks(judged: Judged, blocks: Iterable[Float64]) -> Judged:
    """The lists with the scores of all targets counted, which come block by block; NaN could not be scored."""
    if judged.condensed:
        return _count_entries(judged)
    counts = _begin(judged)
    for block in blocks:
        counts = counts.add(np.asarray(block, dtype=np.float64).ravel())
    return replace(judged, everywhere=counts)


def count_lists(judged: Judged) -> Judged:
    """The same for lists that are all there is of the scores; what they lack could not be scored."""
    if judged.condensed:
        return _count_entries(judged)
    if judged.lists is None:
        return judged
    counts = _begin(judged).add(judged.lists.score)
    lacking = int(judged.targets.sum()) - len(judged.lists.score)
    return replace(judged, everywhere=replace(counts, unscored=counts.unscored + max(lacking, 0)))


def _count_entries(judged: Judged) -> Judged:
    """The same where rated items alone are targets: the entries are all there is."""
    scores = judged.score if judged.score is not None else np.empty(0)
    scored = scores[~np.isnan(scores)]
    counts = replace(_begin(judged).add(scored), unscored=int(judged.targets.sum()) - len(scored))
    return replace(judged, everywhere=counts)


def _begin(judged: Judged) -> ScoreCounts:
    scores = judged.score if judged.score is not None else np.empty(0)
    return ScoreCounts.begin(scores[judged.hit_entries()] if len(scores) else scores)
