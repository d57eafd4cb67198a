"""Who is ahead, what rises, and how the parts of a claim make one verdict."""

from __future__ import annotations

from functools import partial

import polars as pl
import pytest

from heldout.errors import NotApplicableError
from heldout.papers.paper import ClaimFinding, MeasuredTables
from heldout.papers.rules import ahead, all_of, column, falling, higher, in_words, middle, plotted, rising, rounds_to

MEASURED = MeasuredTables(
    {"values": pl.DataFrame({"seed": [1, 2, 1, 2], "system": [*"AABB"], "value": [0.5, 0.2, 0.3, 0.3]})}
)


def test_who_is_ahead_is_told_by_means_over_splits() -> None:
    first, second, nobody = (partial(column, table="values", column="value", system=name) for name in "ABC")
    assert ahead(first, second, MEASURED) == (True, "0.3500 and 0.3000 (1 of 2 splits)")
    assert ahead(second, first, MEASURED)[0] is False
    with pytest.raises(NotApplicableError):
        ahead(first, nobody, MEASURED)
    assert plotted([]) is None and plotted([1.0, 2.0]) == 1.5 and middle([1.0, 9.0, 2.0]) == 2.0


def test_one_part_that_fails_is_enough() -> None:
    assert all_of([(True, "a"), (True, "b")]) == ClaimFinding(True, "a; b")
    assert all_of([(True, "a"), (False, "b")]).holds is False


def test_rising_and_falling_are_strict() -> None:
    assert rising([1, 2, 3]) and not rising([1, 1, 2])
    assert falling([3, 2, 1]) and not falling([3, 1, 2])
    assert in_words([0.5, 0.25]) == "0.5000, 0.2500"


def test_pairs_are_labelled_and_all_must_be_higher() -> None:
    number = partial(column, column="value")
    a, b = {"system": "A"}, {"system": "B"}
    pairs = [{"label": "P:", "both": {"table": "values"}, "first": a, "second": b}]
    found = higher(MEASURED, number, [*pairs, {"first": b | pairs[0]["both"], "second": a | pairs[0]["both"]}])
    assert found == ClaimFinding(False, "P: 0.3500 and 0.3000 (1 of 2 splits); 0.3000 and 0.3500 (1 of 2 splits)")


def test_a_number_must_round_to_the_published_one() -> None:
    a = partial(column, table="values", column="value", system="A")
    assert rounds_to(MEASURED, a, 0.4, 1, "a share of {:.0%}") == ClaimFinding(False, "a share of 35%")  # 0.35 is below
    assert rounds_to(MEASURED, a, 0.35, 2, "{:.2f}") == ClaimFinding(True, "0.35")
