"""Pairs as a LaTeX table."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.sample import SYSTEMS, TESTS, facts

from heldout.latex_text import escape
from heldout.reports.latex.pairs import pairs_to_latex
from heldout.words import exact_p, signed


def test_every_pair_of_the_setting_has_a_row() -> None:
    sample = facts()
    text = pairs_to_latex(sample, 4, TESTS[1])
    rows = [line for line in text.splitlines() if " & " in line][1:]
    pairs = sample.pairs(4, TESTS[1])
    assert len(rows) == len(pairs) == 15
    for row, pair in zip(rows, pairs, strict=True):
        cells = row.removesuffix(r" \\").split(" & ")
        assert cells[0] == escape(f"{pair.a} − {pair.b}") and cells[1] == escape(signed(pair.difference, 4))
        assert cells[-1] == escape(exact_p(pair.p_adjusted))
    assert "t: p adjusted by holm over 15 comparisons." in text


def test_hostile_names_cannot_leave_their_cell() -> None:
    sample = facts()
    hostile = r"A_&%$#{}\\~^"
    pairs = tuple(replace(p, a=hostile) if p.a == SYSTEMS[0] else p for p in sample.comparisons)
    text = pairs_to_latex(replace(sample, comparisons=pairs))
    body = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    assert escape(hostile) in body and hostile not in body
    assert all(line.count(" & ") == 7 for line in body.splitlines() if " & " in line)
