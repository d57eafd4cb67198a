"""Test sets that others thinned, drawn again by their rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from tests.heavy import heavy

from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared
from heldout.experiment.preflight import checked_folds
from heldout.metric_quality.samples import least_popular
from heldout.study.file import study_from

KEPT = {0.99: 180_473, 0.95: 142_189, 0.90: 110_286, 0.80: 69_376}
"""Ratings in the test sets of MovieLens 1M that Valcarce et al. (2018) publish, by share of the items."""


@heavy
def test_the_least_popular_items_of_valcarce_2018(real_data: Callable[[str], Path]) -> None:
    """Popularity over training ratings, of equally popular items the higher number first, 20 items without any stay."""
    qrels = real_data("../anchors/valcarce-2018/qrels-ml-1M.txt.gz")
    data, split = str(real_data("ml-1m/ratings.dat")), f'given(test="{qrels}")'
    study = study_from({"data": data, "split": split, "recommend": "Popularity", "relevance": "threshold(4)"})
    [fold] = checked_folds(study, Prepared(), Clock())
    train, test = fold.split.train, fold.split.test
    assert len(test.item) == 197_656 and int((train.item_counts > 0).sum()) == 3_686
    samples = least_popular(train.item_counts, test.item, tuple(KEPT), higher_first=True)
    assert [int(samples.kept(k).sum()) for k in range(4)] == list(KEPT.values())
    of_all = least_popular(train.item_counts + test.item_counts, test.item, tuple(KEPT))
    assert not np.isin([int(of_all.kept(k).sum()) for k in range(4)], list(KEPT.values())).any()
