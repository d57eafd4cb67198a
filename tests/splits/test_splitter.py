"""What all splits promise, also those that bring their own files, on ratings that hypothesis makes up."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.splits.test_splits import EVERY, SPLITS, few, full, pairs, splits, table

from heldout.catalogue import classes, make
from heldout.errors import InputError
from heldout.splits.splitter import Divider
from heldout.splits.store import save_split
from heldout.tables import Interactions, Split, Vocabulary
from heldout.tables.arrays import Int64

REASONS = re.compile("is empty|have fewer than|no number of items|moments are asked for|leaves one side empty")
"""Why made-up ratings may be too few for a split."""
PER_USER = [t for t in SPLITS if t.startswith(("leave_out", "keep", "ratio(train=0.8, by=user)", "temporal(by=user"))]
"""Splits by which each user's number of ratings on each side is fixed by how many the user has."""
PER_ITEM = [t for t in SPLITS if t.startswith("per_item")]
BY_TIME = ["temporal(at=0.7)", "temporal(share=0.4)"]
"""Splits that draw nothing."""


def renamed(data: Interactions, user: Int64, item: Int64) -> Interactions:
    """The same ratings, user k under the name user[k] and item k under item[k]."""
    names = Vocabulary.numbered(data.n_users), Vocabulary.numbered(data.n_items)
    return Interactions.build(*names, user[data.user], item[data.item], data.value, time=data.time)


def rows(part: Interactions, user: Int64 | None = None, item: Int64 | None = None) -> set[tuple[int, int]]:
    users = part.user if user is None else user[part.user]
    items = part.item if item is None else item[part.item]
    return set(zip(users.tolist(), items.tolist(), strict=True))


def made_or_reason(text: str, data: Interactions, seed: int) -> list[Split]:
    """The splits; examples with too few ratings do not count, and hypothesis complains when these are most."""
    try:
        return splits(text, data, seed)
    except InputError as error:
        assert REASONS.search(error.what) and error.hint
        assume(False)
        raise


def test_no_split_is_left_out() -> None:
    known = {cls.key: cls for cls in classes("split") if cls.__module__.startswith("heldout.")}
    assert {key for key, cls in known.items() if not issubclass(cls, Divider)} == {"given", "saved"}
    assert {make("split", text).key for text in EVERY} == set(known) - {"given", "saved"}


@pytest.mark.parametrize("text", EVERY)
@few
@given(rating=pairs, seed=st.integers(0, 2**40))
def test_other_names_in_the_same_order_change_nothing(text: str, rating: list[tuple[int, int]], seed: int) -> None:
    data = table(rating)
    names = Vocabulary(np.array([f"user {k:03}" for k in range(12)], dtype=object)), Vocabulary(np.arange(15) * 7 - 30)
    other = Interactions.build(*names, data.user, data.item, data.value, time=data.time)
    for one, two in zip(made_or_reason(text, data, seed), splits(text, other, seed), strict=True):
        assert rows(one.train) == rows(two.train) and rows(one.test) == rows(two.test) and one.dropped == two.dropped


@pytest.mark.parametrize("text", [*PER_USER, *PER_ITEM, *BY_TIME])
@few
@given(rating=pairs, seed=st.integers(0, 2**40))
def test_any_other_names_change_nothing_that_is_not_drawn(text: str, rating: list[tuple[int, int]], seed: int) -> None:
    data, draw = table(rating), np.random.default_rng(seed)
    user, item = draw.permutation(data.n_users), draw.permutation(data.n_items)
    other = renamed(data, user, item)
    for one, two in zip(made_or_reason(text, data, seed), splits(text, other, seed), strict=True):
        assert one.dropped == two.dropped
        if text in BY_TIME:
            assert rows(one.test, user, item) == rows(two.test) and rows(one.train, user, item) == rows(two.train)
        elif text in PER_USER:
            assert one.test.user_counts.tolist() == two.test.user_counts[user].tolist()
        else:
            assert one.test.item_counts.tolist() == two.test.item_counts[item].tolist()


@pytest.mark.parametrize("text", EVERY)
def test_saved_and_given_are_the_split_they_were_made_of(tmp_path: Path, text: str) -> None:
    data = full(20, 15, timed=True)
    made = splits(text, data, 5)
    save_split(tmp_path / "kept", made, made_by=text, seed=5)
    for seed in (1, 2):
        again = list(make("split", f'saved("{tmp_path}/kept")').split(None, seed=seed))
        assert [(s.digest, s.dropped) for s in again] == [(s.digest, s.dropped) for s in made]
    for split in made:
        split.train.to_polars().write_csv(tmp_path / f"{split.fold}.base")
        split.test.to_polars().write_csv(tmp_path / f"{split.fold}.test")
    named = {part: ", ".join(f'"{tmp_path}/{s.fold}.{part}"' for s in made) for part in ("base", "test")}
    files = list(make("split", f"given(train=[{named['base']}], test=[{named['test']}])").split(None, seed=1))
    rest = list(make("split", f"given(test=[{named['test']}])").split(data, seed=1))
    for one, two, three in zip(made, files, rest, strict=True):
        assert one.train.to_polars().equals(two.train.to_polars()) and one.test.to_polars().equals(two.test.to_polars())
        assert one.test.to_polars().equals(three.test.to_polars())
        assert rows(three.train) == rows(data) - rows(one.test)


@pytest.mark.parametrize("text", EVERY)
def test_text_forms_are_read_back(text: str) -> None:
    split = make("split", text)
    assert isinstance(split, Divider)
    assert make("split", str(split)) == split == make("split", split.full_text)
