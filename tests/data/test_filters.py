"""Filters, on data small enough to count."""

from __future__ import annotations

from typing import Any

import pytest

from heldout.catalogue import make
from heldout.data.read import read
from heldout.errors import InputError, SpecError
from heldout.tables import Interactions

# a: x y   b: x y   c: y z   (x 2, y 3, z 1 ratings)
ROWS = {"user": ["a", "a", "b", "b", "c", "c"], "item": ["x", "y", "x", "y", "y", "z"], "value": [5, 3, 4, 2, 4, 1]}


@pytest.fixture
def data() -> Interactions:
    return read(ROWS)


def rows(found: Interactions) -> list[tuple[Any, ...]]:
    return list(found.to_polars().select("user_id", "item_id", "value").iter_rows())


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("min_ratings(item=2)", "ax ay bx by cy"),  # c keeps one rating: counts are taken once
        ("min_ratings(user=2, item=3)", "ay by cy"),  # each user is left with one
        ("core(2)", "ax ay bx by"),  # z goes, then c
        ("core(1)", "ax ay bx by cy cz"),
        ("positive(4)", "ax bx cy"),
        ("positive(τ=4)", "ax bx cy"),
        ("duplicates(latest)", "ax ay bx by cy cz"),
    ],
)
def test_which_ratings_are_left(data: Interactions, text: str, pairs: str) -> None:
    left = make("filter", text).apply(data, seed=1)
    assert " ".join(u + i for u, i, _ in rows(left)) == pairs
    assert set(rows(left)) <= set(rows(data))


def test_vocabularies_hold_only_what_is_left(data: Interactions) -> None:
    left = make("filter", "core(2)").apply(data, seed=1)
    assert (left.users.ids.tolist(), left.items.ids.tolist()) == (["a", "b"], ["x", "y"])


def test_binarise_keeps_all_as_zero_or_one(data: Interactions) -> None:
    left = make("filter", "binarise(4)").apply(data, seed=1)
    assert left.value.tolist() == [1, 0, 1, 0, 1, 0]
    assert data.value.tolist() == [5, 3, 4, 2, 4, 1]


@pytest.mark.parametrize("text", ["core(4)", "positive(6)", "min_ratings(user=9)"])
def test_nothing_left_is_an_error(data: Interactions, text: str) -> None:
    with pytest.raises(InputError, match="leaves none of 6 ratings"):
        make("filter", text).apply(data, seed=1)


def test_min_ratings_needs_a_number() -> None:
    with pytest.raises(SpecError, match="neither 'user' nor 'item'"):
        make("filter", "min_ratings")
