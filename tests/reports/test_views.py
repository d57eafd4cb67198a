"""What reports select: pairs as readers ask for them, and the primary leader against the strongest rival of each setting."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from tests.analysis.boards import leader_rows, pair_row, setting
from tests.refusals import refused
from tests.reports.sample import SYSTEMS, TESTS
from tests.reports.sample import facts as sample_facts

from heldout.analysis.findings import Findings
from heldout.analysis.rows import Verdict, VerdictRow
from heldout.analysis.sentences import verdict
from heldout.errors import SpecError
from heldout.reports import study_tables
from heldout.reports.views import Held, about_users, held_pair, margins

VALUES = ((0.5, 0.4, 0.3), (0.5, 0.4, 0.6), (0.5, 0.2, 0.45))
"""A, B and C in three settings. B is A's runner-up in the first; C beats A in the second and is the rival in the third."""


def facts(baseline: str | None = None) -> Findings:
    settings, leaders, pairs = [], [], []
    for k, row in enumerate(VALUES):
        values = dict(zip("ABC", row, strict=True))
        settings.append(setting(k, choices={"target": f"T{k}"}))
        leaders += leader_rows(k, values)
        tested = [pair for pair in combinations("ABC", 2) if baseline is None or baseline in pair]
        pairs += [pair_row(k, a, b, values, effect=5 * (values[a] - values[b]), family=3) for a, b in tested]
    judged = verdict(settings, leaders, pairs, 0.05, baseline=baseline)
    return Findings(
        title="T",
        task="",
        seed=1,
        systems=("A", "B", "C"),
        primary=0,
        verdict=judged,
        settings=tuple(settings),
        leaderboard=tuple(leaders),
        comparisons=tuple(pairs),
        baseline=baseline,
    )


def held(sample: Findings) -> list[tuple[str, str, float, float | None]]:
    rows = [held_pair(sample, row) for row in sample.verdict.rows]
    return [(one.a, one.b, round(one.difference, 3), None if one.effect is None else round(one.effect, 3)) for one in rows]


def test_the_leader_of_the_primary_setting_meets_the_strongest_rival_of_each() -> None:
    assert held(facts()) == [("A", "B", 0.1, 0.5), ("A", "C", -0.1, -0.5), ("A", "C", 0.05, 0.25)]


def test_with_a_baseline_every_leader_meets_that() -> None:
    assert held(facts("B")) == [("A", "B", 0.1, 0.5), ("C", "B", 0.2, 1.0), ("A", "B", 0.3, 1.5)]


def test_effects_favour_the_leader_where_lower_is_better() -> None:
    sample = facts()
    lower = replace(sample.settings[0], higher_is_better=False)
    turned = [replace(row, rank=4 - row.rank) for row in sample.leaderboard if row.setting == 0]
    (row,) = verdict([lower], turned, sample.comparisons, 0.05).rows
    assert (row.leader, row.rival, round(row.difference, 3)) == ("C", "B", -0.1) and row.effect == pytest.approx(0.5)


def test_a_leader_without_a_value_elsewhere_leaves_the_runner_up_as_rival() -> None:
    sample = facts()
    known = [row for row in sample.leaderboard if (row.setting, row.system) != (1, "A")]
    rows = verdict(sample.settings, known, sample.comparisons, 0.05).rows
    assert (rows[1].leader, rows[1].rival, rows[1].agrees) == ("C", "B", False)
    view = replace(sample, verdict=Verdict(answer="", rows=rows))
    assert (held_pair(view, rows[1]).a, held_pair(view, rows[1]).b) == ("C", "B")
    assert [row.setting for row, _ in margins(view)] == [0, 2]  # an axis of A's margins has no place for C over B


def test_a_row_keeps_its_pair_through_json() -> None:
    sample = facts()
    assert Findings.from_dict(sample.to_dict()).verdict == sample.verdict
    row = VerdictRow(
        setting=0, leader="A", value=0.5, rival="B", difference=0.1, p_adjusted=None, significant=False, agrees=True
    )
    empty = replace(sample, verdict=Verdict(answer="", rows=(row,)))
    assert held_pair(empty, row) == Held(a="A", b="B", difference=0.1, effect=None, margin=pytest.approx(0.1 / 0.45))


def test_settings_on_other_users_are_counted() -> None:
    """The primary setting averages nine users; the second one rests on 7 others."""
    sample = facts()
    assert about_users(sample) == "" and "other_users" not in str(sample.to_dict())
    rows = tuple(replace(row, other_users=7 if row.setting == 1 else 0) for row in sample.verdict.rows)
    marked = replace(sample, verdict=replace(sample.verdict, rows=rows))
    note = "1 setting rests on other users than the primary one: 7 instead of 9."
    assert about_users(marked) == note
    table = study_tables.settings(marked)
    assert table is not None and note in table.caption and table.values("Remark") == [None, "7 other users", None]
    assert Findings.from_dict(marked.to_dict()) == marked


def test_the_table_of_settings_says_who_leads_and_by_how_much_the_answer_holds() -> None:
    """In the second setting C leads and A is behind it; nothing shows A over B there."""
    table = study_tables.settings(facts())
    assert table is not None
    assert (table.values("Leader"), table.values("Best other")) == (["A", "C", "A"], ["B", "C", "C"])
    assert table.values("Margin") == pytest.approx([0.1, -0.1, 0.05])
    assert [table.values(system) for system in "ABC"] == [[0.5, 0.5, 0.5], [0.4, 0.4, 0.2], [0.3, 0.6, 0.45]]
    assert "A minus its strongest rival" in table.caption
    based = study_tables.settings(facts("B"))
    assert based is not None and based.values("Against") == ["B"] * 3
    assert based.values("Margin") == pytest.approx([0.1, 0.2, 0.3]) and "minus the baseline B" in based.caption


def test_a_tie_is_led_by_nobody() -> None:
    sample = facts()
    tied = tuple(replace(row, difference=0.0, value=0.5, significant=False) for row in sample.verdict.rows)
    table = study_tables.settings(replace(sample, verdict=replace(sample.verdict, rows=tied)))
    assert table is not None and table.values("Leader") == [None] * 3 and table.values("Remark") == ["tie"] * 3
    assert not table.strong


def test_the_leader_comes_first_whatever_the_order_of_the_sample_facts():
    sample = sample_facts()
    mixed = replace(sample, comparisons=tuple(p.flipped() for p in reversed(sample.comparisons)))
    rows = mixed.against_others(0, TESTS[0])
    assert [r.b for r in rows] == list(SYSTEMS[1:])
    assert all(r.a == SYSTEMS[0] and r.difference > 0 for r in rows)
    assert rows == sample.against_others(0, TESTS[0])


def test_all_pairs_of_a_setting_are_kept():
    assert len(sample_facts().pairs(0, TESTS[1])) == 15
    assert sample_facts().tests(0) == list(TESTS)


def test_an_unknown_setting_names_the_known():
    with refused(SpecError, hint="0, 1, 2"):
        sample_facts().setting(99)
