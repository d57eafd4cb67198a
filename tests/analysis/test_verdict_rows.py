"""What a verdict's rows say: the same leader, another, a tie, or no winner called."""

from __future__ import annotations

from dataclasses import replace

from heldout.analysis.verdict_rows import Verdict, VerdictRow, user_counts

ROW = VerdictRow(
    setting=0, leader="A", value=0.5, rival="B", difference=0.1, p_adjusted=0.01, significant=True, agrees=True, effect=0.4
)


def test_a_row_answers_in_one_of_four_ways() -> None:
    assert ROW.answer == "same" and replace(ROW, agrees=False).answer == "other"
    assert replace(ROW, difference=0.0).answer == "tie" and replace(ROW, difference=0.0).tie
    assert replace(ROW, difference=0.0, refused="serves few").answer == "uncalled"


def test_a_pair_is_seen_from_either_side() -> None:
    assert ROW.seen_from("A") == ("B", 0.1, 0.4) and ROW.seen_from("B") == ("A", -0.1, -0.4)
    assert replace(ROW, effect=None).seen_from("B") == ("A", -0.1, None)


def test_settings_are_counted_by_what_they_say() -> None:
    other, unsure = replace(ROW, agrees=False), replace(ROW, agrees=False, significant=False, p_adjusted=0.3)
    uncalled, tie = replace(ROW, refused="serves few"), replace(ROW, difference=0.0)
    verdict = Verdict("", (ROW, other, unsure, uncalled, tie))
    assert (verdict.holding, verdict.contradicting, verdict.uncalled) == ((ROW,), (other,), (uncalled,))
    assert verdict.tested and not Verdict("", (replace(ROW, p_adjusted=None),)).tested


def test_counts_of_other_users_are_a_number_or_a_range() -> None:
    rows = [replace(ROW, other_users=n) for n in (1477, 900)]
    assert user_counts(rows[:1]) == "1,477" and user_counts(rows) == "900 to 1,477"
