"""Propensities of test ratings, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.biases.truth.propensities import Chances, table_of_propensities
from heldout.errors import InputError
from heldout.tables import Interactions, Split, Vocabulary


def split() -> Split:
    """User 0 rated items 0, 1 and 2, user 1 item 0; (0, 1) and (1, 0) are in test."""
    users, items = Vocabulary.numbered(2), Vocabulary.numbered(4)
    train = Interactions.build(users, items, np.array([0, 0]), np.array([0, 2]), np.ones(2))
    test = Interactions.build(users, items, np.array([0, 1]), np.array([1, 0]), np.ones(2))
    return Split(train=train, test=test, fold=0)


def given_train(p: float) -> float:
    """σ is 1/2."""
    return 0.5 * p / (1 - 0.5 * p)


def chances(first: float, second: float) -> Chances:
    return Chances(of=lambda user, item: np.array([first, second]), source="propensities.csv")


def test_kinds_by_hand() -> None:
    """|R| = 4; n_u = 3, 1; n_i = 2, 1, 1, 0. p of (0, 1) = 3 × 1 / 4, of (1, 0) = 1 × 2 / 4; flat 4 / 8.

    Squares 9/16 and 4/16; all squares sum to (9 + 1)(4 + 1 + 1) / 16 = 60/16, and are scaled by 4 / that.
    """
    columns = table_of_propensities(split(), chances(0.2, 1.0)).columns
    assert columns["estimated"].to_list() == pytest.approx([given_train(3 / 4), given_train(2 / 4)])
    assert columns["flat"].to_list() == pytest.approx([given_train(1 / 2)] * 2)
    assert columns["steep"].to_list() == pytest.approx([given_train(9 / 16 * 64 / 60), given_train(4 / 16 * 64 / 60)])
    assert columns["known"].to_list() == pytest.approx([given_train(0.2), 1.0])
    assert "known" not in table_of_propensities(split(), None).columns


def test_numbers_are_found_by_pair() -> None:
    side, test = table_of_propensities(split(), None), split().test
    found = side.numbers_of_pairs("estimated", test.users, test.items, np.array([1, 0]), np.array([0, 1]))
    assert found == pytest.approx([given_train(2 / 4), given_train(3 / 4)])


@pytest.mark.parametrize("bad", [0.0, -0.1, 1.25, float("nan")])
def test_what_is_no_chance_is_refused_as_it_was_written(bad: float) -> None:
    with pytest.raises(
        InputError, match=rf"propensities\.csv: the propensity of item 0 for user 1 is {bad:g}, expected above 0"
    ):
        table_of_propensities(split(), chances(0.5, bad))
