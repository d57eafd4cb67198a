"""Gains by hand, and on counts far above any rating scale."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

import heldout as ho
from heldout.catalogue import classes, make
from heldout.errors import NotApplicableError, SpecError

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
def test_by_hand(gain: str, expected: list[float]) -> None:
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
    with pytest.raises(NotApplicableError, match=rf"gain={gain} is for grades, and the highest rating is 3,000"):
        make("gain", gain).gain(grades, grades > 1, 3000.0)
    with pytest.raises(SpecError, match="a top of 31 is above 30"):
        make("gain", f"{gain}(31)")
    assert make("gain", f"{gain}(30)").gain(np.array([30.0]), np.ones(1, bool), 5.0) > 0.99


@pytest.mark.parametrize("gain", ["exp2", "stop", "chapelle", "chapelle_scaled"])
@pytest.mark.parametrize("metric", ["ERR(gain={})", "RBP(gain={})@4", "nDCG(gain={})@4", "DCG(gain={})", "Q(gain={})"])
def test_a_stated_top_below_the_highest_rating_is_refused(metric: str, gain: str) -> None:
    """With a top of 4, a rating of 5 would stop a user with a chance of (2^5 − 1)/2^4 = 1.94."""
    ratings = {"user": ["u"] * 4, "item": list("abcd"), "rating": [5, 2, 1, 4]}
    for top in ("", "(5)", "(6)"):
        assert ho.measure(ratings, RANKED, metric.format(f"{gain}{top}"), relevance="threshold(4)").to_numpy()[0, 1] > 0
    with pytest.raises(NotApplicableError, match="states a top of 4, and the highest rating is 5"):
        ho.measure(ratings, RANKED, metric.format(f"{gain}(4)"), relevance="threshold(4)")
    with pytest.raises(NotApplicableError, match="states a top of 5, and the highest rating is 6"):  # met in train
        train = {"user": ["u"], "item": ["e"], "rating": [6]}
        ho.measure(ratings, RANKED, metric.format(f"{gain}(5)"), train=train, relevance="threshold(4)")


def test_a_scale_without_a_top_is_refused() -> None:
    with pytest.raises(NotApplicableError, match="exp2 needs a rating scale above 0"):
        make("gain", "exp2").gain(np.zeros(2), np.zeros(2, bool), 0.0)


NEGATIVE = {"user": ["u"] * 4, "item": list("abcd"), "rating": [-2, 2, -1, 1]}
RANKED = {"user": ["u"] * 4, "item": list("abcd"), "score": [4, 3, 2, 1]}


def test_the_gain_is_tested_and_not_the_rating() -> None:
    """Ratings may lie below 0 where their gains do not: 2 at rank 2 and 1 at rank 4, the ideal has them at 1 and 2."""
    found = ho.evaluate(NEGATIVE, {"A": RANKED}, "nDCG(gain=table([0, 0, 0, 1, 2], first=-2))", relevance="threshold(1)")
    best = 2 + 1 / np.log2(3)
    assert found.leaderboard["value"][0] == pytest.approx((2 / np.log2(3) + 1 / np.log2(5)) / best)
    for gain in ("linear", "exp2", "stop"):
        with pytest.raises(NotApplicableError, match=rf"gain={gain} of a rating of -2 is below 0"):
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
    assert found.leaderboard["value"][0] == pytest.approx(value, abs=1e-4)


def test_gains_without_a_place_in_the_table_are_refused() -> None:
    with pytest.raises(NotApplicableError, match="no gain for the rating 5"):
        value("nDCG(gain=table([0, 1]))", judged_list([5]))
    assert value("DCG(gain=table([0, 7], first=4))", judged_list([5])) == 7.0
    assert value("DCG(gain=table([1, 2, 3], first=4, step=0.5))", judged_list([4.5])) == 2.0
