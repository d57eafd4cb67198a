"""Accuracy metrics on lists small enough to check by hand; relevant from 4 on."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import numpy as np
import pytest
from tests.metrics.lists import judged_list, knowing, value

from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.testing.lists import judged_lists, random_lists, values_of

# ranks           1     2  3     4  5        R = 3 (5, 4 and the unlisted 4), judged non-relevant: 2 and the unlisted 1
LIST = judged_list([5, None, 2, None, 4], (4, 1))


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
        ("bpref(count=all)", (1 + (1 - 1 / 2)) / 3),
        # rank 1: 1/1 + 0; rank 5: 1/5 + 4/5 · (1+ε)/(1+1+2ε) = 1/5 + 4/5 · 1/2
        ("infAP", (1 + (1 / 5 + 4 / 5 * 0.5)) / 3),
        # pool=judged: 4/5 becomes 2/5, the two judged items of the four above
        ("infAP(pool=judged)", (1 + (1 / 5 + 2 / 5 * 0.5)) / 3),
        # pool_depth=3: three of the four above are pooled
        ("infAP(pool_depth=3)", (1 + (1 / 5 + 3 / 5 * 0.5)) / 3),
        # count=to_rank: of the items rated down to rank 5, two are relevant and one is not
        ("infAP(count=to_rank)", (1 + (1 / 5 + 4 / 5 * 2 / 3)) / 3),
        ("infAP(count=to_rank, pool_depth=3)", (1 + (1 / 5 + 3 / 5 * 2 / 3)) / 3),
        ("infAP(count=to_rank, pool=judged)", (1 + (1 / 5 + 2 / 5 * 2 / 3)) / 3),
        ("infAP(count=to_rank)@4", 1 / 3),
        # P = 2/5, R = 2/3: 2·(2/5)(2/3) / (2/5 + 2/3) = (8/15) / (16/15)
        ("F@5", 2 * 2 / (3 + 5)),
        ("F(beta=2)@5", 5 * (2 / 5) * (2 / 3) / (4 * (2 / 5) + 2 / 3)),
        ("F", 2 * 2 / (3 + 5)),  # the list has five items
        ("F@10", 2 * 2 / (3 + 10)),
        ("HitRate@1", 1.0),
        ("HitRate(rel=6)@5", 0.0),
        ("DCG@5", 5 + 2 / log2(4) + 4 / log2(6)),
        ("DCG(gain=binary)@4", 1.0),
        ("DCG(gain=binary, discount=zipf)", 1 + 1 / 5),
        ("DCG(gain=binary, discount=rbp(0.5))", 1 + 1 / 16),
        ("DCG(gain=binary, discount=half_life(5))", 1 + 1 / 2),
        ("DCG(gain=binary, discount=table([1, 0.5]))", 1.0),  # rank 5 is beyond the table
        ("DCG(gain=table([0, 1, 0, 2, 3]))", 3 + 1 / log2(4) + 2 / log2(6)),
        ("nDCG(gain=binary, discount=zipf)", (1 + 1 / 5) / (1 + 1 / 2 + 1 / 3)),
        # relevant items at 1 and 5; φ = 0.8: 0.2 · (1 + 0.8⁴)
        ("RBP@5", 0.2 * (1 + 0.8**4)),
        ("RBP(0.5)@4", 0.5),
        ("RBP(gain=exp2)@5", 0.2 * (31 / 31 + 3 / 31 * 0.8**2 + 15 / 31 * 0.8**4)),
        # rated at 1, 3 and 5; the rest up to 5 and beyond is unrated: (1−φ)(φ + φ³) + φ⁵
        ("RBPResidual@5", 0.2 * (0.8 + 0.8**3) + 0.8**5),
        ("RBPResidual@2", 0.2 * 0.8 + 0.8**2),
        # chances (2^r − 1)/32: 31/32, 3/32, 15/32
        ("ERR@3", 31 / 32 + (1 / 32) * (3 / 32) / 3),
        ("ERR", 31 / 32 + (1 / 32) * (3 / 32) / 3 + (1 / 32) * (29 / 32) * (15 / 32) / 5),
        ("ERR(gain=binary)", 1.0),
        # relevant gains 5 and 4, ideal 5, 4, 4: rank 1 (1+5)/(1+5), rank 5 (2+9)/(5+13)
        ("Q", (6 / 6 + 11 / 18) / 3),
        ("Q@2", (6 / 6) / 2),
        ("Q(beta=0)", (1 / 1 + 2 / 5) / 3),
        ("RPrecision", 1 / 3),  # one relevant item in the top three
        ("RecallCapped@2", 1 / 2),
        ("RecallCapped@5", 2 / 3),
        ("APCapped@2", (1 / 1) / 2),
        ("APCapped@5", (1 + 2 / 5) / 3),
        ("PReturned@10", 2 / 5),
        ("PReturned@2", 1 / 2),
        ("PReturned", 2 / 5),
        ("nDCGFixed@2", 1 / (1 + 1 / log2(3))),
        # 57 targets, 3 relevant, 54 others. Rank 1 is above 54; rank 5 has one relevant above, so 54 − 3; the unlisted one
        # is tied with the 52 − 1 other unlisted targets and beats half of them.
        ("AUC", (54 + 51 + 51 / 2) / (3 * 54)),
        # ranked ratings 5, 2, 4: pairs (5,2) and (5,4) agree, (2,4) does not
        ("NDPM", 1 / 3),
    ],
)
def test_by_hand(metric: str, expected: float) -> None:
    assert value(metric, LIST) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "metric",
    [
        "Recall@5",
        "AP",
        "nDCG(gain=binary)",
        "bpref",
        "infAP",
        "F@5",
        "Q",
        "RPrecision",
        "RecallCapped@5",
        "APCapped@5",
        "StratifiedRecall@5",
        "AUC",
    ],
)
def test_undefined_without_relevant_items(metric: str) -> None:
    assert np.isnan(value(metric, judged_list([2, None, 3], (1,))))


def test_bpref_that_counts_all_goes_below_0() -> None:
    """R = 1, N = 3, two of them above the relevant item: 1 − 2/1 against 1 − min(2, 1)/1."""
    two_worse = judged_list([1, 2, 5, 1], ())
    assert (value("bpref(count=all)", two_worse), value("bpref", two_worse)) == (-1.0, 0.0)
    with pytest.raises(SpecError, match="pool_depth is for pool=ranked"):
        make("metric", "infAP(pool=judged, pool_depth=5)")


@pytest.mark.parametrize("metric", ["P@5", "RR", "HitRate@5", "RBP@5", "DCG(gain=binary)@5", "ERR(gain=binary)@5"])
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


def test_ties_count_half_in_auc() -> None:
    """Two targets with one score, one relevant: above + tied/2 of others is 1/2 of 1."""
    judged = judged_list([5, None])
    tied = replace(judged, tied=np.array([1], np.int32), targets=np.array([2], np.int32), _memo={})
    assert value("AUC", tied) == 0.5


# |PR| of items 0, 4 (listed, relevant) and 5 (unlisted, relevant): 4, 1 and 1
COUNTS = np.where(np.arange(57) == 0, 4, 1)


def test_stratified_recall_counts_popular_hits_less() -> None:
    """γ = 1: weights |PR|^(−1/2) are 1/2, 1 and 1; hits in the top five are the first two."""
    judged = knowing(LIST, [(0, 0, 5)], positives=COUNTS)
    assert value("StratifiedRecall(gamma=1)@5", judged) == pytest.approx((1 / 2 + 1) / (1 / 2 + 1 + 1))
    assert value("StratifiedRecall(gamma=1)@1", judged) == pytest.approx((1 / 2) / (5 / 2))
    assert value("StratifiedRecall(gamma=0)@5", judged) == pytest.approx(value("Recall@5", judged))


@pytest.mark.parametrize("n", [1, 5, 20, None])
def test_stratified_recall_without_strata_is_recall(n: int | None) -> None:
    judged = judged_lists(*random_lists(11))
    suffix = "" if n is None else f"@{n}"
    np.testing.assert_allclose(values_of(f"StratifiedRecall(gamma=0){suffix}", judged), values_of(f"Recall{suffix}", judged))
