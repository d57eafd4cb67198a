"""Sweeps over parts of the test set."""

from __future__ import annotations

import numpy as np
from tests.metric_quality.test_sampled_means import SYSTEMS, fold_of

from heldout.catalogue import make
from heldout.metric_quality.robustness import SHARES, MissingRatings, missing_points, robustness_to_popularity

METRICS = (make("metric", "P@5"), make("metric", "nDCG@20"))


def test_the_whole_test_set_agrees_with_itself_and_less_agrees_less() -> None:
    fold = fold_of(1)
    sweep = MissingRatings(folds=[fold], metrics=METRICS, systems=SYSTEMS, undefined_as_zero=True, seed=1, samples=70)
    points = [point for number in range(len(SHARES)) for point in missing_points(sweep, number)]
    assert len(points) == len(SHARES) * len(METRICS)
    whole = [p for p in points if p.share == 1.0]
    assert all((p.tau, p.low, p.high, p.samples) == (1.0, 1.0, 1.0, 70) for p in whole)
    few = [p for p in points if p.share == 0.05]
    assert all(-1 <= p.low <= p.tau <= p.high <= 1 and p.tau < 1 for p in few)
    assert few[0].users < whole[0].users


def test_popular_items_left_out() -> None:
    fold = fold_of(2)
    popularity = np.bincount(fold.relevance.item, minlength=60)
    points = robustness_to_popularity([fold], METRICS, SYSTEMS, [popularity], undefined_as_zero=True)
    assert [p.share for p in points[::2]][:3] == [1.0, 0.99, 0.98]
    assert points[0].tau == 1.0
    assert all(p.samples == 1 and p.low == p.tau == p.high for p in points)
