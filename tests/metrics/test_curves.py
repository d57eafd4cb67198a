"""Curves, metrics of the whole order, and correlations by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value
from tests.refusals import refused

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.correlation.pairs import pair_counts
from heldout.metrics.curves.curve import OperatingCurve, area, best_f, stepped_area
from heldout.metrics.system import count_blocks
from heldout.tables import Judged
from heldout.testing.lists import judged_lists, values_of


def test_thinning_keeps_the_ends() -> None:
    x = np.linspace(0, 1, 10_000)
    thin = OperatingCurve("x", "y", x, x**2).thinned(50)
    assert len(thin.x) <= 50
    assert (thin.x[0], thin.x[-1]) == (0, 1)
    np.testing.assert_allclose(thin.y, thin.x**2)


def curve(x: list[float], y: list[float]) -> OperatingCurve:
    return OperatingCurve("x", "y", np.array(x), np.array(y))


def test_areas_by_trapezoids_and_by_steps() -> None:
    assert area(curve([0, 0.5, 1], [0, 1, 1])) == pytest.approx(0.25 + 0.5)
    assert stepped_area(curve([0.5, 1], [1, 0.5])) == pytest.approx(0.5 * 1 + 0.5 * 0.5)
    assert np.isnan(area(curve([0.5], [1]))) and np.isnan(area(curve([], []))) and np.isnan(stepped_area(curve([], [])))


def test_the_best_f_along_a_curve() -> None:
    """Precision 1 at recall ½: 2/3; precision ½ at recall 1: 2/3; ¾ at ¾: ¾."""
    assert best_f(curve([0.5, 0.75, 1], [1, 0.75, 0.5])) == pytest.approx(0.75)
    assert best_f(curve([0, 0], [0, 0])) == 0.0 and np.isnan(best_f(curve([], [])))


def test_few_points_are_not_thinned() -> None:
    points = curve([0, 1], [0, 1])
    assert points.thinned(2) is points


# two users of a catalogue of 4: relevant items at ranks 1 and 3, and at rank 2
TWO = judged_lists([[5, None, 4, None], [2, 4, None, None]], catalogue=4)


def test_customer_roc() -> None:
    """TPR at k = 0…4: user A 0, ½, ½, 1, 1; B 0, 0, 1, 1, 1. FPR: A 0, 0, ½, ½, 1; B 0, ⅓, ⅓, ⅔, 1."""
    curve = make("metric", "CROC").curve(TWO)
    np.testing.assert_allclose(curve.y[:5], [0, 1 / 4, 3 / 4, 1, 1])
    np.testing.assert_allclose(curve.x[:5], [0, 1 / 6, 5 / 12, 7 / 12, 1])
    area = (1 / 6) * (1 / 8) + (1 / 4) * (1 / 2) + (1 / 6) * (7 / 8) + (5 / 12) * 1
    assert values_of("CROC", TWO) == pytest.approx([area, area])


def test_customer_precision_and_recall() -> None:
    """Mean recall at k: ¼, ¾, 1, 1; mean precision: ½, ½, (⅔ + ⅓)/2, (½ + ¼)/2."""
    curve = make("metric", "CPR").curve(TWO)
    np.testing.assert_allclose(curve.x, [1 / 4, 3 / 4, 1, 1])
    np.testing.assert_allclose(curve.y, [1 / 2, 1 / 2, 1 / 2, 3 / 8])
    assert values_of("CPR", TWO)[0] == pytest.approx(1 / 4 * 1 / 2 + 1 / 2 * 1 / 2 + 1 / 4 * 1 / 2)
    assert values_of("CPR(f)", TWO)[0] == pytest.approx(2 * 1 * 0.5 / 1.5)


def test_users_own_curves() -> None:
    """User A: precision 1 for the first of two relevant items, ⅔ for both: recalls 0…0.5 (six levels) reach 1."""
    found = values_of("UPR", TWO)
    assert found[0] == pytest.approx((6 * 1 + 5 * 2 / 3) / 11)
    assert found[1] == pytest.approx(1 / 2)
    np.testing.assert_allclose(values_of("UROC", TWO), values_of("AUC", TWO))
    np.testing.assert_allclose(values_of("AUC", TWO), [(2 + 1) / 4, 2 / 3])
    curve = make("metric", "UPR").curve(TWO)
    assert curve.y[0] == pytest.approx((1 + 1 / 2) / 2)
    roc = make("metric", "UROC").curve(TWO)
    assert (roc.y[0], roc.y[-1]) == (pytest.approx(1 / 4), pytest.approx(1))
    assert roc.y[50] == pytest.approx((1 + 1) / 2)  # at a false positive rate of ½ both users have all


def test_no_points_without_relevant_items() -> None:
    judged = judged_list([2, None])
    for metric in ("CROC", "CPR", "UROC", "UPR", "GROC", "GPR", "GPR(f)"):
        assert np.isnan(value(metric, judged))
        assert len(make("metric", metric).curve(judged).x) == 0


def test_one_list_of_all_pairs() -> None:
    """Relevant scores 0.9 and 0.2, others 0.5 and 0.2: 0.9 beats both, 0.2 ties with one: 2.5 of 4."""
    judged = judged_lists([[5, None], [None, 4]], catalogue=2)
    judged = replace(judged, score=np.array([0.9, 0.2]))
    counted = count_blocks(judged, [np.array([0.9, 0.5]), np.array([0.2, 0.2])])
    assert values_of("GROC", counted)[0] == pytest.approx(2.5 / 4)
    # recall ½ at precision 1; then all four: recall 1 at precision ½
    assert values_of("GPR", counted)[0] == pytest.approx(1 / 2 * 1 + 1 / 2 * 1 / 2)
    assert values_of("GPR(f)", counted)[0] == pytest.approx(2 / 3)


def test_targets_without_a_score_are_tied_below_all() -> None:
    """Relevant: 0.9 and one without score; others: 0.5 and one without: 0.9 beats 2, the other ties with 1 of 2."""
    judged = judged_lists([[5, None], [None]], [[], [4]], catalogue=2)
    judged = replace(judged, score=np.array([0.9]))
    counted = count_blocks(judged, [np.array([0.9, 0.5]), np.array([np.nan, np.nan])])
    assert values_of("GROC", counted)[0] == pytest.approx(2.5 / 4)


def test_scores_that_users_do_not_share_are_refused() -> None:
    with refused(NotApplicableError, where="GROC", hint="use CROC or UROC"):
        value("GROC", replace(judged_list([5, None]), comparable=False))


# ranked ratings 5, 2, 4; unrated and unlisted items take no part
LIST = judged_list([5, None, 2, None, 4], (4, 1))
# ratings 4, 4, 2 in the order of the list, the first two with one score
TIED = replace(judged_list([4, 4, 2]), above=np.array([0, 0, 2], np.int32), tied=np.array([1, 1, 0], np.int32))
PHI = 0.9


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("KendallTau", (2 - 1) / 3),
        ("TauAP", 2 / 2 * (1 / 1 + 1 / 2) - 1),
        ("Spearman", 1 - 6 * (0 + 1 + 1) / (3 * 8)),
        # by rating 5, 4, 2: the orders share 1 of 1, 1 of 2, 3 of 3
        ("RBO", PHI**3 + (1 - PHI) / PHI * (PHI + PHI**2 / 2 + PHI**3)),
        ("RBO@2", PHI**2 / 2 + (1 - PHI) / PHI * (PHI + PHI**2 / 2)),
        # (1−φ)/φ · (Σ (X_d − X_k) φ^d/d − X_k ln(1−φ)), X = 1, 1, 3
        ("RBO(form=min)", (1 - PHI) / PHI * ((1 - 3) * PHI + (1 - 3) * PHI**2 / 2 - 3 * log(1 - PHI))),
    ],
)
def test_by_hand(metric: str, expected: float) -> None:
    assert value(metric, LIST) == pytest.approx(expected, abs=1e-12)


def test_ties_stay_ties() -> None:
    """Pairs: (4,4) tied in both; two agree. τ-b = 2 / √(2 · 2); both orders have mean ranks 1.5, 1.5, 3."""
    assert value("KendallTau", TIED) == pytest.approx(2 / sqrt(2 * 2))
    assert value("Spearman", TIED) == pytest.approx(1.0)
    assert value("TauAP", TIED) == pytest.approx(1.0)
    assert value("NDPM", TIED) == 0.0


def test_a_tie_in_scores_alone_counts_half_in_ndpm() -> None:
    tied = replace(judged_list([5, 4]), above=np.zeros(2, np.int32), tied=np.ones(2, np.int32))
    assert value("NDPM", tied) == 0.5
    assert np.isnan(value("KendallTau", tied))  # one score: nothing to correlate


@pytest.mark.parametrize("metric", ["KendallTau", "TauAP", "Spearman", "RBO", "NDPM"])
@pytest.mark.parametrize("ranked", [[4, 4, None, 4], [5], [None, None]], ids=["equal", "one", "none"])
def test_undefined_where_ratings_do_not_differ(metric: str, ranked: list[float | None]) -> None:
    assert np.isnan(value(metric, judged_list(ranked, (5,))))


def test_least_and_residual_make_up_the_greatest() -> None:
    """With all items ranked, everything beyond may agree: min + residual = Σ_{d ≤ k} w X/d + Σ_{d > k} w."""
    shared = [1, 1, 3]
    greatest = sum((1 - PHI) * PHI ** (d - 1) * x / d for d, x in enumerate(shared, start=1)) + PHI**3
    assert value("RBO(form=min)", LIST) + value("RBO(form=res)", LIST) == pytest.approx(greatest, abs=1e-12)


def counts(judged: Judged) -> tuple[float, ...]:
    pairs = pair_counts(judged)
    columns = (pairs.agreeing, pairs.contrary, pairs.tied_scores, pairs.tied_ratings, pairs.tied_both)
    return tuple(float(column[0]) for column in columns)


def tied(grades: list[float | None], above: list[int]) -> Judged:
    equal = [above.count(place) - 1 for place in above]
    return replace(judged_list(grades), above=np.array(above, np.int32), tied=np.array(equal, np.int32))


def test_every_pair_is_counted_once() -> None:
    """5, 2, 4, 4 in order: 5 is right above three; 2 stands wrongly above both 4s, which have one rating."""
    assert counts(judged_list([5, None, 2, 4, 4])) == (3, 2, 0, 1, 0)
    assert counts(judged_list([5])) == counts(judged_list([None], (5,))) == (0, 0, 0, 0, 0)


def test_equal_scores_are_told_by_the_targets_above() -> None:
    """5 and 2 share a score, and so do 4 and 4: only the four pairs between them have an order."""
    assert counts(tied([5, 2, 4, 4], [0, 0, 2, 2])) == (2, 2, 1, 0, 1)


def test_ties_that_were_not_counted_are_not_guessed() -> None:
    judged = replace(judged_list([5, 4]), tied=np.full(2, -1, np.int32))
    with refused(NotApplicableError, where="a correlation"):
        pair_counts(judged)


def test_a_curve_without_any_hit_is_a_straight_line() -> None:
    """Of 56 other targets one is listed, above the relevant item, which follows anywhere among the other 55."""
    curve = make("metric", "UROC").curve(judged_list([None], (5,)))
    assert (curve.y[0], curve.y[-1]) == (0, pytest.approx(1))
    assert curve.y[50] == pytest.approx((0.5 - 1 / 56) / (55 / 56))
