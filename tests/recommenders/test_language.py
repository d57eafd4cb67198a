"""Language models of users: relevance models and UIR, by hand and by definition."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recommenders.language_models import SMOOTHINGS, smoothed_models

from heldout import catalogue
from heldout.recommenders import RM1, RM2, UIRItem


def test_uir_item_by_hand(ratings):
    # 8 ratings, i twice, j four times, both by user 0: log(1 + 1) + log ¼ for a user of j alone.
    cells = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 1, 0]]
    scores = UIRItem(smoothing=0.5).fit(ratings(cells), seed=1).score(np.arange(5))
    assert scores[3, 0] == pytest.approx(np.log(2) + np.log(0.25))


def test_uir_item_against_the_definition(some_ratings):
    rated = some_ratings.to_csr("binary").toarray()
    both, counts = rated.T @ rated, rated.sum(0)
    scores = UIRItem(smoothing=0.7).fit(some_ratings, seed=1).score(np.arange(90))
    chance = counts / counts.sum()
    for u in (0, 40):
        for i in range(40):
            if counts[i] == 0:
                assert np.isnan(scores[u, i])
                continue
            own = np.flatnonzero(rated[u])
            expected = np.log1p(0.3 * (both[own, i] / counts[i]) / (0.7 * chance[own])).sum() + np.log(chance[i])
            assert scores[u, i] == pytest.approx(expected, rel=1e-4)


def test_uir_item_of_no_personal_part_is_popularity(some_ratings):
    scores = UIRItem(smoothing=1).fit(some_ratings, seed=1).score(np.array([0]))[0]
    counts = some_ratings.item_counts
    np.testing.assert_allclose(scores[counts > 0], np.log(counts[counts > 0] / counts.sum()), rtol=1e-6)
    assert catalogue.make("recommender", "UIR(λ=0.5)") == UIRItem(smoothing=0.5)


def _neighbours(cells, u, k):
    norm = np.linalg.norm(cells, axis=1)
    cosine = np.divide(cells @ cells[u], norm * norm[u], out=np.zeros(len(cells)), where=norm * norm[u] > 0)
    cosine[u] = 0
    order = np.lexsort((np.arange(len(cells)), -cosine.astype(np.float32)))[:k]
    return order[cosine[order] > 0]


def test_rm1_by_hand(ratings):
    # λ → 0: p(·|v) = (½, ½, 0) and p(·|w) = (¼, ¾, 0). u rated a: weights ½ : ¼, so b has ⅔·½ + ⅓·¾ = 7/12.
    scores = (
        RM1(smoothing="jelinek_mercer", amount=1e-6)
        .fit(ratings([[2, 0, 0], [2, 2, 0], [1, 3, 0]]), seed=1)
        .score(np.arange(3))
    )
    np.testing.assert_allclose(scores[0], [5 / 12, 7 / 12, np.nan], rtol=1e-5)


def test_rm2_by_hand(ratings):
    # p(·|v) = (½, ½, 0), p(·|w) = (¼, ½, ¼): b : c = ½(½·½ + ½·¼) : ½(0·½ + ¼·¼) = 6 : 1.
    train = ratings([[4, 0, 0], [2, 2, 0], [1, 2, 1]])
    scores = RM2(smoothing="jelinek_mercer", amount=1e-6).fit(train, seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[0, 1:], [0, -np.log(6)], atol=2e-4)


@pytest.mark.parametrize(("smoothing", "amount"), SMOOTHINGS)
def test_rm1_against_the_definition(smoothing, amount, some_ratings):
    cells = some_ratings.to_csr().toarray()
    scores = RM1(k=8, smoothing=smoothing, amount=amount).fit(some_ratings, seed=1).score(np.arange(90))
    chance = smoothed_models(np.where(np.arange(90)[:, None] == 7, 1e-9, cells), smoothing, amount)
    for u in (0, 20, 89):
        near = _neighbours(cells, u, 8)
        expected = sum(chance[v] * np.prod(chance[v, cells[u] > 0]) for v in near)
        rated = cells.sum(0) > 0
        np.testing.assert_allclose(scores[u, rated], (expected / expected.sum())[rated], rtol=1e-4)
        assert np.isnan(scores[u, ~rated]).all()


@pytest.mark.parametrize("prior", ["uniform", "collection"])
@pytest.mark.parametrize(("smoothing", "amount"), SMOOTHINGS)
def test_rm2_against_the_definition(smoothing, amount, prior, some_ratings):
    cells = some_ratings.to_csr().toarray()
    scores = RM2(k=8, smoothing=smoothing, amount=amount, prior=prior).fit(some_ratings, seed=1).score(np.arange(90))
    chance = smoothed_models(np.where(np.arange(90)[:, None] == 7, 1e-9, cells), smoothing, amount)
    rated = np.flatnonzero(cells.sum(0) > 0)
    before = cells.sum(0) / cells.sum() if prior == "collection" else np.full(40, 1 / 40)
    for u in (0, 20, 89):
        near, own = _neighbours(cells, u, 8), np.flatnonzero(cells[u])
        expected = np.array(
            [
                np.log(before[i]) + sum(np.log((chance[near, i] / 8 / before[i] * chance[near, j]).sum()) for j in own)
                for i in rated
            ]
        )
        best = expected[~np.isin(rated, own)].max()
        np.testing.assert_allclose(scores[u, rated], expected - best, atol=1e-4)


def test_many_items_of_one_user_do_not_underflow(ratings):
    # 300 items: the product of 300 probabilities of about 1/300 is far below the smallest number.
    cells = np.random.default_rng(3).integers(1, 6, (12, 400)) * (np.random.default_rng(4).random((12, 400)) < 0.75)
    for name in ("RM1", "RM2", "RM2(δ=0.000001)", "RM2(smoothing=dirichlet, µ=1000000)"):
        scores = catalogue.make("recommender", name).fit(ratings(cells), seed=1).score(np.arange(12))
        rated = cells.sum(0) > 0
        assert np.isfinite(scores[:, rated]).all(), name
        assert (np.std(scores[:, rated], axis=1) > 0).all(), name
