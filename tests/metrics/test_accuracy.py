"""Accuracy metrics, their gains, discounts and ideals by hand; and parameters that make no sense."""

from __future__ import annotations

from dataclasses import replace
from math import log, log2

import numpy as np
import pytest
from tests.metrics.lists import judged_list, knowing, value
from tests.refusals import refused

import heldout as ho
from heldout.catalogue import classes, make
from heldout.errors import NotApplicableError, SpecError
from heldout.metrics.ideal import DEEPEST, depth_or_all, discounted, ideal_of_lists, ideal_of_users, sorted_gains
from heldout.metrics.measuring import depth_of
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
        ("RBPResidual(phi=0.1)@1", 0.1),
        ("RBPResidual(phi=0.01)@1", 0.01),
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
    with refused(SpecError, where="infAP: 'pool_depth'", found=5, hint="leave out pool_depth or pool"):
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
    tied = replace(judged, tied=np.array([1], np.int32), targets=np.array([2], np.int32))
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


@pytest.mark.parametrize(
    ("text", "where", "found", "expected"),
    [
        ("RBP(gain=linear)@10", "RBP: 'gain'", "linear", "gains from 0 to 1"),
        ("ERR(gain=table([0, 2]))", "ERR: 'gain'", "table(gains=[0, 2])", "gains from 0 to 1"),
        ("EPC(gain=linear)@5", "EPC: 'gain'", "linear", "gains from 0 to 1"),
        ("nDCG(gain=table([-1, 2]))", "gain table", (-1.0, 2.0), "one or more gains of at least 0"),
        ("nDCG(discount=table([]))", "discount table", (), "weights of at least 0"),
        ("nDCG(discount=table([0.5, 1]))", "discount table", (0.5, 1.0), "weights that do not grow with the rank"),
        ("HLU(half_life=1)", "HLU: 'half_life'", 1, "a number above 1"),
        ("HLU(half_life=3, discount=zipf)", "HLU", ["half_life=3", "discount=zipf"], None),
        ("P(ips)@10", "P(ips): 'propensity'", None, "absolute propensities"),
        ("P(ips, propensity=popularity)@10", "P(ips): 'propensity'", "popularity", "absolute propensities"),
        ("Recall(propensity=popularity)@10", "Recall: 'propensity'", "popularity", None),
        ("RR(ips)", "RR: 'rel'", "ips", "a number or none"),
        ("ILD@1", "ILD: cut-off", 1, "a number at least 2"),
        ("ILD(table=x)@5", "ILD: 'table'", "x", None),
        ("Serendipity(features=g)@5", "Serendipity: 'features'", "g", None),
        ("Serendipity(against=profile, table=x)@5", "Serendipity: 'table'", "x", None),
        ("RBO(phi=1)", "RBO: 'phi'", 1, "a number below 1"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(text: str, where: str, found: object, expected: str | None) -> None:
    with refused(SpecError, where=where, found=found, expected=expected):
        make("metric", text)


def test_depth() -> None:
    assert depth_of(make("metric", "P@7")) == 7
    assert depth_of(make("metric", "AP")) is None


LISTS = judged_lists([[3, None, 5], [4], []], [[4], [], [2]])
"""User 0 rated 3 and 5, and 4 beside the list; user 1 rated 4; user 2 has no list and rated 2."""
LINEAR, LOG = make("gain", "linear"), make("discount", "log2")


def ideal(*gains: float) -> float:
    return sum(gain / log2(place + 2) for place, gain in enumerate(gains))


def test_gains_are_sorted_for_each_user() -> None:
    assert sorted_gains(LISTS.relevance, LINEAR, None).tolist() == [5, 4, 3, 4, 2]
    relevant = sorted_gains(LISTS.relevance, LINEAR, None, relevant_only=True)
    assert relevant.tolist() == [5, 4, 0, 4, 0]
    assert sorted_gains(LISTS.relevance, LINEAR, 2, relevant_only=True).tolist() == [5, 4, 3, 4, 2]


@pytest.mark.parametrize("depths", [(2, None, 1, 3), (None, 1), (1,)])
def test_the_ideal_at_any_depth_in_any_order(depths: tuple[int | None, ...]) -> None:
    expected = {1: [5, 4, 2], 2: [ideal(5, 4), 4, 2], 3: [ideal(5, 4, 3), 4, 2], None: [ideal(5, 4, 3), 4, 2]}
    fresh = judged_lists([[3, None, 5], [4], []], [[4], [], [2]])
    for n in depths:
        assert ideal_of_users(fresh.relevance, LINEAR, None, LOG, n) == pytest.approx(expected[n])
        assert ideal_of_lists(fresh, LINEAR, None, LOG, n) == pytest.approx(expected[n])


def test_many_distinct_grades_have_the_same_ideal() -> None:
    """More grades than there are levels take the other way."""
    grades = np.random.default_rng(1).permutation(np.linspace(1, 5, 400)).tolist()
    judged = judged_lists([grades], catalogue=500)
    assert judged.relevance.levels(None) is None
    best = np.sort(grades)[::-1]
    weights = 1 / np.log2(np.arange(2, 402))
    for n in (10, None, 1):
        assert ideal_of_users(judged.relevance, LINEAR, None, LOG, n) == pytest.approx((best[:n] * weights[:n]).sum())
    assert sorted_gains(judged.relevance, LINEAR, None).tolist() == best.tolist()


def test_the_gain_of_a_list_down_to_a_depth() -> None:
    assert discounted(LISTS, LINEAR, None, LOG, 2) == pytest.approx([3, 4, 0])
    assert discounted(LISTS, LINEAR, None, LOG, None) == pytest.approx([3 + 5 / log2(4), 4, 0])
    assert depth_or_all(None) == DEEPEST and depth_or_all(7) == 7


BY_HAND = {
    "log2": [1, 1 / np.log2(3), 1 / 2, 1 / np.log2(5)],
    "zipf": [1, 1 / 2, 1 / 3, 1 / 4],
    "rbp(0.5)": [1, 1 / 2, 1 / 4, 1 / 8],
    "half_life(3)": [1, 2**-0.5, 1 / 2, 2**-1.5],  # rank 3 keeps half
    "jarvelin(2)": [1, 1, log(2) / log(3), 1 / 2],  # ranks below the base keep all
    "table([1, 0.5])": [1, 1 / 2, 0, 0],  # nothing beyond the table
}


@pytest.mark.parametrize("discount", BY_HAND)
def test_discounts_by_hand(discount: str) -> None:
    np.testing.assert_allclose(make("discount", discount).weight(np.arange(1.0, 5)), BY_HAND[discount], rtol=1e-14)


def test_every_discount_has_a_case() -> None:
    without = {cls.key for cls in classes("discount")} - {discount.split("(")[0] for discount in BY_HAND}
    assert not without, f"add a case to BY_HAND, worked out by hand: {without}"


@pytest.mark.parametrize("weights", [(), (0.0, 0.0), (1.0, -1.0), (0.5, 1.0)])
def test_tables_that_are_no_discount(weights: tuple[float, ...]) -> None:
    with refused(SpecError, where="discount table", found=weights):
        make("discount", f"table({list(weights)})")


GRADE, RELEVANT = np.array([5.0, 4, 3, 1]), np.array([True, True, False, False])


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        ("linear", [5, 4, 3, 1]),
        ("binary", [1, 1, 0, 0]),
        ("exp2", [31 / 31, 15 / 31, 7 / 31, 1 / 31]),
        ("chapelle", [15 / 16, 7 / 16, 3 / 16, 0]),
        ("chapelle_scaled", [15 / 15, 7 / 15, 3 / 15, 0]),
    ],
)
def test_gains_by_hand(gain: str, expected: list[float]) -> None:
    assert make("gain", gain).gain(GRADE, RELEVANT, 5.0) == pytest.approx(expected)


@pytest.mark.parametrize("cls", [c for c in classes("gain") if c.key != "table"], ids=lambda c: c.key)
def test_gains_up_to_the_highest_top_are_finite_and_in_order(cls: type) -> None:
    counts = np.array([1.0, 3, 29, 30])
    with np.errstate(all="raise"):
        gains = cls().gain(counts, counts > 1, 30.0)
    assert np.isfinite(gains).all()
    assert (np.diff(gains) >= 0).all()
    assert gains[-1] > 0


@pytest.mark.parametrize("gain", ["exp2", "stop", "chapelle", "chapelle_scaled"])
def test_powers_of_two_refuse_counts(gain: str) -> None:
    """Of counts up to 3,000, 2^−3000 would be left of a rating of 1."""
    grades = np.array([1.0, 3000])
    with refused(
        NotApplicableError, where="metrics", found=3000.0, expected="a highest rating of at most 30", hint="use gain=binary"
    ):
        make("gain", gain).gain(grades, grades > 1, 3000.0)
    with refused(SpecError, where=f"{gain}: 'top'", found=31.0, expected="at most 30"):
        make("gain", f"{gain}(31)")
    assert make("gain", f"{gain}(30)").gain(np.array([30.0]), np.ones(1, bool), 5.0) > 0.99


@pytest.mark.parametrize("gain", ["exp2", "stop", "chapelle", "chapelle_scaled"])
@pytest.mark.parametrize("metric", ["ERR(gain={})", "RBP(gain={})@4", "nDCG(gain={})@4", "DCG(gain={})", "Q(gain={})"])
def test_a_stated_top_below_the_highest_rating_is_refused(metric: str, gain: str) -> None:
    """With a top of 4, a rating of 5 would stop a user with a chance of (2^5 − 1)/2^4 = 1.94."""
    ratings = {"user": ["u"] * 4, "item": list("abcd"), "rating": [5, 2, 1, 4]}
    for top in ("", "(5)", "(6)"):
        assert ho.measure(ratings, RANKED, metric.format(f"{gain}{top}"), relevance="threshold(4)").to_numpy()[0, 1] > 0
    with refused(NotApplicableError, where="metrics", found=5.0, expected="at most 4", hint=f"write gain={gain}(5)"):
        ho.measure(ratings, RANKED, metric.format(f"{gain}(4)"), relevance="threshold(4)")
    with refused(NotApplicableError, where="metrics", found=6.0, expected="at most 5"):  # met in train
        train = {"user": ["u"], "item": ["e"], "rating": [6]}
        ho.measure(ratings, RANKED, metric.format(f"{gain}(5)"), train=train, relevance="threshold(4)")


def test_a_scale_without_a_top_is_refused() -> None:
    with refused(NotApplicableError, where="gain=exp2", found=0.0, expected="a highest rating above 0"):
        make("gain", "exp2").gain(np.zeros(2), np.zeros(2, bool), 0.0)


NEGATIVE = {"user": ["u"] * 4, "item": list("abcd"), "rating": [-2, 2, -1, 1]}
RANKED = {"user": ["u"] * 4, "item": list("abcd"), "score": [4, 3, 2, 1]}


def test_the_gain_is_tested_and_not_the_rating() -> None:
    """Ratings may lie below 0 where their gains do not: 2 at rank 2 and 1 at rank 4, the ideal has them at 1 and 2."""
    found = ho.evaluate(NEGATIVE, {"A": RANKED}, "nDCG(gain=table([0, 0, 0, 1, 2], first=-2))", relevance="threshold(1)")
    best = 2 + 1 / np.log2(3)
    assert found.tables["all-leaderboards"].frame["value"][0] == pytest.approx((2 / np.log2(3) + 1 / np.log2(5)) / best)
    for gain in ("linear", "exp2", "stop"):
        with refused(NotApplicableError, where="metrics", found=-2.0, expected="ratings with a gain of at least 0"):
            ho.evaluate(NEGATIVE, {"A": RANKED}, f"nDCG(gain={gain})", relevance="threshold(1)")


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("bpref", 1.0),  # nobody judged a and c
        ("bpref(negative=nonrelevant)", (1 - 1 / 2 + 1 - 2 / 2) / 2),
        ("infAP(pool=judged)", (3 / 4 + 1) / 2),
        ("infAP(pool=judged, negative=nonrelevant)", (1 / 2 + 1 / 4 + 3 / 4 * 1 / 3) / 2),
    ],
)
def test_ratings_below_zero_are_not_judged_unless_said(metric: str, value: float) -> None:
    found = ho.evaluate(NEGATIVE, {"A": RANKED}, metric, relevance="threshold(1)")
    assert found.tables["all-leaderboards"].frame["value"][0] == pytest.approx(value, abs=1e-4)


def test_gains_without_a_place_in_the_table_are_refused() -> None:
    with refused(
        NotApplicableError, where="gain=table(gains=[0, 1])", found=5.0, expected="ratings from 1 to 2 in steps of 1"
    ):
        value("nDCG(gain=table([0, 1]))", judged_list([5]))
    assert value("DCG(gain=table([0, 7], first=4))", judged_list([5])) == 7.0
    assert value("DCG(gain=table([1, 2, 3], first=4, step=0.5))", judged_list([4.5])) == 2.0
