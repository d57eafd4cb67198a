"""Filters: which ratings are left, and what values become."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.refusals import refused

from heldout import InputError, SpecError, make, read
from heldout.data.random_choice import lowest, wanted
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
    with refused(InputError, found=0, expected="at least one of 6"):
        make("filter", text).apply(data, seed=1)


def test_min_ratings_needs_a_number() -> None:
    with refused(SpecError, where="min_ratings", expected="'user' or 'item'"):
        make("filter", "min_ratings")


def counted(counts: list[int]) -> Interactions:
    user = [u for c in counts for u in range(c)]
    item = [i for i, c in enumerate(counts) for _ in range(c)]
    return read({"user": user, "item": item, "rating": [1.0] * len(user)})


def apply(text: str, data: Interactions, seed: int = 1) -> Interactions:
    made: Interactions = make("filter", text).apply(data, seed=seed)
    return made


def test_drop_head() -> None:
    data = counted([9, 5, 2, 1])
    left = apply("drop_head(0.25)", data)
    assert left.items.ids.tolist() == [1, 2, 3] and len(left) == 8
    # 0.3 of 4 items is 1.2 → 1; 0.5 is 2: items 0 and 1; equal counts go by item order
    assert apply("drop_head(0.3)", data).items.ids.tolist() == [1, 2, 3]
    assert apply("drop_head(0.5)", counted([3, 3, 3, 3])).items.ids.tolist() == [2, 3]
    with refused(InputError, found=0.05, hint="a larger share"):
        apply("drop_head(0.05)", data)
    with pytest.raises(SpecError):
        make("filter", "drop_head(1)")


def test_sample() -> None:
    data = counted([40, 30, 20, 10])
    half = apply("sample(ratings=0.5)", data)
    assert len(half) == 50 and half.digest == apply("sample(ratings=0.5)", data).digest
    assert half.digest != apply("sample(ratings=0.5)", data, seed=2).digest
    users = apply("sample(users=7)", data)
    assert users.n_users == 7
    whole = dict(zip(data.users.ids.tolist(), data.user_counts.tolist(), strict=True))
    assert all(whole[u] == c for u, c in zip(users.users.ids.tolist(), users.user_counts.tolist(), strict=True))
    both = apply("sample(users=0.5, items=2)", data)
    assert both.n_items <= 2 and both.n_users <= 20
    assert len(apply("sample(ratings=10)", data)) == 10
    with refused(InputError, found=101, expected="at most 100 ratings"):
        apply("sample(ratings=101)", data)
    with refused(SpecError, where="sample", expected="ratings, users or items"):
        make("filter", "sample")
    with refused(SpecError, where="sample: 'users'", found=1.5, expected="a share below 1 or a whole number"):
        make("filter", "sample(users=1.5)")


def test_every_rating_is_as_likely_to_be_sampled() -> None:
    data = counted([40, 30, 20, 10])
    kept = np.zeros(100)
    for seed in range(400):
        left = apply("sample(ratings=0.25)", data, seed)
        kept += np.isin(data.item * 100 + data.user, left.items.ids[left.item] * 100 + left.users.ids[left.user])
    # each is kept in a quarter of 400 draws: 100 ± 5 · √(400 · ¼ · ¾) = 100 ± 43
    assert np.abs(kept - 100).max() < 43


def test_playcounts_to_ratings() -> None:
    data = read(
        {"user": [1] * 5 + [2] * 3 + [3], "item": [0, 1, 2, 3, 4, 0, 1, 2, 0], "plays": [50, 20, 9, 3, 1, 7, 7, 1, 99]}
    )
    # user 2: 7 and 7 have nothing above → 5; 1 has 2 of 3 above → 5 − ⌊10/3⌋ = 2
    assert apply("playcounts_to_ratings", data).value.tolist() == [5, 4, 3, 2, 1, 5, 5, 2, 5]
    assert apply("playcounts_to_ratings(levels=2)", data).value.tolist() == [2, 2, 2, 1, 1, 2, 2, 1, 2]
    # ten items of one user: F = 0.1, 0.2, … 1; 0.9 and 1 are in the top fifth, 0.7 and 0.8 in the next, and so on
    ten = read({"user": [1] * 10, "item": list(range(10)), "plays": list(range(1, 11))})
    assert apply("playcounts_to_ratings", ten).value.tolist() == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    negative = read({"user": [1], "item": [1], "plays": [-1]})
    with refused(InputError, found=-1.0, expected="counts of 0 or more"):
        apply("playcounts_to_ratings", negative)


@given(plays=st.lists(st.integers(0, 9), min_size=1, max_size=30), levels=st.integers(2, 7))
def test_ratings_of_play_counts_are_bands_of_the_users_own_distribution(plays: list[int], levels: int) -> None:
    data = read({"user": [1] * len(plays), "item": list(range(len(plays))), "plays": plays})
    # ⌈n F⌉ in whole numbers: the smallest k with k / n ≥ F
    wanted = [-(-levels * sum(other <= one for other in plays) // len(plays)) for one in plays]
    assert apply(f"playcounts_to_ratings(levels={levels})", data).value.tolist() == wanted


def test_how_many_and_which() -> None:
    assert [wanted(x, 10, "things") for x in (0.25, 0.05, 1, 10)] == [3, 1, 1, 10]
    assert lowest(np.array([0.5, 0.1, 0.5, 0.5]), 2).tolist() == [True, True, False, False]
    assert lowest(np.array([0.5, 0.1]), 2).all()
