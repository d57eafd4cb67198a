"""Which ratings each sample keeps."""

from __future__ import annotations

import numpy as np

from heldout.metric_quality.samples import least_popular, random_samples


def test_samples_have_their_share_and_smaller_ones_lie_in_larger_ones() -> None:
    nested = random_samples([40], (1.0, 0.1, 0.5), range(3), seed=1)  # in any order
    all_ratings, tenth, half = (nested.of_share(k) for k in range(3))
    for k in range(3):
        assert [s.kept(k).sum() for s in (all_ratings, half, tenth)] == [40, 20, 4]
        assert not (tenth.kept(k) & ~half.kept(k)).any()
    assert not np.array_equal(half.kept(0), half.kept(1))
    again = random_samples([40], (0.5,), range(3), seed=1).of_share(0)
    assert np.array_equal(again.words, half.words)  # whatever other shares are asked for


def test_samples_are_told_apart_by_number_and_fold() -> None:
    both = random_samples([40], (0.5,), range(2), seed=1).of_share(0)
    second = random_samples([40], (0.5,), range(1, 2), seed=1).of_share(0)
    assert np.array_equal(both.kept(1), second.kept(0))
    assert not np.array_equal(random_samples([40], (0.5,), range(1, 2), seed=1, fold=1).of_share(0).words, second.words)


def test_more_shares_than_a_byte_counts() -> None:
    nested = random_samples([500], [k / 500 for k in range(500, 0, -1)], range(2), seed=1)
    assert [int(nested.of_share(k).kept(1).sum()) for k in (0, 100, 300, 499)] == [500, 400, 200, 1]


def test_popular_items_go_first() -> None:
    popularity = np.array([5, 0, 1, 9, 5])  # item 1 has no rating and is no item of the data
    kept = least_popular(popularity, np.array([0, 2, 3, 4], np.int32), (1.0, 0.75, 0.5))
    assert kept.kept(0).tolist() == [True, True, True, True]
    assert kept.kept(1).tolist() == [True, True, False, True]  # the most popular of four is item 3
    assert kept.kept(2).tolist() == [True, True, False, False]  # of items 0 and 4, the later one counts as the more popular


def test_a_share_of_each_users_ratings() -> None:
    """Python rounds halves to even: 0.5 of 5 ratings are 2, of 7 they are 4."""
    sizes, shares = np.array([5, 0, 7, 1, 20]), (1.0, 0.5, 0.05)
    user = np.repeat(np.arange(5), sizes)
    nested = random_samples(sizes, shares, range(64), seed=1)
    samples = [nested.of_share(k) for k in range(3)]
    for share, sample in zip(shares, samples, strict=True):
        expected = [round(share * n) for n in (5, 0, 7, 1, 20)]
        assert all(np.bincount(user[sample.kept(k)], minlength=5).tolist() == expected for k in range(64))
    assert all(not (samples[2].kept(k) & ~samples[1].kept(k)).any() for k in range(64))
    kept = np.mean([samples[1].kept(k)[12:] for k in range(64)], axis=0)[1:]  # of the user with 20: half of 64 draws
    assert (np.abs(kept - 0.5) < 4 * np.sqrt(0.25 / 64)).all()


def test_equally_popular_items_in_either_order_and_items_that_were_never_counted() -> None:
    popularity = np.array([5, 0, 1, 9, 5])
    kept = least_popular(popularity, np.array([0, 1, 2, 3, 4], np.int32), (0.75, 0.5), higher_first=True)
    assert kept.kept(0).tolist() == [True, True, True, False, True]  # item 1 has no rating, and stays
    assert kept.kept(1).tolist() == [False, True, True, False, True]  # of items 0 and 4, item 4 counts as the less popular
