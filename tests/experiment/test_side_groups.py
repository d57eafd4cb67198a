"""Groups of users and items by columns of a data set's own tables."""

from __future__ import annotations

import numpy as np
import polars as pl

from heldout.errors import InputError
from heldout.experiment.side_groups import column_groups, side_groups
from heldout.tables import Side, Vocabulary


def places(groups: dict) -> dict[str, list[int]]:
    return {name: np.flatnonzero(rows).tolist() for name, rows in groups.items()}


def test_many_numbers_make_quartiles_and_few_values_groups() -> None:
    ages = column_groups(pl.Series([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]))
    assert places(ages) == {"10–30": [0, 1, 2], "40–50": [3, 4], "60–80": [5, 6, 7], "90–100": [8, 9]}
    assert places(column_groups(pl.Series(["F", "M", None, "M"]))) == {"M": [1, 3], "F": [0]}


def test_an_item_of_several_genres_is_in_each() -> None:
    genres = column_groups(pl.Series(["Action|Comedy", "Comedy", "Action", "", "Comedy | Action", "Comedy"]))
    assert places(genres) == {"Comedy": [0, 1, 4, 5], "Action": [0, 2, 4]}


def test_values_that_hardly_repeat_make_no_groups() -> None:
    assert column_groups(pl.Series([f"Film {k}" for k in range(20)])) == {}
    assert column_groups(pl.Series([f"zip {k % 30}" for k in range(70)])) == {}
    assert column_groups(pl.Series(list(range(1000, 1200)))) == {}  # ids


class Source:
    """A data set with a table of users, and of items one that cannot be read."""

    def __init__(self, broken: bool) -> None:
        self.broken = broken

    def user_table(self) -> Side:
        return Side.of(pl.DataFrame({"user_id": list("abcdx"), "gender": list("FMFFM")}), "user_id")

    def item_table(self) -> Side | None:
        if self.broken:
            raise InputError("line 3 is cut off", file="items.csv")
        return None


def test_a_table_that_cannot_be_read_is_told_and_stops_nothing() -> None:
    users, items = Vocabulary.of(pl.Series(list("abcd"))), Vocabulary.of(pl.Series(["i"]))
    whole = side_groups(Source(broken=False), users, items)
    assert {name: places(dict(groups)) for name, groups in whole.users.items()} == {"gender": {"F": [0, 2, 3], "M": [1]}}
    assert whole.digest and not whole.items and not whole.problem
    broken = side_groups(Source(broken=True), users, items)
    assert not broken.users and "line 3 is cut off" in broken.problem and broken.digest != whole.digest
    assert side_groups(None, users, items).digest == ""
