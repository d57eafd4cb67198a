"""Correlations of the rated items' order with their ratings, by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

# ranked ratings 5, 2, 4; unrated and unlisted items take no part
LIST = judged_list([5, None, 2, None, 4], (4, 1))
# ratings 4, 4, 2 in the order of the list, the first two with one score
TIED = replace(judged_list([4, 4, 2]), above=np.array([0, 0, 2], np.int32), tied=np.array([1, 1, 0], np.int32), _memo={})
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
    tied = replace(judged_list([5, 4]), above=np.zeros(2, np.int32), tied=np.ones(2, np.int32), _memo={})
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
