"""Kendall's τ-b and Spearman's ρ against scipy, with ties in scores and in ratings."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from heldout.tables import Judged
from heldout.testing.lists import judged_lists, values_of

stats = pytest.importorskip("scipy.stats")

CASES = 1500


@pytest.fixture(scope="module")
def cases() -> tuple[Judged, list[np.ndarray], list[np.ndarray]]:
    """Lists of 0 to 12 rated items; scores with and without ties."""
    rng = np.random.default_rng(3)
    grades, scores = [], []
    for _ in range(CASES):
        n = int(rng.integers(0, 13))
        score = rng.integers(0, int(rng.integers(1, 30)), n).astype(float)
        order = np.argsort(-score, kind="stable")
        scores.append(score[order])
        grades.append(rng.integers(1, 6, n).astype(float)[order])
    judged = judged_lists([g.tolist() for g in grades], [[3.0]] * CASES)
    above = np.concatenate([[np.count_nonzero(s > x) for x in s] for s in scores])
    tied = np.concatenate([[np.count_nonzero(s == x) - 1 for x in s] for s in scores])
    return replace(judged, above=above.astype(np.int32), tied=tied.astype(np.int32)), scores, grades


@pytest.mark.parametrize(("metric", "theirs"), [("KendallTau", "kendalltau"), ("Spearman", "spearmanr")])
def test_correlations(cases: tuple[Judged, list[np.ndarray], list[np.ndarray]], metric: str, theirs: str) -> None:
    judged, scores, grades = cases
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        each = [
            getattr(stats, theirs)(s, g).statistic if len(s) > 1 else np.nan for s, g in zip(scores, grades, strict=True)
        ]
    found = values_of(metric, judged)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(each))
    np.testing.assert_allclose(found, each, rtol=0, atol=1e-12)
    assert np.count_nonzero(~np.isnan(found)) > CASES / 2
