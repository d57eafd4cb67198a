"""Tables of items and of pairs: aligned with a vocabulary, whatever they lack."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from heldout.errors import InputError, UnknownNameError
from heldout.tables import Side, Vocabulary

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
    with pytest.raises(InputError, match=r"2 rows are of pairs that occur more than once \(first: u, a\)"):
        side(user=["u", "u", "v"], item=["a", "a", "a"], p=[1, 2, 3])
    with pytest.raises(InputError, match=r"1 ids occur more than once \(first: a\)"):
        side(item=["a", "a"], p=[1, 2])
    pairs = side(user=["u", "v"], item=["a", "a"], p=[1, 2])
    with pytest.raises(InputError, match="has one row for each user and item, expected one for each item"):
        pairs.aligned(ITEMS)


def test_columns_that_are_missing_or_no_numbers_are_named() -> None:
    table = side(item=["a"], price=["cheap"])
    with pytest.raises(UnknownNameError, match=r"t\.csv: unknown column 'prize'; did you mean price"):
        table.numbers("prize", ITEMS)
    with pytest.raises(UnknownNameError, match="unknown column 'genre'"):
        table.features("genre", ITEMS)
    with pytest.raises(InputError, match="column 'price': holds something that is no number"):
        table.numbers("price", ITEMS)
    with pytest.raises(UnknownNameError, match="unknown column 'id'"):
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
