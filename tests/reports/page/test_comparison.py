"""The page's matrix of pairs, aggregations side by side, and critical differences."""

from __future__ import annotations

import re

from tests.reports.kept import facts_of, outcome_of
from tests.reports.sample import facts

from heldout.reports.page.comparison import aggregations, together
from heldout.words import number, p_number, signed


def cells(markup: str) -> list[list[str]]:
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", markup, re.DOTALL)
    texts = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[re.sub(r"<[^>]+>", "", text).replace("&lt;", "<").replace("&gt;", ">") for text in row] for row in texts]


def test_differences_stand_above_the_diagonal_and_p_below() -> None:
    view = facts()
    table = cells(together(view))[1:]
    order = [row.system for row in view.board(0)]
    for pair in view.pairs(0, view.tests(0)[0]):
        i, j = order.index(pair.a), order.index(pair.b)
        star = "*" if pair.significant(view.level) else ""
        assert table[i][j + 1] == f"{signed(pair.difference, view.digits(0))}{star} d {signed(pair.effect, 2)}"
        assert table[j][i + 1] == p_number(pair.p_adjusted)


def test_each_aggregation_has_its_own_ranks() -> None:
    sample = facts_of(outcome_of(), metrics="P@10", aggregate=["mean", "median"], tests=["t"])
    view = sample
    table = cells(aggregations(view))
    assert table[0] == ["System", "mean", "#", "median", "#"]
    for line in table[1:]:
        for k, setting in enumerate(view.aggregations(view.primary)):
            row = next(r for r in view.board(setting.id) if r.system == line[0])
            assert line[1 + 2 * k : 3 + 2 * k] == [number(row.value, view.digits(setting.id)), str(row.rank)]
    assert aggregations(facts()) == ""


def test_a_diagram_says_who_is_not_told_apart() -> None:
    sample = facts_of(outcome_of(), metrics="P@10", tests=["friedman"])
    (layout,) = sample.layouts
    markup = together(sample)
    assert "not told apart: " + "; ".join(" = ".join(run) for run in layout.cliques) in markup
    dots = len(layout.places) + sum(map(len, layout.cliques))
    assert markup.count("<circle") == dots and ["Good", "Twin"] in layout.cliques


def test_larger_values_stand_further_right_over_an_axis() -> None:
    sample = facts_of(outcome_of(), metrics="P@10", tests=["t"])
    view = sample
    drawing = together(view).partition("<figure")[2].partition("</figure>")[0]
    dots = [float(x) for x in re.findall(r'<circle cx="([\d.]+)" cy="\d+" r="4.5"', drawing)]
    values = [row.value for row in view.board(0)]  # from the top, the best first
    assert len(dots) == len(values) and dots == sorted(dots, reverse=True) and dots[0] > dots[-1]
    ends = re.findall(r'text-anchor="middle" fill="currentColor">([^<]+)<', drawing)
    assert ends == [number(values[-1], view.digits(0)), number(values[0], view.digits(0))]
