"""Warnings about scores: what the leaderboard says of ties."""

from __future__ import annotations

from heldout.analysis.notices import MANY_TIED, about_ties
from heldout.analysis.rows import LeaderRow, Setting


def setting(number: int, ties: str) -> Setting:
    return Setting(
        id=number, choices={"ties": ties}, metric="P@5", aggregate="mean", undefined="zero", coverage="zero", label="P@5"
    )


def row(number: int, system: str, tied: float | None) -> LeaderRow:
    return LeaderRow(
        setting=number,
        system=system,
        rank=1,
        value=0.5,
        low=None,
        high=None,
        users=10,
        undefined=0,
        user_coverage=1.0,
        coverage=1.0,
        unrated=None,
        rho=None,
        tied=tied,
    )


def test_ties_are_told_by_the_worst_setting_of_each_system_and_the_rule_that_orders_them() -> None:
    rows = [
        row(0, "A", 0.1),
        row(1, "A", 0.3),
        row(0, "B", 0.5),
        row(0, "C", MANY_TIED),
        row(2, "D", 1.0),
        row(0, "E", None),
    ]
    (notice,) = about_ties([setting(0, "item"), setting(1, "trec"), setting(2, "expected")], rows)
    assert notice.code == "HO206"
    assert notice.message == (
        "Scores tie: 50% of the rated items in the lists of B, 30% in those of A, as deep as P@5 looks, share their score "
        "with another item, and the tie rule `item` or `trec` decides their order"
    )


def test_rules_that_favour_no_item_are_not_warned_of() -> None:
    assert list(about_ties([setting(0, "expected"), setting(1, "random(1)")], [row(0, "A", 1.0), row(1, "A", 1.0)])) == []
