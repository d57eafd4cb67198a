"""Which ratings each sample keeps."""

from __future__ import annotations

import numpy as np

from heldout.metric_quality.samples import least_popular, random_samples


def test_samples_have_their_share_and_smaller_ones_lie_in_larger_ones() -> None:
    nested = random_samples(40, (1.0, 0.1, 0.5), range(3), seed=1)  # in any order
    all_ratings, tenth, half = (nested.of_share(k) for k in range(3))
    for k in range(3):
        assert [s.kept(k).sum() for s in (all_ratings, half, tenth)] == [40, 20, 4]
        assert not (tenth.kept(k) & ~half.kept(k)).any()
    assert not np.array_equal(half.kept(0), half.kept(1))
    again = random_samples(40, (0.5,), range(3), seed=1).of_share(0)
    assert np.array_equal(again.words, half.words)  # whatever other shares are asked for


def test_samples_are_told_apart_by_number_and_fold() -> None:
    both = random_samples(40, (0.5,), range(2), seed=1).of_share(0)
    second = random_samples(40, (0.5,), range(1, 2), seed=1).of_share(0)
    assert np.array_equal(both.kept(1), second.kept(0))
    assert not np.array_equal(random_samples(40, (0.5,), range(1, 2), seed=1, fold=1).of_share(0).words, second.words)


def test_more_shares_than_a_byte_counts() -> None:
    nested = random_samples(500, [k / 500 for k in range(500, 0, -1)], range(2), seed=1)
    assert [int(nested.of_share(k).kept(1).sum()) for k in (0, 100, 300, 499)] == [500, 400, 200, 1]


def test_popular_items_go_first() -> None:
    popularity = np.array([5, 0, 1, 9, 5])  # item 1 has no rating and is no item of the data
    kept = least_popular(popularity, np.array([0, 2, 3, 4], np.int32), (1.0, 0.75, 0.5))
    assert kept.kept(0).tolist() == [True, True, True, True]
    assert kept.kept(1).tolist() == [True, True, False, True]  # the most popular of four is item 3
    assert kept.kept(2).tolist() == [True, True, False, False]  # of items 0 and 4, the later one counts as the more popular
