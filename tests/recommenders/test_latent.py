"""pLSA and LDA: small cases by hand, steps by the textbook, bounds that never fall."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue
from heldout.errors import NotApplicableError
from heldout.recommenders import LDA, PLSA
from heldout.recommenders.latent.lda import _geometric
from heldout.recommenders.latent.topics import Counts, normalised, random_shares

# Item 0 is rated 3 times, item 1 once, item 2 never.
CELLS = [[5, 0, 0], [4, 2, 0], [1, 0, 0]]


def _start(train, topics):
    counts = Counts(train, "binary", PLSA(), topics)
    users = normalised(random_shares(1, "users", train.n_users, topics), 1)
    items = np.where(counts.known_items[:, None], random_shares(1, "items", train.n_items, topics), 0.0)
    return counts, users, normalised(items, 0)


def test_one_topic_is_popularity(ratings):
    scores = PLSA(topics=1).fit(ratings(CELLS), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores, [[0.75, 0.25, np.nan]] * 3, rtol=1e-6)


def test_one_topic_counts_ratings_when_told(ratings):
    # 5 + 4 + 1 of item 0 and 2 of item 1: 10/12 and 2/12.
    scores = PLSA(topics=1, values="rating").fit(ratings(CELLS), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores, [[10 / 12, 2 / 12, np.nan]] * 3, rtol=1e-6)


def test_one_topic_of_lda_is_smoothed_popularity(ratings):
    # η = 1: (3 + 1)/(4 + 2) and (1 + 1)/(4 + 2)
    scores = LDA(topics=1, eta=1).fit(ratings(CELLS), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores, [[4 / 6, 2 / 6, np.nan]] * 3, rtol=1e-6)


@pytest.mark.parametrize("topics", [2, 7])
def test_the_likelihood_never_falls(topics, some_ratings):
    counts, users, items = _start(some_ratings, topics)
    found = []
    for _ in range(60):
        users, items, likelihood = PLSA.step(counts, users, items)
        found.append(likelihood)
    assert (np.diff(found) >= -1e-9 * abs(found[0])).all()
    assert found[-1] > found[0] + 50


def test_a_step_by_the_textbook(some_ratings):
    counts, users, items = _start(some_ratings, 4)
    n = some_ratings.to_csr("binary").toarray()
    joint = users[:, None, :] * items[None, :, :]
    posterior = joint / np.maximum(joint.sum(2, keepdims=True), 1e-300)
    of_users, of_items = (n[:, :, None] * posterior).sum(1), (n[:, :, None] * posterior).sum(0)
    new_users, new_items, likelihood = PLSA.step(counts, users, items)
    np.testing.assert_allclose(likelihood, (n * np.log(np.maximum(joint.sum(2), 1e-300))).sum(), rtol=1e-12)
    np.testing.assert_allclose(new_items, of_items / of_items.sum(0), atol=1e-13)
    known = np.arange(90) != 7
    np.testing.assert_allclose(new_users[known], (of_users / of_users.sum(1, keepdims=True).clip(1e-300))[known], atol=1e-13)


def test_the_bound_of_lda_never_falls(some_ratings):
    from scipy.special import digamma, gammaln

    counts = Counts(some_ratings, "binary", LDA(), 5)
    known, alpha, eta = counts.known_items, 0.3, 0.2
    users = alpha + random_shares(1, "u", 90, 5)
    items = np.where(known[:, None], eta + random_shares(1, "i", 40, 5), 0.0)

    def divergence(parameters, prior, axis):
        """−KL of Dirichlet distributions from their prior, summed."""
        n, total = parameters.shape[axis], parameters.sum(axis, keepdims=True)
        mean_log = digamma(parameters) - digamma(total)
        own = gammaln(n * prior) - n * gammaln(prior) - gammaln(total) + gammaln(parameters).sum(axis, keepdims=True)
        return own.sum() + ((prior - parameters) * mean_log).sum()

    found = []
    for _ in range(40):
        of_users, of_items, likelihood = counts.shares(_geometric(users, 1), _geometric(items, 0))
        # With the best shares, the expected log joint and their entropy add up to Σ n log Σ_z of geometric means.
        found.append(likelihood + divergence(users[counts.known_users], alpha, 1) + divergence(items[known], eta, 0))
        users, items = alpha + of_users, np.where(known[:, None], eta + of_items, 0.0)
    # Both are updated from the same shares, as one block: that is coordinate ascent too.
    assert (np.diff(found) >= -1e-9 * abs(found[0])).all()
    assert found[-1] > found[0] + 50


@pytest.mark.parametrize("name", ["PLSA", "LDA"])
def test_chances_sum_to_one(name, some_ratings):
    scores = catalogue.make("recommender", f"{name}(topics=6)").fit(some_ratings, seed=1).score(np.arange(6))
    np.testing.assert_allclose(np.nansum(scores, axis=1), 1, rtol=1e-5)


@pytest.mark.parametrize("name", ["PLSA", "LDA"])
def test_bad_input(name, ratings):
    def made(**options):
        return catalogue.find("recommender", name)(**{"topics": 2, **options})

    with pytest.raises(NotApplicableError, match=r"1 ratings are negative \(first: user 0, item 1, -3\)"):
        made(values="rating").fit(ratings([[1, -3]]), seed=1)
    with pytest.raises(NotApplicableError, match=r"3 topics for 2 rated items.*at most 2"):
        made(topics=3).fit(ratings([[1, 3, 0]]), seed=1)
    with pytest.raises(NotApplicableError, match="in iteration 1"):
        made(values="rating").fit(ratings([[1e308, 1e308], [1e308, 1e308]]), seed=1)
    # Ratings of any sign are occasions all the same when they count once.
    assert np.isfinite(made().fit(ratings([[1, -3], [2, 2]]), seed=1).score(np.arange(2))).all()


def test_a_user_all_of_whose_counts_are_zero_cannot_be_scored(some_ratings, ratings):
    from heldout.tables import Interactions

    zero = ratings([[4, 2, 1], [1, 1, 1]])
    value = np.where(zero.user == 1, 0.0, zero.value)
    train = Interactions.build(zero.users, zero.items, zero.user, zero.item, value)
    scores = PLSA(topics=2, values="rating").fit(train, seed=1).score(np.arange(2))
    assert np.isfinite(scores[0]).all()
    assert np.isnan(scores[1]).all()


def test_names_from_the_literature():
    assert catalogue.make("recommender", "PLSA(z=5)") == PLSA(topics=5)
    assert catalogue.make("recommender", "LDA(z=5, α=1, η=2)") == LDA(topics=5, alpha=1, eta=2)
