"""Figures of estimators from draws, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from heldout.biases.protocols import ProtocolOptions
from heldout.biases.truth.draw_statistics import NORMAL, DrawStatistics, wilson
from heldout.biases.truth.draws import Draw, DrawnEstimate, DrawnTruth
from heldout.biases.truth.estimators import base_metrics, declared_estimators
from heldout.study.file import study_from

LEAST = {"data": "simulate", "split": "ratio", "recommend": "Popularity", "relevance": "threshold(4)"}
SYSTEMS = ("A", "B", "C")
NAMES = ("AI-AR by P@5", "1R by P@5")
ESTIMATORS = [
    estimator
    for estimator in declared_estimators(
        base_metrics("P@5"), ProtocolOptions(), next(study_from(LEAST).judgements()), knows_propensities=False
    )[0]
    if estimator.name in NAMES
]


def draw(number: int, plain: tuple[float, ...], one: tuple[float, ...], true: tuple[float, ...], **more: object) -> Draw:
    """p-values of A–B, A–C and B–C are 0.01, 0.2 and 0.01."""
    estimates = tuple(
        DrawnEstimate(name=name, users=9, means=means, p=(0.01, 0.2, 0.01), truth=own)
        for name, means, own in zip(NAMES, (plain, one), (true, ()), strict=True)
    )
    truths = (DrawnTruth(metric="P@5", split="", means=true),)
    made = Draw(number=number, estimates=estimates, truths=truths, train=1, test=1, users=9, true_pairs=9)
    return replace(made, **more)  # type: ignore[arg-type]


def summary(draws: list[Draw], *, simulated: bool = True) -> DrawStatistics:
    return DrawStatistics(
        systems=SYSTEMS,
        draws=draws,
        estimators=ESTIMATORS,
        scales={"P@5": True},
        simulated=simulated,
        level=0.05,
        seed=1,
    )


WORLDS = [
    draw(0, (0.3, 0.2, 0.1), (0.1, 0.2, 0.3), (0.6, 0.5, 0.4)),
    draw(1, (0.2, 0.3, 0.1), (0.3, 0.2, 0.2), (0.6, 0.5, 0.4)),
]


def test_ordering_type_s_and_type_m_by_hand() -> None:
    """AI-AR: 3 of 3 pairs right, then 2 of 3 (A–B wrong). Significant are A–B and B–C: of 4 such differences 1 is wrong.

    Estimated differences of these are 0.1, 0.1, 0.1 and 0.2, true ones 0.1 each: type M is 1.25.
    """
    plain = next(row for row in summary(WORLDS).rows() if row.protocol == "AI-AR")
    assert plain.right == pytest.approx(5 / 6)
    assert plain.tau == pytest.approx((1 + 1 / 3) / 2)
    assert plain.decided == pytest.approx(2 / 3)
    assert plain.type_s == pytest.approx(1 / 4)
    assert plain.type_m == pytest.approx(1.25)


def test_bias_error_and_rmse_by_hand() -> None:
    """Gaps are −0.3 in all, but A −0.4 and B −0.2 in the second world."""
    plain = next(row for row in summary(WORLDS).rows() if row.protocol == "AI-AR")
    assert plain.bias == pytest.approx(-0.3)
    deviations = np.array([0.1, 0.1, 0.0]) / np.sqrt(2)
    assert plain.error == pytest.approx(np.sqrt(np.mean(deviations**2)))
    assert plain.rmse == pytest.approx(np.sqrt((4 * 0.09 + 0.16 + 0.04) / 6))
    assert plain.truth == pytest.approx(0.5)


def test_another_estimand_has_order_alone_and_ties_count_half() -> None:
    """1R: all 3 pairs wrong, then A–B and A–C right and B–C tied."""
    one = next(row for row in summary(WORLDS).rows() if row.protocol == "1R")
    assert one.right == pytest.approx(2.5 / 6)
    assert not one.same_scale and np.isnan([one.bias, one.error, one.rmse, one.type_m]).all()


def test_the_most_often_right_stands_first() -> None:
    assert [row.protocol for row in summary(WORLDS).rows()] == ["AI-AR", "1R"]


def test_pairs_that_are_truly_equal_are_left_out() -> None:
    same = [draw(0, (0.3, 0.2, 0.1), (0.1, 0.2, 0.3), (0.5, 0.5, 0.4))]
    assert next(row for row in summary(same).rows() if row.protocol == "1R").right == 0
    pairs = {(pair.better, pair.worse): pair.judged for pair in summary(same).pair_rows()}
    assert pairs == {("A", "B"): False, ("A", "C"): True, ("B", "C"): True}


def sampled(spread: float) -> list[Draw]:
    """One truth of A 0.6, B 0.5, C 0.4, whose samples of users lie `spread` above and below in A."""
    up, down = (0.6 + spread, 0.5, 0.4), (0.6 - spread, 0.5, 0.4)
    truths = (DrawnTruth(metric="P@5", split="", means=(0.6, 0.5, 0.4), resampled=(up, down)),)
    estimates = tuple(
        DrawnEstimate(name=name, users=9, means=means, p=(0.01, 0.01, 0.01), resampled=(means, means), **own)
        for name, means, own in zip(
            NAMES,
            ((0.3, 0.2, 0.1), (0.1, 0.2, 0.3)),
            ({"truth": (0.6, 0.5, 0.4), "truth_resampled": (up, down)}, {}),
            strict=True,
        )
    )
    return [replace(WORLDS[0], estimates=estimates, truths=truths)]


def test_a_sampled_truth_judges_only_pairs_that_it_separates() -> None:
    """The standard deviation of two values d above and below is √2 d: 0.1 is beyond 1.96 of them up to d = 0.036."""
    sure, unsure = summary(sampled(0.03), simulated=False), summary(sampled(0.04), simulated=False)
    assert [pair.judged for pair in sure.pair_rows()] == [True, True, True]
    assert {(pair.better, pair.worse) for pair in unsure.pair_rows() if not pair.judged} == {("A", "B")}
    one = next(row for row in unsure.rows() if row.protocol == "1R")
    assert one.right == 0 and one.type_s == 1


def test_more_splits_of_the_same_data_make_no_truth_surer() -> None:
    """Sample b holds the same users in every draw: means over draws vary as those of one."""
    once = sampled(0.04)
    often = [replace(once[0], number=number) for number in range(20)]
    judged = [[pair.judged for pair in summary(draws, simulated=False).pair_rows()] for draws in (once, often)]
    assert judged[0] == judged[1]


def test_type_m_of_a_sampled_truth_divides_by_the_mean_difference() -> None:
    """A − B is 0.02 in one split and 0.18 in the other, 0.1 in the mean, and the estimate 0.1 in both: 1, not 2.8."""
    draws = []
    for number, a in enumerate((0.52, 0.68)):
        means, resampled = (a, 0.5, 0.4), ((a, 0.5, 0.4), (a + 0.001, 0.5, 0.4))
        drawn = sampled(0.01)[0]
        plain = replace(drawn.estimates[0], truth=means, truth_resampled=resampled)
        truth = DrawnTruth(metric="P@5", split="", means=means, resampled=resampled)
        draws.append(replace(drawn, number=number, estimates=(plain, drawn.estimates[1]), truths=(truth,)))
    row = next(row for row in summary(draws, simulated=False).rows() if row.protocol == "AI-AR")
    assert row.type_m == pytest.approx(1.0)


def test_a_system_that_failed_once_is_in_no_figure() -> None:
    failed = [WORLDS[0], replace(WORLDS[1], failed={"B": "no memory"})]
    made = summary(failed)
    assert made.names == ["A", "C"] and len(made.pair_rows()) == 1
    assert next(row for row in made.rows() if row.protocol == "AI-AR").right == 1


def test_bias_is_against_the_truth_of_the_same_users() -> None:
    """The order is judged by the truth of all users (A first), the level by that of those who have an estimate."""
    first, second = WORLDS[0].estimates
    own = replace(first, truth=(0.4, 0.3, 0.2), users=5)
    plain = next(row for row in summary([replace(WORLDS[0], estimates=(own, second))] * 2).rows() if row.protocol == "AI-AR")
    assert plain.bias == pytest.approx(-0.1) and plain.truth == pytest.approx(0.3)
    assert plain.right == 1 and plain.users == 5


def test_wilson_intervals() -> None:
    """Of 20 draws that are all right: z²/(n + z²) is missing at the bottom; with an error, as many trials as have it."""
    assert wilson(1.0, 0.0, draws=20, quantile=NORMAL) == pytest.approx((20 / (20 + NORMAL**2), 1.0))
    oracle = binomtest(80, 100).proportion_ci(method="wilson")
    assert wilson(0.8, 0.04, draws=2, quantile=NORMAL) == pytest.approx((oracle.low, oracle.high))
    assert np.isnan(wilson(0.8, np.nan, draws=1, quantile=NORMAL)).all()
    for draws in range(1, 40):  # rounding alone would give 1 − 1e-16 for some
        assert wilson(1.0, 0.0, draws=draws, quantile=NORMAL)[1] == 1.0
        assert wilson(0.0, 0.0, draws=draws, quantile=NORMAL)[0] == 0.0


def test_equal_draws_have_an_interval_too() -> None:
    same = [replace(WORLDS[0], number=number) for number in range(3)]
    plain = next(row for row in summary(same).rows() if row.protocol == "AI-AR")
    assert plain.right == 1 and plain.right_low < 0.6 and plain.right_high == 1
    once = next(row for row in summary(same[:1]).rows() if row.protocol == "AI-AR")
    assert np.isnan(once.right_low)
