"""What every form says of pictures."""

from __future__ import annotations

from tests.reports.pictured import DRAWN, pictured

from heldout.analysis.details import Pictures
from heldout.analysis.pictures import PICTURES as KINDS
from heldout.reports.charts.users_items import user_differences
from heldout.reports.views import PICTURES, absences, board_order


def test_the_caption_of_gains_has_counts_and_sizes() -> None:
    findings = pictured()
    pair = findings.pictures.differences
    chart = user_differences(findings)
    assert pair is not None and chart is not None
    assert chart.caption == (
        "1,000 users in the order of their difference in nDCG@10, EASE minus ALS: 600 gain 0.2000 on average, 250 lose "
        "0.1000 on average, 150 see no change."
    )


def test_absences_of_one_reason_are_told_together() -> None:
    pictures = Pictures(absent={"roc": "why", "precision-recall": "why", "warm-users": "another"})
    assert absences(pictures) == "ROC and precision and recall (why); cold and warm users (another)"
    assert absences(Pictures()) == "" and {*KINDS, "columns"} == set(PICTURES)


def test_systems_are_in_the_order_of_the_leaderboard() -> None:
    view = pictured()
    shares = view.pictures.popularity
    assert shares is not None
    assert [name for name, _ in board_order(view, shares)] == [DRAWN[0], DRAWN[1], "catalogue"]
