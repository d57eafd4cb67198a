"""Draws, places, rounding and even folds."""

from __future__ import annotations

import numpy as np
import pytest
from tests.splits.tiny import full, table

from heldout import rng
from heldout.catalogue import make
from heldout.errors import InputError
from heldout.splits.parts import draws, evenly_dealt, place_in_item, place_in_user, rounded, rounded_down, without_short


def test_draws_are_those_of_the_house() -> None:
    data = table([(0, 1), (3, 2), (11, 14)])
    assert np.array_equal(draws(data, 5, "x", 2), rng.uniform(rng.key(5, "x", 2), data.user, data.item))


def test_halves_round_up_although_floats_fall_short() -> None:
    assert 0.29 * 50 < 14.5
    assert rounded(0.29, np.array([50, 10, 1])).tolist() == [15, 3, 0]


def test_places() -> None:
    data = table([(0, 1), (0, 2), (0, 3), (4, 1)])
    assert place_in_user(data, np.array([0.5, 0.1, 0.9, 0.3])).tolist() == [1, 0, 2, 0]
    assert place_in_user(data, np.array([7, 7, 1, 0]), np.array([0.9, 0.1, 0.5, 0.5])).tolist() == [2, 1, 0, 0]
    assert place_in_item(data, np.array([0.5, 0.1, 0.9, 0.3])).tolist() == [1, 0, 0, 0]


def test_places_do_not_depend_on_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    data = full(60, 50)
    keys, ties = np.random.default_rng(1).random((2, len(data)))
    whole = draws(data, 1, "x"), place_in_user(data, keys), place_in_user(data, np.floor(keys * 5), ties)
    monkeypatch.setattr("heldout.splits.parts._PIECE", 170)
    pieces = draws(data, 1, "x"), place_in_user(data, keys), place_in_user(data, np.floor(keys * 5), ties)
    assert all(np.array_equal(a, b) for a, b in zip(whole, pieces, strict=True))
    order = np.lexsort((ties, np.floor(keys * 5), data.user))
    assert np.array_equal(whole[2][order], np.tile(np.arange(50), 60))


def test_folds_are_dealt_evenly() -> None:
    # ⌊3 × key⌋ is 0, 0, 0, 0, 2: of four in fold 0 the two highest, 0.3 and 0.2, fill fold 1, which has none
    assert evenly_dealt(np.array([0.0, 0.1, 0.2, 0.3, 0.9]), 3).tolist() == [0, 0, 1, 1, 2]
    found = evenly_dealt(np.random.default_rng(2).random(10_003), 7)
    assert sorted(np.bincount(found).tolist()) == [1429] * 7


def test_shares_round_down_where_that_is_said() -> None:
    assert (1 - 0.8) * 5 < 1
    assert rounded_down(1 - 0.8, np.array([5, 4, 0, 10])).tolist() == [1, 0, 0, 2]


def test_users_who_are_too_short() -> None:
    counts, codes = np.array([3, 1, 0]), np.array([0, 0, 0, 1])
    test, by = np.array([False, False, True, True]), make("split", "leave_out(1)")
    assert without_short(counts, codes, 1, "error", test, by, "user").test.tolist() == test.tolist()
    trained = without_short(counts, codes, 2, "train", test, by, "user")
    assert trained.test.tolist() == [False, False, True, False] and trained.dropped == ()
    dropped = without_short(counts, codes, 2, "drop", test, by, "user")
    ((reason, gone),) = dropped.dropped
    assert dropped.test.tolist() == [False, False, True, False]
    assert (reason, gone.tolist()) == ("users with fewer than 2 ratings", [False, False, False, True])
    with pytest.raises(InputError, match=r"1 of 2 users have fewer than 2 ratings \(the fewest: 1\).*or say short=train"):
        without_short(counts, codes, 2, "error", test, by, "user")
    with pytest.raises(InputError, match="2 of 2 users have fewer than 4 ratings"):  # nobody would be left
        without_short(counts, codes, 4, "drop", test, by, "user")
