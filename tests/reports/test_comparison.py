"""The report of `heldout compare`: each setting with its leaderboard, every pair and every test."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from tests.reports.kept import SYSTEMS, facts_of, study_scores_of
from tests.reports.sample import facts

from heldout.analysis.findings import Findings
from heldout.reports import comparison
from heldout.reports.document import Table
from heldout.reports.render import terminal
from heldout.reports.render.screen import printed


def compared(**asked: object) -> Findings:
    return facts_of(study_scores_of(), metrics="P@10", **asked)


def names(found: Findings, setting: int = 0) -> list[str]:
    (section,) = comparison.document(found, [setting]).sections
    return [block.name for block in section.blocks if isinstance(block, Table)]


def test_the_answer_is_the_verdict_and_the_first_table_has_every_pair() -> None:
    found = compared(tests=["t"])
    document = comparison.document(found, [0])
    assert (document.answer, document.systems) == (found.verdict.answer, ("Best", "Good", "Twin", "Poor"))
    assert [(text.plain, text.note) for text in document.numbers] == [
        (found.verdict.numbers, False),
        (found.verdict.note, True),
    ]
    assert document.main is not None and document.main.name == "pairs"
    pairs = {frozenset(pair) for pair in zip(document.main.values("System"), document.main.values("Against"), strict=True)}
    assert pairs == {frozenset(pair) for pair in combinations(SYSTEMS, 2)}
    assert document.facts == ("4 systems", "1 setting")


def test_several_tests_stand_side_by_side() -> None:
    found = compared(tests=["t", "sign", "bayes(samples=200)"])
    table = comparison.p_values(found, 0)
    assert table is not None and names(found) == ["leaderboard", "pairs", "p-values"]
    for test in ("t", "sign"):
        rows = {(row.a, row.b): row for row in found.pairs(0, test)}
        for a, b, p, adjusted in zip(
            table.values("System"), table.values("Against"), table.values(f"{test} p"), table.values(f"{test} p adjusted"),
            strict=True,
        ):  # fmt: skip
            assert (rows[a, b].p, rows[a, b].p_adjusted) == (p, adjusted)
    assert not any("bayes" in column.name for column in table.columns)  # it gives no p-values
    assert comparison.p_values(compared(tests=["t"]), 0) is None


def test_tests_of_all_systems_at_once_are_shown() -> None:
    assert names(compared(tests=["friedman", "t"])) == ["leaderboard", "pairs", "p-values", "all-at-once"]


def test_with_a_baseline_every_pair_is_against_it() -> None:
    found = compared(tests=["t", "sign(alternative=greater)"], baseline="Good")
    table = comparison.p_values(found, 0)
    assert table is not None
    assert (table.values("System"), table.values("Against")) == (["Best", "Twin", "Poor"], ["Good"] * 3)
    assert comparison.document(found, [0]).answer == "Best beats the baseline Good."


def test_every_setting_asked_for_has_a_section() -> None:
    sample = facts()
    document = comparison.document(sample, [0, 7])
    assert [(s.id, s.title) for s in document.sections] == [
        ("setting-0", "AllItems · nDCG@10"),
        ("setting-7", "AllItems · RMSE"),
    ]
    boards = [
        block for s in document.sections for block in s.blocks if isinstance(block, Table) and block.name == "leaderboard"
    ]
    assert [board.values("System")[0] for board in boards] == [sample.leader(0), sample.leader(7)]


def test_a_winner_that_is_not_called_is_explained_next_to_the_p_values() -> None:
    sample = facts()
    reason = "leads among users of whom 12.0% are served by every system"
    rows = tuple(replace(row, refused=reason, remark="few users served", significant=False) for row in sample.verdict.rows)
    uncalled = replace(sample, verdict=replace(sample.verdict, rows=rows))
    note = f"No winner is called: the leader {reason}."
    captions = [block.caption for block in comparison.document(uncalled, [0]).sections[0].blocks if isinstance(block, Table)]
    assert [note in caption for caption in captions[:2]] == [True, True]
    assert not any(note in block.caption for block in comparison.document(sample, [0]).tables().values())


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    document = comparison.document(compared(tests=["t", "sign", "bayes(samples=200)"]), [0])
    for full in (False, True):
        text = printed(terminal.document(document, full=full), width)
        assert max(len(line.rstrip()) for line in text.splitlines()) <= width
        assert "Twin" in text and document.answer in " ".join(text.split())
