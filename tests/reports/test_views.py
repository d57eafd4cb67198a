"""Rows as a reader asks for them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.sample import SYSTEMS, TESTS, facts

from heldout.errors import SpecError


def test_the_leader_comes_first_whatever_the_order_of_the_facts():
    sample = facts()
    mixed = replace(sample, comparisons=tuple(p.flipped() for p in reversed(sample.comparisons)))
    rows = mixed.against_others(0, TESTS[0])
    assert [r.b for r in rows] == list(SYSTEMS[1:])
    assert all(r.a == SYSTEMS[0] and r.difference > 0 for r in rows)
    assert rows == sample.against_others(0, TESTS[0])


def test_all_pairs_of_a_setting_are_kept():
    assert len(facts().pairs(0, TESTS[1])) == 15
    assert facts().tests(0) == list(TESTS)


def test_an_unknown_setting_names_the_known():
    with pytest.raises(SpecError, match=r"no setting 99.*0, 1, 2"):
        facts().setting(99)
