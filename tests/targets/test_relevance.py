"""Rules of relevance, by hand."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import make
from heldout.tables import Interactions, Vocabulary


def test_relevance_rules_by_hand() -> None:
    grade, indptr = np.array([2.0, 3, 5, 4, 4, 1, 3]), np.array([0, 3, 5, 5, 7])
    for text, wanted in (
        ("threshold(4)", [0, 0, 1, 1, 1, 0, 0]),
        ("user_mean", [0, 0, 1, 1, 1, 0, 1]),  # means 10/3, 4 and 2
        ("user_top(0.4)", [0, 1, 1, 1, 1, 0, 1]),  # the highest 2 of 3, 1 of 2 and 1 of 2; equal ones too
        ("user_top(1)", [1, 1, 1, 1, 1, 1, 1]),
        ("more_than(3)", [0, 0, 1, 1, 1, 0, 0]),
    ):
        assert make("relevance", text).relevant(grade, indptr).astype(int).tolist() == wanted, text


def test_a_users_own_scale_is_of_train_and_test() -> None:
    """Test rating 4 of a user with training ratings 5 and 5: below the mean of 14/3, though it is the only one in test."""
    users, items = Vocabulary.numbered(1), Vocabulary.numbered(3)
    test = Interactions.build(users, items, np.array([0]), np.array([0]), np.array([4.0]))
    train = Interactions.build(users, items, np.array([0, 0]), np.array([1, 2]), np.array([5.0, 5]))
    rule = make("relevance", "user_mean")
    assert rule.of_test(test, train).tolist() == [False]
    assert rule.of_test(test, None).tolist() == [True]
    assert rule.judge(test, np.array([0]), 5.0, train=train).relevant.tolist() == [False]
