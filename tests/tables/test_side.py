"""Tables of items and of pairs, and what metrics may know besides lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from tests.refusals import refused

from heldout import InputError, NotApplicableError, UnknownNameError
from heldout.tables import Background, Interactions, Side, Vocabulary, item_counts

ITEMS, USERS = Vocabulary.of(pl.Series(["a", "b", "c"])), Vocabulary.of(pl.Series(["u", "v"]))


def side(**columns: Any) -> Side:
    return Side.of(pl.DataFrame(columns), "item", source="t.csv", user_name="user" if "user" in columns else None)


def numbers(table: Side, *pairs: tuple[int, int]) -> list[float]:
    user, item = np.array(pairs).T
    return table.numbers_of_pairs("p", USERS, ITEMS, user, item).tolist()


def test_columns_follow_the_vocabulary_and_not_the_table() -> None:
    table = side(item=["x", "c", "a"], p=[9, 3, 1])  # x is no item of the vocabulary, b is not in the table
    np.testing.assert_array_equal(table.numbers("p", ITEMS), [1, np.nan, 3])
    np.testing.assert_array_equal(numbers(table, (0, 0), (1, 0), (1, 2)), [1, 1, 3])  # the same for all users


def test_features_are_split_trimmed_and_told_once() -> None:
    table = side(item=["c", "a"], genre=["B | A|B|", None])
    features = table.features("genre", ITEMS)
    assert (features.names, features.indptr.tolist()) == (("A", "B"), [0, 0, 0, 2])
    assert sorted(features.feature.tolist()) == [0, 1]
    listed = side(item=["c", "a"], genre=[["B", "A"], []]).features("genre", ITEMS)
    assert (listed.names, listed.indptr.tolist()) == (("A", "B"), [0, 0, 0, 2])
    assert side(item=["a"], genre=[""]).features("genre", ITEMS).names == ()


def test_a_pair_has_the_number_of_its_own_row() -> None:
    table = side(user=["u", "v", "u", "x"], item=["a", "a", "c", "b"], p=[0.1, 0.2, 0.3, 0.4])
    np.testing.assert_array_equal(numbers(table, (0, 0), (1, 0), (0, 2), (1, 2), (0, 1)), [0.1, 0.2, 0.3, np.nan, np.nan])


def test_a_table_of_pairs_is_one_also_where_no_item_occurs_twice() -> None:
    """u's propensity of a is not v's."""
    table = side(user=["u", "v"], item=["a", "b"], p=[0.1, 0.2])
    np.testing.assert_array_equal(numbers(table, (0, 0), (1, 0), (1, 1)), [0.1, np.nan, 0.2])
    assert table.numbers("p", ITEMS)[:2].tolist() == [0.1, 0.2]  # as a table of items it still serves
    uploaded = side(user=["u", None], item=["a", "b"], p=[0.1, 0.2])  # not who rated: a column like any other
    assert numbers(uploaded, (1, 0)) == [0.1]
    empty = side(user=pl.Series([], dtype=pl.String), item=pl.Series([], dtype=pl.String), p=pl.Series([], dtype=pl.Float64))
    assert np.isnan(numbers(empty, (0, 0))).all()


def test_pairs_and_ids_that_occur_twice_are_refused() -> None:
    with refused(InputError, file="t.csv", column="user, item", found=["u", "a"], expected="one row for each pair"):
        side(user=["u", "u", "v"], item=["a", "a", "a"], p=[1, 2, 3])
    with refused(InputError, file="t.csv", column="item", found="a", expected="one row for each id"):
        side(item=["a", "a"], p=[1, 2])
    pairs = side(user=["u", "v"], item=["a", "a"], p=[1, 2])
    with refused(InputError, file="t.csv", found="one row for each user and item", expected="one row for each item"):
        pairs.aligned(ITEMS)


def test_columns_that_are_missing_or_no_numbers_are_named() -> None:
    table = side(item=["a"], price=["cheap"])
    with refused(UnknownNameError, where="t.csv", hint="did you mean price?"):
        table.numbers("prize", ITEMS)
    with refused(UnknownNameError, where="t.csv", hint="known: price"):
        table.features("genre", ITEMS)
    with refused(InputError, file="t.csv", column="price", found="cheap", expected="numbers"):
        table.numbers("price", ITEMS)
    with refused(InputError, column="price", found=pl.List(pl.Int64), expected="numbers"):
        side(item=["a"], price=[[1]]).numbers("price", ITEMS)
    with refused(UnknownNameError, hint="known: item"):
        Side.of(pl.DataFrame({"item": ["a"]}), "id")


def test_the_digest_is_of_all_that_the_table_holds() -> None:
    tables = [
        side(item=["a", "b"], g=["x", "y"]),
        side(item=["a", "b"], g=["x", None]),
        side(item=["a", "b"], h=["x", "y"]),
        side(item=["b", "a"], g=["x", "y"]),
        side(item=["a", "b"], g=[["x"], ["y", "z"]]),
        side(item=["a", "a"], g=["x", "y"], user=["u", "v"]),
        side(item=["a", "a"], g=["x", "y"], user=["v", "u"]),
    ]
    assert len({table.digest for table in tables}) == len(tables)


NUMBERED_USERS, NUMBERED_ITEMS = Vocabulary.numbered(4), Vocabulary.numbered(3)


def ratings(*pairs: tuple[int, int]) -> Interactions:
    user, item = np.array(pairs).T
    return Interactions.build(NUMBERED_USERS, NUMBERED_ITEMS, user, item, np.ones(len(pairs)))


TRAIN = ratings((0, 0), (0, 2), (3, 0))


def test_popularity_is_counted_in_train_and_ratings_in_all_parts() -> None:
    background = Background(items=NUMBERED_ITEMS, train=TRAIN)
    assert background.popularity("x").tolist() == [2, 0, 1]
    assert (background.raters, background.n_items) == (2, 3)
    assert item_counts(TRAIN, ratings((1, 1), (2, 0))).tolist() == [3, 1, 1]


def test_without_training_ratings_nobody_rated_and_popularity_is_refused() -> None:
    background = Background(items=NUMBERED_ITEMS)
    assert background.raters == 0
    with refused(NotApplicableError, hint="pass the training set"):
        background.popularity("EPC@5")
    streamed = Background(items=NUMBERED_ITEMS, train=TRAIN, train_counts=TRAIN.item_counts)
    with refused(NotApplicableError, hint="evaluate without streaming"):
        streamed.known_train("EPC@5")


def test_tables_by_path_or_of_the_data_set() -> None:
    own = Side.of(pl.DataFrame({"item": [0, 2], "genre": ["A|B", "B"], "price": [1.5, None]}), "item")
    other = Side.of(pl.DataFrame({"item": [1], "genre": [""]}), "item")
    background = Background(items=NUMBERED_ITEMS, side=own, tables={"t.csv": other})
    assert background.features("genre", None, "ILD").indptr.tolist() == [0, 2, 2, 3]
    assert np.isnan(background.numbers("price", None, "x")).tolist() == [False, True, True]
    with refused(NotApplicableError, found="genre", expected="values for items of the catalogue"):
        background.features("genre", "t.csv", "ILD")
    with refused(NotApplicableError, found="u.csv"):
        background.table("u.csv", "ILD")
    with refused(NotApplicableError, hint='table="items.csv"'):
        Background(items=NUMBERED_ITEMS, tables={"t.csv": other}).table(None, "ILD")
    digests = {Background(items=NUMBERED_ITEMS, side=side).digest for side in (own, other, None)}
    assert len({*digests, background.digest}) == 4


def test_numbers_of_pairs_need_to_know_the_users() -> None:
    pairs = pl.DataFrame({"user": [0, 1], "item": [0, 0], "p": [0.5, 0.25]})
    side = Side.of(pairs, "item", user_name="user")
    user, item = np.array([1, 0, 3], np.int32), np.array([0, 0, 0], np.int32)
    with_users = Background(items=NUMBERED_ITEMS, tables={"p.csv": side}, users=NUMBERED_USERS)
    np.testing.assert_array_equal(with_users.numbers_of_pairs("p", "p.csv", user, item, "IPS"), [0.25, 0.5, np.nan])
    without_users = Background(items=NUMBERED_ITEMS, tables={"p.csv": side})
    with refused(NotApplicableError, found="p.csv", expected="one row for each item"):
        without_users.numbers_of_pairs("p", "p.csv", user, item, "IPS")
