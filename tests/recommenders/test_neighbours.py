"""Which neighbours are taken, and the products they are found by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from tests.refusals import refused

from heldout import catalogue
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.recommenders import ItemItem, PearsonUserKNN, guards
from heldout.recommenders.knn import products
from heldout.recommenders.knn.neighbourhood import nearest
from heldout.recommenders.knn.products import Products
from heldout.recommenders.linear.gram import among_rated, rated_items, upper_gram
from heldout.recommenders.matrix import Rows, by_item, by_user, rows, transposed


def _similarity(x, y, name):
    both = (x != 0) & (y != 0)
    if name == "cosine":
        return x @ y / (np.linalg.norm(x) * np.linalg.norm(y)) if x.any() and y.any() else 0
    if name == "binary_cosine":
        return both.sum() / np.sqrt((x != 0).sum() * (y != 0).sum()) if x.any() and y.any() else 0
    if name == "jaccard":
        return both.sum() / max(((x != 0) | (y != 0)).sum(), 1)
    if name == "adjusted_cosine":
        below = np.sqrt((x[both] @ x[both]) * (y[both] @ y[both]))
        return x[both] @ y[both] / below if below > 0 else 0
    if both.sum() < 2 or x[both].std() == 0 or y[both].std() == 0:
        return 0
    return np.corrcoef(x[both], y[both])[0, 1]


def _expected(cells, name, k, min_overlap):
    for u, x in enumerate(cells):
        found = [
            (-np.float32(_similarity(x, y, name)), v)
            for v, y in enumerate(cells)
            if v != u and ((x != 0) & (y != 0)).sum() >= min_overlap
        ]
        yield sorted((s, v) for s, v in found if s < -1e-9)[:k]


@pytest.mark.parametrize("side", [by_user, by_item])
@pytest.mark.parametrize("min_overlap", [0, 4])
@pytest.mark.parametrize("similarity", ["cosine", "binary_cosine", "jaccard", "pearson"])
def test_neighbours_are_exact(similarity, min_overlap, side, some_ratings):
    cells = some_ratings.to_csr().toarray()
    rows, columns = by_user(some_ratings), by_item(some_ratings)
    if side is by_item:
        cells, rows, columns = cells.T, columns, rows
    found = nearest(rows, columns, k=12, similarity=similarity, min_overlap=min_overlap)
    for u, expected in enumerate(_expected(cells, similarity, 12, min_overlap)):
        part = slice(found.indptr[u], found.indptr[u + 1])
        np.testing.assert_allclose(found.values[part], [-s for s, _ in expected], rtol=1e-6)
        if similarity in ("binary_cosine", "jaccard"):  # ratios of small whole numbers: equals are exactly equal
            assert found.indices[part].tolist() == [v for _, v in expected]


def test_few_candidates_are_found_as_well(ratings):
    # 300 users who mostly share nothing: neighbours come from the raters of an item, not from a pass over all users.
    draw = np.random.default_rng(0)
    cells = draw.integers(1, 6, (300, 500)) * (draw.random((300, 500)) < 0.01)
    train = ratings(cells)
    found = nearest(by_user(train), by_item(train), k=5, similarity="jaccard")
    for u, expected in enumerate(_expected(cells, "jaccard", 5, 0)):
        assert found.indices[found.indptr[u] : found.indptr[u + 1]].tolist() == [v for _, v in expected]


def test_equals_are_taken_by_lower_code(ratings):
    train = ratings([[2, 2], [3, 3], [1, 1], [4, 4]])
    found = nearest(by_user(train), by_item(train), k=2, similarity="cosine")
    assert found.indices.reshape(4, 2).tolist() == [[1, 2], [0, 2], [0, 1], [0, 1]]
    np.testing.assert_array_equal(found.values, 1)


def test_negative_similarity_makes_no_neighbour(ratings):
    train = ratings([[1, 5], [5, 1], [2, 4]])
    found = nearest(by_user(train), by_item(train), k=2, similarity="pearson")
    assert [found.indices[a:b].tolist() for a, b in zip(found.indptr, found.indptr[1:], strict=False)] == [[2], [], [0]]


def test_adjusted_cosine_is_that_of_shared_ratings_less_their_users_means(some_ratings):
    cells = some_ratings.to_csr().toarray()
    mean = cells.sum(1, keepdims=True) / np.maximum((cells > 0).sum(1, keepdims=True), 1)
    # 1e-9 keeps a rating equal to the mean apart from none at all.
    centred = np.where(cells > 0, cells - mean + 1e-9, 0)
    user, item = by_user(some_ratings), by_item(some_ratings)
    rows = item.with_values(item.values - mean[item.indices, 0])
    columns = user.with_values(user.values - np.repeat(mean[:, 0], user.counts))
    found = nearest(rows, columns, k=10, similarity="adjusted_cosine", min_overlap=3)
    for i, expected in enumerate(_expected(centred.T, "adjusted_cosine", 10, 3)):
        part = slice(found.indptr[i], found.indptr[i + 1])
        np.testing.assert_allclose(found.values[part], [-s for s, _ in expected], rtol=1e-5)


@pytest.mark.parametrize("similarity", ["cosine", "jaccard", "pearson"])
def test_shrinkage_multiplies_by_shared_over_shared_plus_lambda(similarity, some_ratings):
    cells = some_ratings.to_csr().toarray()
    shared = (cells > 0).astype(float) @ (cells > 0).T
    found = nearest(by_user(some_ratings), by_item(some_ratings), k=89, similarity=similarity, shrinkage=10, min_overlap=2)
    for u in (0, 33):
        part = slice(found.indptr[u], found.indptr[u + 1])
        assert len(found.indices[part]) > 5
        for v, value in zip(found.indices[part], found.values[part], strict=True):
            expected = _similarity(cells[u], cells[v], similarity) * shared[u, v] / (shared[u, v] + 10)
            assert value == pytest.approx(expected, rel=1e-5)
            assert shared[u, v] >= 2
        assert (np.diff(found.values[part]) <= 0).all()


# Means 3, 4 and 2. Pearson over a and b: user 1 (4, 2) rises and falls as user 0 (4, 2), so does user 2 (3, 1).
CELLS = [[4, 2, 0, 0], [4, 2, 6, 0], [3, 1, 1, 3]]


def test_who_rated_the_item_is_counted(ratings):
    # Of the neighbours of user 0, both rated b, one c.
    train = ratings([[5, 0, 0], [5, 4, 0], [5, 3, 2]])
    for text in ("UserKNN", "CosineUserKNN"):
        scores = make("recommender", f"{text}(min_neighbours=2)").fit(train, seed=1).score(np.arange(1))
        assert np.isnan(scores[0]).tolist() == [False, False, True]


def test_nearest_of_all_and_of_those_who_rated_the_item(ratings):
    # The two similarities are equal, so the lower code is nearer: k = 1 leaves user 1, who did not rate d.
    train = ratings(CELLS)
    np.testing.assert_allclose(
        PearsonUserKNN(k=1, means="overlap").fit(train, seed=1).score(np.arange(1))[0, 2:], [5, np.nan]
    )
    raters = PearsonUserKNN(k=1, among="raters", means="overlap")
    np.testing.assert_allclose(raters.fit(train, seed=1).score(np.arange(1))[0, 2:], [5, 4])


@pytest.mark.parametrize("means", ["user", "overlap"])
@pytest.mark.parametrize("k", [4, 1000])
def test_raters_pair_by_pair(k, means, some_ratings):
    cells = some_ratings.to_csr().toarray()
    rated = cells > 0
    mean = cells.sum(1) / np.maximum(rated.sum(1), 1)
    scores = PearsonUserKNN(k=k, among="raters", means=means, min_overlap=3).fit(some_ratings, seed=1).score(np.arange(90))
    for u in (0, 50):
        alike = np.zeros(90)
        for v in range(90):
            both = rated[u] & rated[v]
            if v == u or both.sum() < 3:
                continue
            x, y = (cells[w, both] - (mean[w] if means == "user" else cells[w, both].mean()) for w in (u, v))
            if x.any() and y.any():
                alike[v] = np.float32(max(x @ y / np.sqrt((x @ x) * (y @ y)), 0))
        for i in range(40):
            near = [v for v in np.lexsort((np.arange(90), -alike)) if alike[v] > 1e-6 and rated[v, i]][:k]
            if near:
                expected = mean[u] + (alike[near] * (cells[near, i] - mean[near])).sum() / alike[near].sum()
                assert scores[u, i] == pytest.approx(expected, rel=1e-5)
            else:
                assert np.isnan(scores[u, i])


@pytest.mark.parametrize("name", ["ItemItem", "UIR-Item", "EASE", "SLIM"])
def test_too_many_items_for_the_machine_are_refused(name, monkeypatch, ratings):
    monkeypatch.setattr(guards.threads, "memory", lambda: 1)
    with refused(NotApplicableError, where=name, hint="keep fewer items"):
        catalogue.make("recommender", name).fit(ratings([[1, 1]]), seed=1)


# a: users 0–3, b: users 0, 1 and 4, c: user 4, d: nobody. p(b|a) = 2/4, p(b|c) = 1. User 5 rated a and c… as below.
ITEM_ITEM_CELLS = [[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 5, 0]]


def test_item_item_by_hand(ratings):
    scores = ItemItem().fit(ratings(ITEM_ITEM_CELLS), seed=1).score(np.arange(5))
    # user 2 (a): b by p(b|a) = 2/4, c was used with a by nobody.
    np.testing.assert_allclose(scores[2], [np.nan, 0.5, np.nan, np.nan])
    # user 4 (b, c): a by p(a|b) = 2/3; b by p(b|c) = 1; c by p(c|b) = 1/3
    np.testing.assert_allclose(scores[4], [2 / 3, 1, 1 / 3, np.nan], rtol=1e-6)


def test_item_item_aggregates(ratings):
    # One more user of a and c: p(b|a) = 2/5, p(b|c) = 1/2, p(a|c) = 1/2, p(c|a) = 1/5.
    train = ratings([*ITEM_ITEM_CELLS, [1, 0, 1, 0]])
    found = {
        name: ItemItem(aggregate=name).fit(train, seed=1).score(np.array([5]))[0] for name in ("max", "sum", "noisy_or")
    }
    assert found["max"][1] == pytest.approx(0.5)
    assert found["sum"][1] == pytest.approx(0.9)
    assert found["noisy_or"][1] == pytest.approx(-np.log(0.6 * 0.5))


def test_a_certain_item_does_not_make_an_infinity(ratings):
    scores = ItemItem(aggregate="noisy_or").fit(ratings([[1, 1], [0, 1]]), seed=1).score(np.arange(2))
    # p(b|a) = 1 counts as 1 − 2⁻²⁴; p(a|b) = ½
    np.testing.assert_allclose(scores, [[np.log(2), 24 * np.log(2)], [np.log(2), np.nan]], rtol=1e-6)


def test_items_without_ratings_are_no_columns(ratings) -> None:
    """Items 1 and 3 are rated by nobody."""
    train = ratings([[5, 0, 3, 0], [0, 0, 2, 0]])
    assert rated_items(train).tolist() == [0, 2]
    users, columns = among_rated(train, "rating")
    assert (users.indptr.tolist(), users.indices.tolist(), users.values.tolist()) == ([0, 2, 3], [0, 1, 1], [5, 3, 2])
    assert (columns.indptr.tolist(), columns.indices.tolist(), columns.values.tolist()) == ([0, 1, 3], [0, 0, 1], [5, 3, 2])
    assert upper_gram(users, columns).tolist() == [[25, 15], [0, 13]]
    binary = among_rated(train, "binary")
    assert upper_gram(*binary).tolist() == [[1, 1], [0, 2]]


def test_several_blocks_of_items_are_one_matrix(ratings) -> None:
    draw = np.random.default_rng(1)
    cells = draw.integers(1, 6, (30, 150)) * (draw.random((30, 150)) < 0.3)
    cells[:, 70] = 0
    users, columns = among_rated(ratings(cells), "rating")
    kept = np.delete(cells, 70, axis=1)
    np.testing.assert_allclose(upper_gram(users, columns), np.triu(kept.T @ kept))


N = 1500


def _matrix(values: list[float]) -> tuple[Rows, Rows]:
    """Rows of 60 columns, of which some are dense; every tenth row has one or two entries alone, and every 200th none."""
    draw = np.random.default_rng(5)
    rated = draw.random((N, 60)) < np.linspace(0.9, 0.01, 60) ** 2
    rated[::10, 2:] = False
    rated[::200] = False
    cells = sparse.csr_matrix(np.where(rated, draw.choice(values, (N, 60)), 0.0))
    matrix = rows(cells.indptr, cells.indices, cells.data)
    return matrix, transposed(matrix, 60)


WHOLE, HALVES, LARGE, OTHERS = [1.0, 2.0, 5.0], [0.5, 1.0, 4.5], [1000.0, 3001.0], [0.1, 0.7, 1.3]


@pytest.mark.parametrize(
    ("values", "dtype", "some_dense"),
    [(WHOLE, "float32", True), (HALVES, "float32", True), (LARGE, "float64", True), (OTHERS, "float64", False)],
    ids=["whole", "halves", "large", "others"],
)
def test_only_exact_sums_are_left_to_blas(values: list[float], dtype: str, some_dense: bool) -> None:
    matrix, columns = _matrix(values)
    made = Products(matrix, columns, every_column=False)
    assert made.begun(3, 7).dtype == dtype and bool(made.dense.any()) == some_dense
    assert made.begun(3, 7).shape == ((4, N) if some_dense else (1, N))
    assert not made.dense.all()
    dense = _cells(matrix)[:, made.dense]
    if some_dense:
        assert np.array_equal(made.begun(3, 7), dense[3:7] @ dense.T)
    assert not Products(matrix, columns, every_column=True).dense.any()


@pytest.mark.parametrize("values", [WHOLE, HALVES, LARGE, OTHERS], ids=["whole", "halves", "large", "others"])
@pytest.mark.parametrize("similarity", ["cosine", "binary_cosine", "jaccard"])
def test_neighbours_are_the_same_with_and_without_dense_columns(
    similarity: str, values: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix, columns = _matrix(values)
    found = nearest(matrix, columns, k=7, similarity=similarity)
    monkeypatch.setattr(products, "_DENSE", 2.0)
    plain = nearest(matrix, columns, k=7, similarity=similarity)
    for ours, theirs in zip(found, plain, strict=True):
        assert np.array_equal(ours, theirs)
    for u in (3, 10, 200, 777):
        codes = found.indices[found.indptr[u] : found.indptr[u + 1]]
        alike = found.values[found.indptr[u] : found.indptr[u + 1]]
        expected = _similarities(matrix, u, similarity)
        expected[u] = 0
        best = np.lexsort((np.arange(N), -expected))[:7]
        assert codes.tolist() == best[expected[best] > 0].tolist()
        assert alike.tolist() == expected[codes].tolist()


def _cells(matrix: Rows) -> Any:
    return sparse.csr_matrix((matrix.values, matrix.indices, matrix.indptr), shape=(N, 60)).toarray()


def _similarities(matrix: Rows, u: int, similarity: str) -> Any:
    cells = _cells(matrix)
    if similarity != "cosine":
        cells = (cells != 0).astype(float)
    both, length = cells @ cells[u], (cells**2).sum(axis=1)
    below = length + length[u] - both if similarity == "jaccard" else np.sqrt(length) * np.sqrt(length[u])
    return np.where(below > 0, both / np.where(below > 0, below, 1), 0).astype(np.float32)
