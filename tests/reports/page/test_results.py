"""The page's results: settings, leaderboard and pairs."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.page.test_comparison import cells
from tests.reports.sample import SYSTEMS, facts

from heldout.analysis.explored import explored_settings
from heldout.analysis.findings import Findings
from heldout.reports.page.results import (
    PAIR_ROWS,
    board_cells,
    board_heads,
    drawn_margins,
    holds,
    leaderboard,
    pairs_note,
    pairwise,
)


def test_every_setting_says_whether_the_leader_is_the_same() -> None:
    view = facts()
    lines = {line[0].removesuffix(" (lower is better)"): line for line in cells(holds(view))[1:]}
    for row in view.verdict.rows[1:]:
        named = {
            "same": f"✓ {row.leader}",
            "other": f"✗ {row.leader}",
            "tie": f"= {row.leader} and {row.rival}",
            "uncalled": "–",
        }
        assert lines[view.setting(row.setting).label][1] == named[row.answer]
    assert lines[f"{view.primary_setting.label} (primary)"][1] == f"✓ {SYSTEMS[0]}"


def test_the_chart_of_margins_says_the_same_as_its_table() -> None:
    """A point lies right of 0 exactly where the table marks the leader as the primary one's."""
    view = facts()
    lines = {line[0].removesuffix(" (lower is better)").removesuffix(" (primary)"): line for line in cells(holds(view))[1:]}
    points = drawn_margins(view)
    assert len(points) == 7  # the primary leader predicts no ratings, so RMSE is not drawn
    for point in points:
        line = lines[point["setting"]]
        assert line[1].startswith("✓" if point["margin"] > 0 else "✗") and point["of"] == SYSTEMS[0]
        assert line[2] == f"{point['Difference']} against {point['over']}"
    # By hand: 0.4682 and 0.4553 differ by 0.0129, their mean is 0.46175.
    assert points[0]["Margin"] == "+2.8%"


def test_many_settings_are_filtered_and_few_are_not() -> None:
    sample = facts()
    assert 'id="settings-filter"' not in holds(sample)
    again = [replace(s, id=s.id + 10, coverage="skip") for s in sample.settings]
    boards = [replace(row, setting=row.setting + 10) for row in sample.leaderboard]
    many = replace(sample, settings=(*sample.settings, *again), leaderboard=(*sample.leaderboard, *boards))
    page = holds(many)
    assert 'id="settings-filter"' in page and 'data-setting="13"' in page


def test_a_setting_without_a_winner_shows_neither_a_mark_nor_p() -> None:
    sample = facts()
    rows = tuple(replace(row, refused="serves few", remark="few users served") for row in sample.verdict.rows)
    view = replace(sample, verdict=replace(sample.verdict, rows=rows))
    body = cells(holds(view))[1:]
    assert {line[3] for line in body} == {"not called"} and {line[1] for line in body[1:]} == {"–"}
    assert "Not called: the leader serves few." in holds(view)


def heads(sample: Findings) -> list[str]:
    return cells(leaderboard(sample, explored_settings(sample, sample.settings)))[0]


def test_letters_have_a_column_only_where_there_are_some() -> None:
    sample = facts()
    bare = replace(sample, leaderboard=tuple(replace(row, group="") for row in sample.leaderboard))
    assert "Group" in heads(sample) and "Group" not in heads(bare)


def test_all_pairs_stand_in_the_page_where_they_are_few() -> None:
    view = facts()
    table = cells(pairwise(view))
    assert len(table) == 1 + view.count(0, view.tests(0)[0]) <= PAIR_ROWS
    assert table[1][0] == f"{SYSTEMS[0]} − {SYSTEMS[1]}"
    assert pairwise(replace(facts(), comparisons=())) == ""


def test_a_test_without_a_comparison_is_named() -> None:
    assert pairs_note(facts(), 0, "sign") == f"{facts().settings[0].label}. sign: no comparison."


def test_letters_stand_beside_the_p_values_of_their_own_test() -> None:
    view = facts()
    first, *others = view.tests(0)
    assert first == view.deciding_test(0) and others
    letters = [row.group for row in view.board(0)]
    own, other = ([line[5][0] for line in board_cells(view, 0, test)] for test in (first, others[0]))
    assert own == letters and any(letters) and not any(other)


def test_the_best_value_is_marked_and_heads_name_the_depth() -> None:
    view = facts()
    classes = [line[3][1] for line in board_cells(view, 0, view.tests(0)[0])]
    assert classes == ["num strong best", *["num strong"] * (len(classes) - 1)]
    depth = view.setting(0).metric.rpartition("@")[2]
    heads = [text for text, _, _ in board_heads(view, 0)]
    assert {f"Coverage@{depth}", f"Unrated@{depth}", f"ρ@{depth}", f"Tied@{depth}"} <= set(heads) and depth.isdigit()
