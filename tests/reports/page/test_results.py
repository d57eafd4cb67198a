"""The page's results: settings, leaderboard and pairs."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.page.test_comparison import cells
from tests.reports.sample import SYSTEMS, facts

from heldout.reports.page.results import PAIR_ROWS, holds, leaderboard, pairs_note, pairwise
from heldout.reports.views import View


def test_every_setting_says_whether_the_leader_is_the_same() -> None:
    view = View(facts())
    lines = {line[0].removesuffix(" (lower is better)"): line for line in cells(holds(view))[1:]}
    for row in view.facts.verdict.rows[1:]:
        sign = {"same": "✓ same", "other": "✗ other", "tie": "tie", "uncalled": "–"}[row.answer]
        assert lines[view.setting(row.setting).label][1] == sign
    assert lines[view.primary.label][1] == "primary"


def test_a_setting_without_a_winner_shows_neither_a_mark_nor_p() -> None:
    sample = facts()
    rows = tuple(replace(row, refused="serves few", remark="few users served") for row in sample.verdict.rows)
    view = View(replace(sample, verdict=replace(sample.verdict, rows=rows)))
    body = cells(holds(view))[1:]
    assert {line[3] for line in body} == {"not called"} and {line[1] for line in body[1:]} == {"–"}
    assert "Not called: the leader serves few." in holds(view)


def test_letters_have_a_column_only_where_there_are_some() -> None:
    sample = facts()
    bare = replace(sample, leaderboard=tuple(replace(row, group="") for row in sample.leaderboard))
    assert "Group" in cells(leaderboard(View(sample)))[0] and "Group" not in cells(leaderboard(View(bare)))[0]


def test_all_pairs_stand_in_the_page_where_they_are_few() -> None:
    view = View(facts())
    table = cells(pairwise(view))
    assert len(table) == 1 + view.count(0, view.tests(0)[0]) <= PAIR_ROWS
    assert table[1][0] == f"{SYSTEMS[0]} − {SYSTEMS[1]}"
    assert pairwise(View(replace(facts(), comparisons=()))) == ""


def test_a_test_without_a_comparison_is_named() -> None:
    assert pairs_note(View(facts()), 0, "sign") == f"{facts().settings[0].label}. sign: no comparison."
