"""Popularity in training and in test, by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr
from tests.biases.sample import small_study

from heldout.biases.drift import PERIODS, drift, exposure, popularity_correlation, popularity_distance, repeats
from heldout.biases.truth.truth_table import TruthTable
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared, split_folds
from heldout.tables import Interactions, Log, Vocabulary


def test_the_documented_distance() -> None:
    assert popularity_distance(np.array([3, 1]), np.array([1, 1])) == 0.25
    assert popularity_distance(np.array([2, 4]), np.array([1, 2])) == 0


def test_correlation_is_spearman_s_over_items_in_either() -> None:
    first, second = np.array([5, 0, 3, 0, 1, 2]), np.array([2, 0, 4, 1, 0, 2])
    either = [0, 2, 3, 4, 5]
    assert popularity_correlation(first, second) == pytest.approx(spearmanr(first[either], second[either]).statistic)
    assert np.isnan(popularity_correlation(np.array([2, 2]), np.array([1, 3])))


def test_a_split_by_time_drifts_more_than_a_random_one() -> None:
    measured = {}
    for split in ("ratio(train=0.7)", "temporal(share=0.3)"):
        study = small_study(split=split, data="simulate(users=90, items=200, ratings=1800)")
        fold = next(next(split_folds(study, Prepared(), Clock()))[1])
        relevant = (fold.split.test.value >= 4).astype(np.float64)
        measured[split] = drift(fold.split, relevant, None, chance=np.array([0.1, 0.3]))
    for of_split in measured.values():
        assert of_split.distance_by_chance == pytest.approx(0.2)
        assert of_split.timed and len(of_split.periods) == PERIODS
        assert 0 <= of_split.unseen_ratings <= of_split.unseen_items <= 1
        assert np.isnan(of_split.repeated)
    starts = [period.start for period in measured["temporal(share=0.3)"].periods]
    assert starts == sorted(starts)


def test_repeated_pairs_are_counted_in_the_rows_as_read() -> None:
    log = Log(user_id=pl.Series(["a", "a", "a", "b"]), item_id=pl.Series([1, 1, 2, 1]), value=np.ones(4))
    assert repeats(log) == (0.25, 0.5)
    assert all(np.isnan(repeats(None)))


def test_liking_and_chances_of_the_head_by_hand() -> None:
    """Item 0 is the head. Users 0 and 1 say of it 5 and 1, with chances of 1/2 and 1/4 of having been asked: 2 of 6 like it.

    Of item 1 both say 5.
    """
    users, items = Vocabulary.numbered(2), Vocabulary.numbered(2)
    train = Interactions.build(users, items, np.array([0]), np.array([0]), np.ones(1))
    said = Interactions.build(users, items, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([5.0, 5, 1, 5]))
    asked = TruthTable(ratings=said, rate=np.array([0.5, 1, 0.25, 1]), users=2)
    of_head = exposure(train, asked, said.value >= 4, np.array([0.4, 0.1, 0.1, 0.2]), 0.5)
    assert of_head.liked_head == pytest.approx(2 / 6) and of_head.liked_rest == 1
    assert of_head.met_head == pytest.approx((2 * 0.4 + 4 * 0.1) / 6) and of_head.met_rest == pytest.approx(0.15)
    assert np.isnan(exposure(train, asked, said.value >= 4, None, 0.5).met_head)
