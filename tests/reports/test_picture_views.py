"""What every form says of pictures."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.pictured import DRAWN, pictured

from heldout.analysis.details import Pictures
from heldout.analysis.pictures import PICTURES as KINDS
from heldout.reports.views import PICTURES, absences, board_order, gains_sentence


def test_gains_are_told_in_counts_and_sizes() -> None:
    pair = pictured().pictures.differences
    assert pair is not None
    assert gains_sentence(pair) == (
        "Of 1,000 users, 600 (60.0%) are better off with EASE(l2=500), by 0.2000 of nDCG@10 on average; 250 (25.0%) are "
        "better off with ALS(factors=50, alpha=1), by 0.1000 of nDCG@10 on average; for 150 (15.0%) both are equal."
    )
    nobody = replace(pair, losses=0, ties=400, loss=None)
    assert "; 0 (0%) are better off with ALS(factors=50, alpha=1); for 400" in gains_sentence(nobody)


def test_absences_of_one_reason_are_told_together() -> None:
    pictures = Pictures(absent={"roc": "why", "precision-recall": "why", "warm-users": "another"})
    assert absences(pictures) == "ROC and precision and recall (why); cold and warm users (another)"
    assert absences(Pictures()) == "" and {*KINDS, "columns"} == set(PICTURES)


def test_systems_are_in_the_order_of_the_leaderboard() -> None:
    view = pictured()
    shares = view.pictures.popularity
    assert shares is not None
    assert [name for name, _ in board_order(view, shares)] == [DRAWN[0], DRAWN[1], "catalogue"]
