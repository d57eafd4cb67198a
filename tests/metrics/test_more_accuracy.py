"""The other accuracy metrics on lists small enough to check by hand; relevant from 4 on."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from tests.metrics.lists import judged_list, knowing, value

from heldout.catalogue import make
from heldout.errors import NotApplicableError, SpecError

# ranks           1     2  3     4  5        R = 3 (5, 4 and the unlisted 4), judged non-relevant: 2 and the unlisted 1
LIST = judged_list([5, None, 2, None, 4], (4, 1))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
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
        ("Judged@2", 1 / 2),
        ("Judged@10", 3 / 5),
        # 57 targets, 3 relevant, 54 others. Rank 1 is above 54; rank 5 has one relevant above, so 54 − 3; the unlisted one
        # is tied with the 52 − 1 other unlisted targets and beats half of them.
        ("AUC", (54 + 51 + 51 / 2) / (3 * 54)),
        # ranked ratings 5, 2, 4: pairs (5,2) and (5,4) agree, (2,4) does not
        ("NDPM", 1 / 3),
    ],
)
def test_by_hand(metric: str, expected: float) -> None:
    assert value(metric, LIST) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", ["F@5", "Q", "RPrecision", "RecallCapped@5", "APCapped@5", "StratifiedRecall@5", "AUC"])
def test_undefined_without_relevant_items(metric: str) -> None:
    assert np.isnan(value(metric, judged_list([2, None, 3], (1,))))


@pytest.mark.parametrize("metric", ["HitRate@5", "RBP@5", "DCG(gain=binary)@5", "ERR(gain=binary)@5"])
def test_zero_not_undefined_without_relevant_items(metric: str) -> None:
    assert value(metric, judged_list([2, None, 3], (1,))) == 0.0


def test_ties_count_half_in_auc() -> None:
    """Two targets with one score, one relevant: above + tied/2 of others is 1/2 of 1."""
    from dataclasses import replace

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


def test_gains_without_a_place_in_the_table_are_refused() -> None:
    with pytest.raises(NotApplicableError, match="no gain for the rating 5"):
        value("nDCG(gain=table([0, 1]))", judged_list([5]))
    assert value("DCG(gain=table([0, 7], first=4))", judged_list([5])) == 7.0
    assert value("DCG(gain=table([1, 2, 3], first=4, step=0.5))", judged_list([4.5])) == 2.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("RBP(gain=linear)@10", "RBP needs gains within 0…1, which gain=linear may leave"),
        ("ERR(gain=table([0, 2]))", "ERR needs gains within 0…1"),
        ("EPC(gain=linear)@5", "EPC needs gains within 0…1"),
        ("nDCG(gain=table([-1, 2]))", "gains must be at least 0"),
        ("nDCG(discount=table([]))", "a discount needs weights"),
        ("nDCG(discount=table([0.5, 1]))", "cannot grow with the rank"),
        ("HLU(half_life=1)", "'half_life' must be above 1"),
        ("HLU(half_life=3, discount=zipf)", "exclude each other"),
        ("P(ips)@10", "needs absolute propensities, and none are named"),
        ("P(ips, propensity=popularity)@10", "is only proportional to them"),
        ("DCG(ips, propensity=column(p, scale=proportional))@10", "is only proportional to them"),
        ("Recall(propensity=popularity)@10", "propensities are for ips and snips"),
        ("RR(ips)", "'rel' must be a number or none"),
        ("ILD@1", "one item has no distance"),
        ("ILD(table=x)@5", "the column named by 'features'"),
        ("RBO(phi=1)", "'phi' must be below 1"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(text: str, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        make("metric", text)
