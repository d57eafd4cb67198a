"""Whether the answer holds: the primary leader against the strongest rival of each setting, the same in every form."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest
from heldout.reports.page.document import to_html
from rich.console import Console
from tests.analysis.boards import leader_rows, pair_row, setting

from heldout.analysis.findings import Findings
from heldout.analysis.rows import Verdict, VerdictRow
from heldout.analysis.sentences import verdict
from heldout.reports.terminal.catalogue import render
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


def test_no_form_contradicts_its_own_table() -> None:
    """In the second setting C leads and A is behind: every form says so, and none shows A over B there."""
    sample = facts()
    assert "C beats A significantly under m1" in sample.verdict.sentence
    table = to_html(sample).partition('id="settings"')[2].partition("</table>")[0]
    lines = [re.sub(r"<[^>]+>", "|", line) for line in table.split("<tr")[2:]]
    assert "+0.1000" in lines[0] and "against B" in lines[0]
    assert "✗ C" in lines[1] and "−0.1000" in lines[1] and "against C" in lines[1]
    assert "✓ A" in lines[2] and "+0.0500" in lines[2] and "against C" in lines[2]
    console = Console(width=80, no_color=True)
    with console.capture() as captured:
        console.print(render(sample, 80))
    told = [line.split() for line in captured.get().splitlines() if re.match(r"m\d +(yes|NO)", line)]
    assert [line[:4] for line in told] == [["m0", "yes", "1", "2"], ["m1", "NO", "3", "3"], ["m2", "yes", "1", "3"]]


def test_a_leader_without_a_value_elsewhere_leaves_the_runner_up_as_rival() -> None:
    sample = facts()
    known = [row for row in sample.leaderboard if (row.setting, row.system) != (1, "A")]
    rows = verdict(sample.settings, known, sample.comparisons, 0.05).rows
    assert (rows[1].leader, rows[1].rival, rows[1].agrees) == ("C", "B", False)
    view = replace(sample, verdict=Verdict("", rows))
    assert (held_pair(view, rows[1]).a, held_pair(view, rows[1]).b) == ("C", "B")
    assert [row.setting for row, _ in margins(view)] == [0, 2]  # an axis of A's margins has no place for C over B


def test_a_row_keeps_its_pair_through_json() -> None:
    sample = facts()
    assert Findings.from_dict(sample.to_dict()).verdict == sample.verdict
    row = VerdictRow(
        setting=0, leader="A", value=0.5, rival="B", difference=0.1, p_adjusted=None, significant=False, agrees=True
    )
    empty = replace(sample, verdict=Verdict("", (row,)))
    assert held_pair(empty, row) == Held(a="A", b="B", difference=0.1, effect=None, margin=pytest.approx(0.1 / 0.45))


def said(sample: Findings, width: int) -> str:
    console = Console(width=width, no_color=True)
    with console.capture() as captured:
        console.print(render(sample, width))
    return " ".join(captured.get().partition("Does it hold?")[2].split())


def test_a_legend_explains_only_columns_that_are_there_and_no_system_leaves() -> None:
    sample = facts()
    long = [replace(s, label=f"OnePlusRandom(nonrelevant=99) · m{s.id} · aggregate=median") for s in sample.settings]
    narrow = said(replace(sample, settings=tuple(long)), 66)
    assert "Value: the leader's. Numbered columns are the systems above; * leads." in narrow
    narrowest = said(replace(sample, settings=tuple(long)), 58).partition("against the others")[0]
    for text in (narrow, narrowest):
        assert "p adj.: system 1" in text and "Left out" not in text
        assert "Numbered columns" in text and "system 2" not in text.partition("against")[0]
    assert "Numbered columns are the systems above; * leads." in said(sample, 76)


def test_a_choice_of_nothing_is_explained_where_its_word_is_cut() -> None:
    sample = facts()
    fallbacks = [
        replace(s, label=f"OnePlusRandom(nonrelevant=99) · m{s.id} · fallback={('none', 'popularity')[s.id % 2]}")
        for s in sample.settings
    ]
    assert "none: fallback=none" in said(replace(sample, settings=tuple(fallbacks)), 66)


def test_settings_on_other_users_are_marked_in_every_form() -> None:
    """The sample's primary setting averages 12 users; the second one rests on 7 others."""
    sample = facts()
    assert about_users(sample) == "" and "other user" not in said(sample, 80) + to_html(sample)
    assert "other_users" not in str(sample.to_dict())
    users = sample.leaderboard[0].users
    rows = tuple(replace(row, other_users=7 if row.setting == 1 else 0) for row in sample.verdict.rows)
    marked = replace(sample, verdict=replace(sample.verdict, rows=rows))
    note = f"1 setting rests on other users than the primary one: 7 instead of {users:,}."
    for text in (said(marked, 80), to_html(marked)):
        assert note in text
    assert "m1 NO†" in said(marked, 80) and f"† {note}" in said(marked, 80)
    assert said(marked, 80).startswith("the same leader in 2 of 3 settings, 1 on other users")
    assert "on 7 other users" in said(marked, 28)
    page = to_html(marked)
    assert "m1 (on 7 other users)" in page.replace("<wbr>", "") and "1 rests on other users (7)" in page
    assert Findings.from_dict(marked.to_dict()) == marked


def test_a_tie_is_led_by_nobody() -> None:
    sample = facts()
    tied = tuple(replace(row, difference=0.0, value=0.5) for row in sample.verdict.rows)
    sample = replace(sample, verdict=Verdict("", tied))
    text = said(sample, 80)
    assert text.startswith("the same leader in 0 of 3 settings") and "*" not in text.partition("against the others")[0]
    assert '<dd class="big">a tie</dd><dd>A and B, 0.5000</dd>' in to_html(sample)
