"""Counts of pairs by score, block by block."""

from __future__ import annotations

import numpy as np

from heldout.tables import ScoreCounts

NAN = np.nan


def test_scores_fall_on_between_and_beside_the_thresholds() -> None:
    counts = ScoreCounts.begin(np.array([3.0, 1.0, 3.0, NAN])).add(np.array([0.0, 1.0, 2.0, 2.5, 3.0, 9.0, NAN]))
    assert counts.thresholds.tolist() == [1.0, 3.0]
    assert (counts.at.tolist(), counts.between.tolist(), counts.unscored) == ([1, 1], [1, 2, 1], 1)


def test_blocks_add_up_to_the_whole() -> None:
    scores = np.random.default_rng(1).integers(0, 9, 200).astype(float)
    scores[::7] = NAN
    whole = ScoreCounts.begin(scores[:5]).add(scores)
    parts = ScoreCounts.begin(scores[:5])
    for block in np.split(scores, [3, 3, 90]):
        parts = parts.add(block)
    assert parts.at.tolist() == whole.at.tolist() and parts.between.tolist() == whole.between.tolist()
    assert parts.unscored == whole.unscored == np.isnan(scores).sum()
    assert whole.at.sum() + whole.between.sum() + whole.unscored == 200


def test_without_a_relevant_score_all_lie_in_one_gap() -> None:
    counts = ScoreCounts.begin(np.array([NAN])).add(np.array([1.0, 2.0, NAN]))
    assert (counts.at.tolist(), counts.between.tolist(), counts.unscored) == ([], [2], 1)
