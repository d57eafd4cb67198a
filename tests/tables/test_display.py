"""Tables print counts and first rows, never bare arrays."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import heldout as ho
from heldout.tables import Rankings
from heldout.testing.lists import judged_lists

RATINGS = ho.read({"user": ["u", "u", "v"], "item": ["<b>", "y", "y"], "rating": [5, 3, 4]})


def _scores() -> ho.Scores:
    test = {"user": ["u"], "item": ["x"], "rating": [1]}
    outcome = ho.evaluate(test, {"u": ["x"]}, "P@1")._source
    assert outcome is not None
    return outcome.parts[0].scores[0]


RANKINGS = Rankings(np.array([0]), np.array([0, 2]), np.array([1, 0]), np.array([2.0, 1.0]))
JUDGED = judged_lists([[5.0, None, 1.0]])
TABLES = {
    "interactions": (RATINGS, "3 ratings of 2 users and 2 items, values 3 to 5\n"),
    "log": (ho.read_log({"user": [1], "item": [2]}), "1 row of frame\n"),
    "vocabulary": (RATINGS.items, "2 ids: <b>, y"),
    "rankings": (
        Rankings(np.array([0]), np.array([0, 2]), np.array([1, 0]), np.array([2.0, 1.0])),
        "1 list of 2 items in all",
    ),
    "scores": (_scores(), "run, fold 1: 1 user by P@1"),
    "judged": (JUDGED, "1 list, judged: 2 rated items met"),
    "relevance": (JUDGED.relevance, "2 test ratings of 1 user, 1 relevant"),
    "side": (ho.read_side(pl.DataFrame({"item": [1], "title": ["x"]}), of="items"), "1 row of "),
}


@pytest.mark.parametrize("name", TABLES)
def test_what_a_table_prints(name: str) -> None:
    table, begins = TABLES[name]
    assert repr(table).startswith(begins) and "array(" not in repr(table)
    assert table._repr_html_().startswith("<p>")


def test_ids_are_escaped_in_notebooks() -> None:
    assert "<b>" not in RATINGS._repr_html_() and "&lt;b&gt;" in RATINGS.items._repr_html_()
