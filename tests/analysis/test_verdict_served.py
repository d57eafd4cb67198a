"""Whom a verdict rests on, and why no winner is called where some users are not served."""

from __future__ import annotations

from dataclasses import replace

from heldout.analysis.facts import Setting
from heldout.analysis.served_users import Served
from heldout.analysis.verdict_rows import VerdictRow
from heldout.analysis.verdict_served import rests_on, uncalled, why_uncalled

SETTING = Setting(id=0, choices={}, metric="P@10", aggregate="mean", undefined="zero", coverage="zero", label="P@10")
ROW = VerdictRow(
    setting=0,
    leader="A",
    value=0.5,
    rival="B",
    difference=0.1,
    p_adjusted=0.01,
    significant=True,
    agrees=True,
    users=10,
    served=8,
)
SYSTEMS = ("A", "B")


def test_a_leader_is_called_where_it_leads_either_way() -> None:
    assert why_uncalled(None, "A", SETTING, SYSTEMS) == why_uncalled(Served(10, 10), "A", SETTING, SYSTEMS) == ("", "")
    served = Served(10, 8, as_zero=(0.5, 0.4), common=(0.6, 0.5))
    assert why_uncalled(served, "A", SETTING, SYSTEMS) == ("", "")


def test_a_leader_that_depends_on_the_unserved_is_not_called() -> None:
    served = Served(10, 8, as_zero=(0.5, 0.4), common=(0.5, 0.6))
    assert why_uncalled(served, "A", SETTING, SYSTEMS)[1] == "depends on the users not served"
    text = uncalled(SETTING, served, SYSTEMS)
    assert text.startswith("No winner is called on P@10: 8 of the 10 users (80.0%) are served by every system.")
    assert "A leads (0.5000, +0.1000 over B); with the others left out, B leads (0.6000, +0.1000 over A)." in text
    lower = replace(SETTING, higher_is_better=False)
    assert "B leads (0.4000, −0.1000 over A); with the others left out, A leads" in uncalled(lower, served, SYSTEMS)


def test_few_users_served_call_nobody() -> None:
    served = Served(10, 4, as_zero=(0.5, 0.4), common=(0.6, 0.5))
    why, remark = why_uncalled(served, "A", SETTING, SYSTEMS)
    assert why == "leads among users of whom 40.0% are served by every system" and remark == "few users served"
    assert "only 4 of the 10 users (40.0%)" in uncalled(SETTING, served, SYSTEMS)


def test_a_winner_says_what_becomes_of_the_unserved() -> None:
    start = " 8 of the 10 users (80.0%) are served by every system; the others "
    assert rests_on(ROW, SETTING, 10) == f"{start}count as if they were recommended nothing."
    assert rests_on(ROW, replace(SETTING, coverage="intersection"), 10) == f"{start}are left out."
    assert rests_on(replace(ROW, served=10), SETTING, 10) == ""


def test_users_without_a_value_are_counted() -> None:
    """Of 10 users 4 have a value; a rule that leaves out the unserved says nothing of the others."""
    skipping, everybody = replace(SETTING, metric="AUC", undefined="skip"), replace(ROW, served=10)
    undefined = " For 6 of the 10 users AUC has no value; they are left out."
    assert rests_on(everybody, skipping, 4) == undefined
    assert rests_on(ROW, skipping, 4) == f"{undefined}{rests_on(ROW, SETTING, 10)}"
    assert rests_on(everybody, replace(skipping, coverage="forgive"), 4) == ""
