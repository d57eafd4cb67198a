"""Damped deviations of users and items from the mean, by hand."""

from __future__ import annotations

import numpy as np

from heldout.recommenders.knn.baseline_estimates import baseline


def test_baseline_by_hand(ratings):
    # µ = (5 + 3 + 4)/3 = 4. b_a = (1 + 0)/(2 + 2) = ¼, b_b = −1/(1 + 2) = −⅓.
    # b_0 = (5 − 4.25 + 3 − 4 + ⅓)/(2 + 1) = (0.75 − ⅔)/3 = 1/36; b_1 = −0.25/2 = −⅛.
    found = baseline(ratings([[5, 3, 0], [4, 0, 0]]), damping_items=2, damping_users=1)
    assert found.overall == 4
    np.testing.assert_allclose(found.item, [1 / 4, -1 / 3, np.nan])
    np.testing.assert_allclose(found.user, [1 / 36, -1 / 8])
