"""nDCG, AUC and both curves against scikit-learn, over the targets of a user and over all pairs at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.metrics.system import count_blocks
from heldout.tables import Interactions, Judged, Rankings, Vocabulary
from heldout.tables.arrays import Float64, frozen

sklearn_metrics = pytest.importorskip("sklearn.metrics")

USERS, ITEMS = 60, 40


def full_lists(seed: int, *, ties: bool) -> tuple[Judged, Float64, Float64]:
    """Lists of all items for every user, with the scores and grades (NaN unrated) they were made from."""
    from heldout.metrics.judge import judge_rankings

    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 8, (USERS, ITEMS)).astype(float) if ties else rng.normal(size=(USERS, ITEMS))
    grades = np.where(rng.random((USERS, ITEMS)) < 0.4, rng.integers(1, 6, (USERS, ITEMS)), np.nan)
    grades[:, 0], grades[:, 1] = 5, 1
    order = np.argsort(-scores, axis=1, kind="stable")
    user, item = np.nonzero(~np.isnan(grades))
    test = Interactions.build(Vocabulary.numbered(USERS), Vocabulary.numbered(ITEMS), user, item, grades[user, item])
    relevance = make("relevance", "threshold(4)").judge(test, np.arange(USERS, dtype=np.int32), 5.0)
    rankings = Rankings(
        np.arange(USERS, dtype=np.int32),
        frozen(np.arange(USERS + 1) * ITEMS, np.int64),
        frozen(order.ravel(), np.int32),
        frozen(np.take_along_axis(scores, order, axis=1).ravel(), np.float64),
    )
    judged = judge_rankings(rankings, relevance, n_items=ITEMS, targets=np.full(USERS, ITEMS, np.int32))
    return replace(judged, comparable=True), scores, grades


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [1, 3, 10, None])
def test_ndcg(seed: int, n: int | None) -> None:
    judged, scores, grades = full_lists(seed, ties=False)
    gains = np.nan_to_num(grades)
    suffix = "" if n is None else f"@{n}"
    for metric, each in ((f"nDCG{suffix}", sklearn_metrics.ndcg_score), (f"DCG{suffix}", sklearn_metrics.dcg_score)):
        expected = [each(gains[[u]], scores[[u]], k=n) for u in range(USERS)]
        np.testing.assert_allclose(make("metric", metric).measure(judged), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [1, 3, 10, None])
def test_ndcg_expected_under_ties(seed: int, n: int | None) -> None:
    """scikit-learn averages over the orders of tied items."""
    judged, scores, grades = full_lists(seed, ties=True)
    suffix = "" if n is None else f"@{n}"
    expected = [sklearn_metrics.ndcg_score(np.nan_to_num(grades)[[u]], scores[[u]], k=n) for u in range(USERS)]
    np.testing.assert_allclose(make("metric", f"nDCG{suffix}").expected(judged), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("ties", [False, True])
def test_auc(seed: int, *, ties: bool) -> None:
    judged, scores, grades = full_lists(seed, ties=ties)
    relevant = np.nan_to_num(grades) >= 4
    expected = [sklearn_metrics.roc_auc_score(relevant[u], scores[u]) for u in range(USERS)]
    np.testing.assert_allclose(make("metric", "AUC").measure(judged), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ties", [False, True])
def test_global_curves(seed: int, *, ties: bool) -> None:
    """One list of all pairs, its scores counted in blocks of seven users."""
    judged, scores, grades = full_lists(seed, ties=ties)
    counted = count_blocks(judged, (scores[low : low + 7] for low in range(0, USERS, 7)))
    relevant, flat = np.nan_to_num(grades).ravel() >= 4, scores.ravel()
    curve = make("metric", "GROC").curve(counted)
    fpr, tpr, _ = sklearn_metrics.roc_curve(relevant, flat, drop_intermediate=False)
    np.testing.assert_allclose(np.interp(fpr, curve.x, curve.y)[np.diff(fpr, prepend=-1) > 0], _last(fpr, tpr), atol=1e-12)
    assert make("metric", "GROC").measure(counted)[0] == pytest.approx(sklearn_metrics.roc_auc_score(relevant, flat))
    found = make("metric", "GPR").curve(counted)
    precision, recall, _ = sklearn_metrics.precision_recall_curve(relevant, flat)
    np.testing.assert_allclose(np.unique(found.x[found.x > 0].round(12)), np.unique(recall[recall > 0].round(12)))
    kept = np.flatnonzero(recall > 0)[::-1]
    np.testing.assert_allclose(
        _last(found.x[found.x > 0].round(12), found.y[found.x > 0]),
        _last(recall[kept].round(12), precision[kept]),
        atol=1e-12,
    )
    average = sklearn_metrics.average_precision_score(relevant, flat)
    assert make("metric", "GPR").measure(counted)[0] == pytest.approx(average, rel=1e-12)
    scikit = 2 * precision * recall / np.maximum(precision + recall, 1e-300)
    assert make("metric", "GPR(f)").measure(counted)[0] == pytest.approx(scikit.max(), rel=1e-12)


def _last(x: Float64, y: Float64) -> Float64:
    """The highest y of every distinct x."""
    return np.array([y[x == v].max() for v in np.unique(x)])


def test_customer_curve_of_one_user_is_the_users_own() -> None:
    judged, scores, grades = full_lists(1, ties=False)
    from heldout.metrics.system import of_users

    alone = of_users(judged, np.arange(USERS) == 3)
    relevant = np.nan_to_num(grades[3]) >= 4
    expected = sklearn_metrics.roc_auc_score(relevant, scores[3])
    assert make("metric", "CROC").measure(alone)[0] == pytest.approx(expected, rel=1e-12)
    fpr, tpr, _ = sklearn_metrics.roc_curve(relevant, scores[3], drop_intermediate=False)
    curve = make("metric", "CROC").curve(alone)
    np.testing.assert_allclose(curve.x[: ITEMS + 1], fpr, atol=1e-12)
    np.testing.assert_allclose(curve.y[: ITEMS + 1], tpr, atol=1e-12)
