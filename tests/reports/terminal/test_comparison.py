"""Comparisons in a terminal: groups, one matrix for tests that agree, every pair in full."""

from __future__ import annotations

import pytest
from heldout.reports.terminal.comparison import render_comparison
from tests.reports.terminal.test_study import compared, shown

from heldout.reports.terminal.catalogue import render
from heldout.words import interval, percent, signed


def test_one_matrix_for_tests_that_tell_the_same_pairs_apart():
    same = shown(render_comparison(compared(tests=["t", "permutation(samples=4000)"]), [0]), 120)
    assert same.count("Matrix") == 1 and "Matrix  t and permutation(samples=4000)" in same
    assert "(permutation(samples=4000) tells the same pairs apart)" in " ".join(same.split())
    other = shown(render_comparison(compared(tests=["t", "bootstrap(samples=3)"]), [0]), 120)
    assert other.count("Matrix") == 2  # 3 resamples tell nothing apart
    narrow = shown(render_comparison(compared(tests=["t", "bootstrap(samples=3)"]), [0]), 36)
    matrix = narrow.partition("Matrix")[2].partition("Above the diagonal")[0]
    heads = [line.split() for line in matrix.splitlines() if line.split()[1:2] == ["system"]]
    assert len(heads) > 1 and [place for line in heads for place in line[2:]] == ["1", "2", "3", "4"]  # folded, and whole


@pytest.mark.parametrize("width", [60, 80, 120])
def test_nothing_of_a_pair_is_left_out_for_width(width):
    facts = compared(tests=["t", "sign", "bayes(samples=200)"])
    text = shown(render_comparison(facts, [0]), width)
    assert all(len(line.rstrip()) <= width for line in text.splitlines())
    for pair in facts.pairs(0, "t"):
        for part in (
            interval(pair.low, pair.high, 4, sign=True),
            signed(pair.effect, 2),
            percent(pair.superiority),
            f"{pair.wins}/{pair.ties}/{pair.losses}",
        ):
            assert part in text
    assert "Left out" not in text.partition("Pairs")[2]


def test_with_a_baseline_every_table_is_against_it():
    facts = compared(tests=["t", "sign(alternative=greater)"], baseline="Good")
    report, comparison = (shown(made, 120) for made in (render(facts), render_comparison(facts, [0])))
    assert "The others against Good" in report and "system − baseline" in report and "leader − other" not in report
    assert "Matrix" not in comparison
    for system in ("Best", "Twin", "Poor"):
        assert f"{system} − Good" in comparison and f"Good − {system}" not in comparison
    assert [(p.a, p.b) for p in facts.pairs(0, "t")] == [("Best", "Good"), ("Twin", "Good"), ("Poor", "Good")]
    assert facts.against_others(0, "t") == facts.pairs(0, "t")
    assert facts.verdict.sentence.startswith("Best leads on P@10 and beats the baseline:")


def test_systems_at_the_critical_difference_stand_beside_one_bar():
    facts = compared(tests=["friedman", "t"])
    text = shown(render_comparison(facts, [0]), 100)
    (layout,) = facts.layouts
    assert f"All systems equal: {layout.name} = " in text
    bars = [line for line in text.partition("Critical difference")[2].splitlines() if "●" in line]
    assert [line.split()[0] for line in bars] == [name for name, _ in layout.ordered]
    beside = {line.split()[0] for line in bars if "┃" in line}
    assert beside == {name for run in layout.cliques for name in run}
