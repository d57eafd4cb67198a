"""Splits on data small enough to count, and what every split promises."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heldout.catalogue import make
from heldout.errors import InputError, SpecError
from heldout.split.parts import place_in_user, rounded
from heldout.tables import Interactions, Split, Vocabulary

SPLITS = [
    "ratio(train=0.5)",
    "ratio(train=0.8)",
    "ratio(train=0.5, by=user)",
    "ratio(train=0.8, by=user)",
    "folds(2)",
    "folds(3)",
    "folds(2, by=user)",
    "folds(3, by=user)",
]


def table(pairs: list[tuple[int, int]]) -> Interactions:
    user, item = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    n = len(pairs)
    return Interactions.build(
        Vocabulary.numbered(12),
        Vocabulary.numbered(15),
        user,
        item,
        np.arange(n) % 5 + 1.0,
        time=np.arange(n, dtype=np.int64),
    )


def full(users: int, items: int) -> Interactions:
    user, item = np.divmod(np.arange(users * items), items)
    return Interactions.build(Vocabulary.numbered(users), Vocabulary.numbered(items), user, item, np.ones(len(user)))


def splits(text: str, data: Interactions | None, seed: int = 1) -> list[Split]:
    return list(make("split", text).split(data, seed=seed))


def pairs_of(data: Interactions) -> set[tuple[int, ...]]:
    return set(zip(data.user.tolist(), data.item.tolist(), data.value.tolist(), strict=True))


pairs = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 14)), min_size=40, max_size=120, unique=True)


@pytest.mark.parametrize("text", SPLITS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=pairs, seed=st.integers(0, 2**40))
def test_every_split_is_disjoint_complete_and_repeatable(text: str, rows: list[tuple[int, int]], seed: int) -> None:
    data = table(rows)
    made = splits(text, data, seed)
    assert len(made) == make("split", text).folds_made
    for split, again in zip(made, splits(text, data, seed), strict=True):
        train, test = pairs_of(split.train), pairs_of(split.test)
        assert not train & test
        assert train | test == pairs_of(data)
        assert len(split.train) + len(split.test) + sum(d.count for d in split.dropped) == len(data)
        assert split.digest == again.digest
    if len(made) > 1:
        assert sum(len(s.test) for s in made) == len(data)
        assert set().union(*(pairs_of(s.test) for s in made)) == pairs_of(data)
        assert [s.fold for s in made] == list(range(len(made)))


@pytest.mark.parametrize("text", SPLITS)
def test_another_seed_gives_another_split(text: str) -> None:
    data = full(10, 10)
    assert splits(text, data, 1)[0].digest != splits(text, data, 2)[0].digest


@pytest.mark.parametrize("text", ["ratio(train=0.5)", "ratio(train=0.6, by=user)"])
def test_where_a_rating_falls_does_not_depend_on_other_users(text: str) -> None:
    data = full(10, 10)
    part = data.select(data.user < 4)
    whole, alone = splits(text, data)[0], splits(text, part)[0]
    assert pairs_of(alone.test) == {p for p in pairs_of(whole.test) if p[0] < 4}


def test_a_coin_flip_keeps_about_its_share() -> None:
    split = splits("ratio(train=0.8)", full(200, 100))[0]
    # 20,000 flips at 0.8: standard deviation √(20000·0.8·0.2) = 57
    assert abs(len(split.train) - 16_000) < 5 * 57
    assert len(set(split.train.user_counts.tolist())) > 5


def test_a_share_of_each_user() -> None:
    # 5, 2, 1 and 3 ratings at 0.5: 2.5 → 3, 1, 0.5 → 1, 1.5 → 2 train
    rows = [(0, i) for i in range(5)] + [(1, 0), (1, 1), (2, 3)] + [(3, i) for i in range(3)]
    split = splits("ratio(train=0.5, by=user)", table(rows))[0]
    assert split.train.user_counts[:4].tolist() == [3, 1, 1, 2]
    assert split.test.user_counts[:4].tolist() == [2, 1, 0, 1]


def test_halves_round_up_although_floats_fall_short() -> None:
    assert 0.29 * 50 < 14.5
    assert rounded(0.29, np.array([50, 10, 1])).tolist() == [15, 3, 0]


def test_folds_have_equal_sizes() -> None:
    assert sorted(len(s.test) for s in splits("folds(3)", full(7, 1))) == [2, 2, 3]
    by_user = splits("folds(4, by=user)", full(5, 6))  # 30 ratings, 6 a user
    assert sorted(len(s.test) for s in by_user) == [7, 7, 8, 8]
    counts = np.array([s.test.user_counts for s in by_user])
    assert counts.min() == 1 and counts.max() == 2 and (counts.sum(axis=0) == 6).all()


def test_places_in_a_user() -> None:
    data = table([(0, 1), (0, 2), (0, 3), (4, 1)])
    assert place_in_user(data, np.array([0.5, 0.1, 0.9, 0.3])).tolist() == [1, 0, 2, 0]


def test_too_few_ratings_and_no_data() -> None:
    with pytest.raises(InputError, match=r"folds\(n=3\): 2 ratings cannot fill 3 folds"):
        splits("folds(3)", full(2, 1))
    with pytest.raises(InputError, match="the test set of fold 1 is empty"):
        splits("ratio(train=0.8, by=user)", full(9, 1))
    with pytest.raises(InputError, match="ratio divides a data set, and none is given"):
        splits("ratio", None)
    with pytest.raises(SpecError, match="must be below 1"):
        make("split", "ratio(train=1)")


def test_movielens_100k_u1_to_u5_and_ua_ub(real_data: Callable[[str], Path]) -> None:
    folder = real_data("ml-100k")
    for names, users, items in (
        (("u1", "u2", "u3", "u4", "u5"), (943, 766.2), (1651.6, 1410.8)),
        (("ua", "ub"), (943, 943), (1677.5, 1137)),
    ):
        train, test = ("[" + ", ".join(f'"{folder}/{n}.{part}"' for n in names) + "]" for part in ("base", "test"))
        splitter = make("split", f"given(train={train}, test={test})")
        assert not splitter.needs_data and splitter.folds_made == len(names)
        made = list(splitter.split(None, seed=1))
        parts = [(s.train, s.test) for s in made]
        assert np.mean([[(p.user_counts > 0).sum() for p in pair] for pair in parts], axis=0) == pytest.approx(users)
        assert np.mean([[(p.item_counts > 0).sum() for p in pair] for pair in parts], axis=0) == pytest.approx(items)
        assert {len(s.train) + len(s.test) for s in made} == {100_000}
        assert {(s.train.n_users, s.train.n_items) for s in made} == {(943, 1682)}
