"""The truth behind a fold: complete, or a random sample whose weights make up for what went to train."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import refused

from heldout.biases.truth.truth_table import (
    complete_truth,
    decisive_ratings,
    in_test_given_not_in_train,
    sampled_truth,
    share_of_test,
)
from heldout.catalogue import make
from heldout.data.readers import Simulate
from heldout.errors import InputError
from heldout.tables import Interactions, Split, Vocabulary


def table(pairs: list[tuple[int, int]], users: int = 4, items: int = 5) -> Interactions:
    user, item = (np.array([pair[k] for pair in pairs]) for k in (0, 1))
    return Interactions.build(Vocabulary.numbered(users), Vocabulary.numbered(items), user, item, np.ones(len(pairs)))


def test_the_chance_of_testing_given_not_in_train_by_hand() -> None:
    """p = 1/2, σ = 1/5: a tenth in test, four tenths in train, half in neither: 0.1 / 0.6."""
    assert in_test_given_not_in_train(np.array([0.5, 1.0]), 0.2) == pytest.approx([1 / 6, 1.0])


def test_complete_truth_is_of_all_pairs_that_are_not_in_train() -> None:
    world = Simulate(users=30, items=20, ratings=200).world()
    [split] = make("split", "ratio(train=0.7)").split(world.interactions, seed=1)
    truth = complete_truth(world, split, seed=1)
    assert not truth.sampled and len(truth.ratings) == 30 * 20 - len(split.train)
    ids = (
        np.asarray(truth.ratings.users.decode(truth.ratings.user)),
        np.asarray(truth.ratings.items.decode(truth.ratings.item)),
    )
    assert np.array_equal(truth.ratings.value, world.truth(np.arange(30))[ids[0] - 1, ids[1] - 1])
    test = split.test
    rows = {(u, i): v for u, i, v in zip(truth.ratings.user, truth.ratings.item, truth.ratings.value, strict=True)}
    assert all(rows[u, i] == v for u, i, v in zip(test.user, test.item, test.value, strict=True))


def test_an_independent_sample_has_one_rate_for_each_user() -> None:
    """User 0: 2 of 5 items sampled, 1 of them in train; of the 4 others 1 was sampled."""
    split = Split(train=table([(0, 0), (1, 1)]), test=table([(0, 1), (2, 2)]), fold=0)
    truth = sampled_truth(table([(0, 0), (0, 3), (1, 0), (1, 2)]), split, source="random.csv")
    assert truth.ratings.user.tolist() == [0, 1, 1] and truth.ratings.item.tolist() == [3, 0, 2]
    assert truth.rate is not None and truth.rate.tolist() == [1 / 4, 2 / 4, 2 / 4]
    assert truth.left_out == "1 pair in train"
    assert not truth.nested and truth.overlap == 1 / 3


def test_in_a_nested_sample_test_pairs_had_a_smaller_chance() -> None:
    """All observed pairs are sampled: r = 3/5 for user 0, σ = 1/2, so that a test pair has 0.3 / 0.7 and others 0.6."""
    split = Split(train=table([(0, 0)]), test=table([(0, 1)]), fold=0)
    assert share_of_test(split) == 0.5
    truth = sampled_truth(table([(0, 0), (0, 1), (0, 2)]), split, source="all.csv")
    assert truth.ratings.item.tolist() == [1, 2]
    assert truth.rate == pytest.approx([0.3 / 0.7, 0.6])


def test_ratings_that_alone_make_their_user_tested_weigh_1() -> None:
    """User 0 has two test ratings, of which only the relevant one counts where a relevant one is needed; user 1 has one."""
    split = Split(train=table([(0, 0), (1, 0)]), test=table([(0, 1), (0, 2), (1, 1)]), fold=0)
    tested = decisive_ratings(split, lambda of: of.test.user_counts > 0)
    assert tested.tolist() == [False, False, True]
    two = decisive_ratings(split, lambda of: of.test.user_counts > 1)
    assert two.tolist() == [True, True, True]
    item_1 = decisive_ratings(split, lambda of: np.bincount(of.test.user, of.test.item == 1, 4) > 0)
    assert item_1.tolist() == [True, False, True]
    pairs = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 3)]
    truth = sampled_truth(table(pairs), split, source="all.csv")
    # r = 4/5 and 3/5, σ = 3/5: 0.48 / 0.68 for a test rating of user 0 and 0.36 / 0.76 for one of user 1
    assert truth.rate == pytest.approx([0.48 / 0.68, 0.48 / 0.68, 0.8, 0.36 / 0.76, 0.6])
    assert truth.rate_among(split.test, tested) == pytest.approx([0.48 / 0.68, 0.48 / 0.68, 0.8, 1, 0.6])
    assert truth.rate_among(split.test, item_1) == pytest.approx([1, 0.48 / 0.68, 0.8, 1, 0.6])


def test_the_first_half_of_a_sample_is_known_and_the_second_stands_for_all_other_pairs() -> None:
    """User 0: items 0, 1 and 2 are the first half, item 0 trains; item 4 stands for the 2 items outside that half."""
    split = Split(train=table([(0, 0)]), test=table([(0, 1)]), fold=0)
    first = np.array([True, True, True, False])
    truth = sampled_truth(table([(0, 0), (0, 1), (0, 2), (0, 4)]), split, source="all.csv", first_half=first)
    assert truth.ratings.item.tolist() == [1, 2, 4] and not truth.nested
    assert truth.rate is not None and truth.rate.tolist() == [1, 1, 1 / 2]


def test_a_sample_that_lost_a_few_of_the_data_is_nested_all_the_same() -> None:
    """9 of 10 observed pairs are in the sample, which has 10 of 30 items: nearer to all than to a third."""
    observed = table([(0, k) for k in range(10)], items=30)
    split = Split(train=observed.select(observed.item < 5), test=observed.select(observed.item >= 5), fold=0)
    truth = sampled_truth(table([(0, k) for k in range(1, 11)], items=30), split, source="x")
    assert truth.nested and truth.overlap == 0.9
    apart = sampled_truth(table([(0, k) for k in range(7, 17)], items=30), split, source="x")
    assert not apart.nested and apart.overlap == 0.3


def test_where_items_are_tested_equally_each_has_a_share_of_its_own() -> None:
    """Item 1 has 2 ratings, 1 of them in test; item 0 has 4, 1 in test: σ is 1/2 and 1/4, and r = 3/5 for both users."""
    split = Split(train=table([(1, 0), (2, 0), (3, 0), (3, 1)]), test=table([(0, 0), (0, 1)]), fold=0)
    sample = table([(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (3, 0), (3, 1)])
    truth = sampled_truth(sample, split, source="x", uniform=True)
    assert truth.nested and truth.ratings.item.tolist() == [0, 1, 2] and truth.rate is not None
    assert truth.rate.tolist() == pytest.approx([0.6 / 4 / (1 - 0.6 * 3 / 4), 0.6 / 2 / (1 - 0.6 / 2), 0.6])


@pytest.mark.parametrize("nested", [True, False])
def test_weights_make_a_sample_stand_for_all_pairs_that_are_not_in_train(nested: bool) -> None:
    """Σ of 1/rate over sampled liked pairs comes to the number of liked pairs outside train; plain 1/r does not, if nested.

    A tenth of all pairs is drawn at random. Users rate what they like: liked pairs with chance 0.9, others 0.1, of the drawn
    pairs (nested, as in CM100k) or of as many others.
    """
    users, items, draws, rate, share = 40, 50, 300, 0.1, 0.3
    rng = np.random.default_rng(3)
    liked = rng.random((users, items)) < 0.3
    off, naive = [], []
    for _ in range(draws):
        drawn, shown = rng.random((users, items)) < rate, rng.random((users, items)) < rate
        observed = (drawn if nested else shown) & (rng.random((users, items)) < np.where(liked, 0.9, 0.1))
        test = observed & (rng.random((users, items)) < share)
        parts = [
            Interactions.build(
                Vocabulary.numbered(users), Vocabulary.numbered(items), *np.nonzero(part), np.ones(part.sum())
            )
            for part in (observed & ~test, test, drawn)
        ]
        truth = sampled_truth(parts[2], Split(train=parts[0], test=parts[1], fold=0), source="x")
        assert truth.rate is not None
        good = liked[truth.ratings.user, truth.ratings.item]
        left = (liked & ~(observed & ~test)).sum()
        off.append((1 / truth.rate[good]).sum() / left - 1)
        naive.append(good.sum() / rate / left - 1)
    error = np.std(off) / np.sqrt(draws)
    assert abs(np.mean(off)) < 4 * error + 0.01
    assert error < 0.01
    if nested:
        assert np.mean(naive) < -0.4


def test_other_ids_and_empty_truths_are_refused() -> None:
    split = Split(train=table([(0, 0), (1, 1)]), test=table([(0, 1)]), fold=0)
    words = Vocabulary(np.array(["a", "b"]))
    strange = Interactions.build(words, words, np.array([0]), np.array([1]), np.ones(1))
    with refused(InputError, file="random.csv", found="user a and item a", expected="such as user 0 and item 0"):
        sampled_truth(strange, split, source="random.csv")
    for within in ([(0, 0), (1, 1)], [(0, 0), (0, 1)]):
        with refused(InputError, file="random.csv", expected="ratings of items that were drawn at random"):
            sampled_truth(table(within), split, source="random.csv")


def test_rows_of_users_that_the_data_lack_are_counted() -> None:
    split = Split(train=table([(0, 0)]), test=table([(0, 1)]), fold=0)
    truth = sampled_truth(table([(0, 2), (6, 1)], users=7), split, source="random.csv")
    assert truth.left_out == "1 row of users or items that the data lack" and len(truth.ratings) == 1
