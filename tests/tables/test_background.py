"""What metrics may know beside lists: popularity, raters, tables; and what they say where it is not known."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heldout.errors import NotApplicableError
from heldout.tables import Background, Interactions, Side, Vocabulary, item_counts

USERS, ITEMS = Vocabulary.numbered(4), Vocabulary.numbered(3)


def ratings(*pairs: tuple[int, int]) -> Interactions:
    user, item = np.array(pairs).T
    return Interactions.build(USERS, ITEMS, user, item, np.ones(len(pairs)))


TRAIN = ratings((0, 0), (0, 2), (3, 0))


def test_popularity_is_counted_in_train_and_ratings_in_all_parts() -> None:
    background = Background(items=ITEMS, train=TRAIN)
    assert background.popularity("x").tolist() == [2, 0, 1]
    assert (background.raters, background.n_items) == (2, 3)
    assert item_counts(TRAIN, ratings((1, 1), (2, 0))).tolist() == [3, 1, 1]


def test_without_training_ratings_nobody_rated_and_popularity_is_refused() -> None:
    background = Background(items=ITEMS)
    assert background.raters == 0
    with pytest.raises(NotApplicableError, match=r"EPC@5 needs the training ratings.*name the training set"):
        background.popularity("EPC@5")


def test_tables_by_path_or_of_the_data_set() -> None:
    own = Side.of(pl.DataFrame({"item": [0, 2], "genre": ["A|B", "B"], "price": [1.5, None]}), "item")
    other = Side.of(pl.DataFrame({"item": [1], "genre": [""]}), "item")
    background = Background(items=ITEMS, side=own, tables={"t.csv": other})
    assert background.features("genre", None, "ILD").indptr.tolist() == [0, 2, 2, 3]
    assert np.isnan(background.numbers("price", None, "x")).tolist() == [False, True, True]
    with pytest.raises(NotApplicableError, match="ILD: no item of the catalogue has anything in the column 'genre'"):
        background.features("genre", "t.csv", "ILD")
    with pytest.raises(NotApplicableError, match=r"ILD needs the table 'u\.csv', which was not read"):
        background.table("u.csv", "ILD")
    with pytest.raises(NotApplicableError, match="ILD needs a table of items, and the data set has none"):
        Background(items=ITEMS, tables={"t.csv": other}).table(None, "ILD")
    digests = {Background(items=ITEMS, side=side).digest for side in (own, other, None)}
    assert len({*digests, background.digest}) == 4


def test_numbers_of_pairs_need_to_know_the_users() -> None:
    pairs = pl.DataFrame({"user": [0, 1], "item": [0, 0], "p": [0.5, 0.25]})
    side = Side.of(pairs, "item", user_name="user")
    user, item = np.array([1, 0, 3], np.int32), np.array([0, 0, 0], np.int32)
    with_users = Background(items=ITEMS, tables={"p.csv": side}, users=USERS)
    np.testing.assert_array_equal(with_users.numbers_of_pairs("p", "p.csv", user, item, "IPS"), [0.25, 0.5, np.nan])
    without_users = Background(items=ITEMS, tables={"p.csv": side})
    with pytest.raises(NotApplicableError, match=r"IPS: 'p\.csv' tells users apart, and their ids are not known"):
        without_users.numbers_of_pairs("p", "p.csv", user, item, "IPS")
