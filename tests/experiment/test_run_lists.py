"""Lists of runs under other targets than AllItems, and how many items there are to rank."""

from __future__ import annotations

import numpy as np
import polars as pl
from tests.review.lint.cases import short_run

from heldout.experiment.run_lists import catalogue_size
from heldout.tables import Interactions, Vocabulary


def ratings(items: Vocabulary, pairs: list[tuple[str, str]]) -> Interactions:
    users = Vocabulary.of(pl.Series(["u", "v"]))
    user = users.encode(pl.Series([user for user, _ in pairs]))
    item = items.encode(pl.Series([item for _, item in pairs]))
    return Interactions.build(users, items, user, item, np.ones(len(pairs)))


def test_items_exist_where_they_are_rated_or_recommended() -> None:
    """Of a, b, c, d, e: a and b are tested, c trains, d is ranked by this run and e only by another."""
    items = Vocabulary.of(pl.Series(["a", "b", "c", "d", "e"]))
    test, train = ratings(items, [("u", "a"), ("v", "b")]), ratings(items, [("u", "c")])
    assert catalogue_size(test, train, pl.Series(["a", "d"])) == 4
    assert catalogue_size(test, None, pl.Series(["a", "d"])) == 3


def test_lists_that_end_before_the_cut_off_are_counted_once() -> None:
    """u1 has two candidates among the test items and the run holds one of them."""
    notices = [n.message for n in short_run("TestItems").facts.notices if n.code == "HO105"]
    assert notices == ["under TestItems lists of A hold fewer than 2 candidates (1 of 2)"]
