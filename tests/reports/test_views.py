"""Rows as a reader asks for them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.sample import SYSTEMS, TESTS, facts

from heldout.errors import SpecError
from heldout.reports.views import View, correction_note, filled, flipped


def test_a_flipped_pair_mirrors_its_interval_and_counts():
    pair = facts().comparisons[0]
    turned = flipped(pair)
    assert (turned.a, turned.b, turned.difference) == (pair.b, pair.a, -pair.difference)
    assert (turned.low, turned.high) == (-pair.high, -pair.low)
    assert (turned.wins, turned.losses, turned.p_adjusted) == (pair.losses, pair.wins, pair.p_adjusted)
    assert flipped(turned) == pair


def test_the_leader_comes_first_whatever_the_order_of_the_facts():
    sample = facts()
    mixed = replace(sample, comparisons=tuple(flipped(p) for p in reversed(sample.comparisons)))
    rows = View(mixed).against_others(0, TESTS[0])
    assert [r.b for r in rows] == list(SYSTEMS[1:])
    assert all(r.a == SYSTEMS[0] and r.difference > 0 for r in rows)
    assert rows == View(sample).against_others(0, TESTS[0])


def test_all_pairs_of_a_setting_are_kept():
    assert len(View(facts()).pairs(0, TESTS[1])) == 15
    assert View(facts()).tests(0) == list(TESTS)


def test_coverage_after_fallback_stands_beside_when_it_differs():
    row = View(facts()).board(0)[0]
    assert filled(replace(row, coverage=0.8, coverage_ranked=1.0)) == "80.0% → 100%"
    assert filled(replace(row, coverage=0.8, coverage_ranked=0.8)) == "80.0%"
    assert filled(replace(row, coverage=None, coverage_ranked=None)) == "–"


def test_the_correction_names_its_family():
    pair = facts().comparisons[0]
    assert correction_note(pair) == "p adjusted by holm over 15 comparisons"
    assert correction_note(replace(pair, correction="none")) == "p not adjusted for the number of comparisons"


def test_an_unknown_setting_names_the_known():
    with pytest.raises(SpecError, match=r"no setting 99.*0, 1, 2"):
        View(facts()).setting(99)
