"""Accuracy metrics on lists small enough to check by hand; relevant from 4 on."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

# ranks           1     2  3     4  5        R = 3 (5, 4 and the unlisted 4), judged non-relevant: 2 and the unlisted 1
LIST = judged_list([5, None, 2, None, 4], (4, 1))
EPS = 1e-5


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("P@1", 1 / 1),
        ("P@2", 1 / 2),
        ("P@5", 2 / 5),
        ("P@10", 2 / 10),  # the list is shorter than n: still divided by n
        ("P(rel=5)@5", 1 / 5),
        ("P(rel=2)@5", 3 / 5),
        ("Recall@1", 1 / 3),
        ("Recall@5", 2 / 3),
        ("Recall", 2 / 3),
        ("Recall(rel=1)", 3 / 5),
        ("AP", (1 / 1 + 2 / 5) / 3),
        ("AP@4", (1 / 1) / 3),  # still divided by R
        ("RR", 1 / 1),
        ("RR(rel=6)", 0.0),
        # gains 5, 0, 2, 0, 4; ideal 5, 4, 4, 2, 1
        ("nDCG", (5 + 2 / log2(4) + 4 / log2(6)) / (5 + 4 / log2(3) + 4 / log2(4) + 2 / log2(5) + 1 / log2(6))),
        ("nDCG@3", (5 + 2 / log2(4)) / (5 + 4 / log2(3) + 4 / log2(4))),
        ("nDCG(gain=binary)", (1 + 1 / log2(6)) / (1 + 1 / log2(3) + 1 / log2(4))),
        ("nDCG(gain=binary)@1", 1.0),
        # (2^r − 1)/31: 31, 3, 15 of ideal 31, 15, 15 at depth 3
        ("nDCG(gain=exp2)@3", (31 + 3 / log2(4)) / (31 + 15 / log2(3) + 15 / log2(4))),
        # (2^(r−1) − 1)/16: 15, 1, 7 of ideal 15, 7, 7; the divisor cancels
        ("nDCG(gain=chapelle)@3", (15 + 1 / log2(4)) / (15 + 7 / log2(3) + 7 / log2(4))),
        ("nDCG(gain=chapelle_scaled)@3", (15 + 1 / log2(4)) / (15 + 7 / log2(3) + 7 / log2(4))),
        # no judged non-relevant above rank 1; one above rank 5, min(N, R) = 2
        ("bpref", (1 + (1 - 1 / 2)) / 3),
        ("bpref@4", 1 / 3),
        # rank 1: 1/1 + 0; rank 5: 1/5 + 4/5 · (1+ε)/(1+1+2ε) = 1/5 + 4/5 · 1/2
        ("infAP", (1 + (1 / 5 + 4 / 5 * 0.5)) / 3),
        # pool=judged: 4/5 becomes 2/5, the two judged items of the four above
        ("infAP(pool=judged)", (1 + (1 / 5 + 2 / 5 * 0.5)) / 3),
        ("Coverage@10", 5 / 10),
        ("Coverage@3", 1.0),
        ("Unrated@2", 1 / 2),
        ("Unrated@10", 2 / 5),  # of the five items there are
        ("Rho@10", 10 / 10 * 3 / 57),
        ("Rho@100", 57 / 100 * 3 / 57),
        ("Rho", 3 / 57),
    ],
)
def test_by_hand(metric: str, expected: float) -> None:
    assert value(metric, LIST) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", ["Recall@5", "AP", "nDCG(gain=binary)", "bpref", "infAP"])
def test_undefined_without_relevant_items(metric: str) -> None:
    assert np.isnan(value(metric, judged_list([2, None, 3], (1,))))


@pytest.mark.parametrize("metric", ["P@5", "RR"])
def test_zero_not_undefined_without_relevant_items(metric: str) -> None:
    assert value(metric, judged_list([2, None, 3], (1,))) == 0.0


@pytest.mark.parametrize("metric", ["P@5", "Recall@5", "AP", "RR", "nDCG@5", "bpref", "infAP", "Coverage@5"])
def test_an_empty_list_scores_zero(metric: str) -> None:
    assert value(metric, judged_list([], (5, 4))) == 0.0


def test_graded_gain_of_a_rating_below_the_threshold_counts() -> None:
    """The linear gain takes the rating whether or not it is relevant: 3 of an ideal 3."""
    assert value("nDCG", judged_list([3])) == 1.0
    assert np.isnan(value("nDCG(gain=binary)", judged_list([3])))


def test_a_rating_of_zero_gains_nothing() -> None:
    assert np.isnan(value("nDCG", judged_list([0, 0])))


def test_a_gain_may_be_told_the_top_of_the_scale() -> None:
    """One list of 3 and an unlisted 2: (2^3 − 1) and (2^2 − 1) scaled alike, so the ratio does not change."""
    judged = judged_list([None, 3], (2,), top=3.0)
    expected = 7 / log2(3) / (7 + 3 / log2(3))
    assert value("nDCG(gain=exp2)", judged) == pytest.approx(expected)
    assert value("nDCG(gain=exp2(top=5))", judged) == pytest.approx(expected)
