"""Curves by hand: averages at each depth, users' own, and one list of all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

from heldout.catalogue import make
from heldout.testing.lists import judged_lists, values_of

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


def test_a_curve_without_any_hit_is_a_straight_line() -> None:
    """Of 56 other targets one is listed, above the relevant item, which follows anywhere among the other 55."""
    curve = make("metric", "UROC").curve(judged_list([None], (5,)))
    assert (curve.y[0], curve.y[-1]) == (0, pytest.approx(1))
    assert curve.y[50] == pytest.approx((0.5 - 1 / 56) / (55 / 56))
