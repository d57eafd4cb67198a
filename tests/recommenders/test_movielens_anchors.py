"""Precision on MovieLens 1M, where its value is known: half of the ratings for training, relevant from 4 on."""

from __future__ import annotations

import numpy as np
import pytest
from tests.heavy import heavy

from heldout import catalogue, threads
from heldout.recommenders.recommender import TILE
from heldout.tables import Interactions, Vocabulary


@pytest.fixture(scope="module")
def halves(real_data):
    text = real_data("ml-1m/ratings.dat").read_text().replace("::", " ")
    rows = np.array(text.split(), dtype=np.int64).reshape(-1, 4)
    (users, user), (items, item) = (np.unique(rows[:, column], return_inverse=True) for column in (0, 1))
    ratings = Interactions.build(Vocabulary(users), Vocabulary(items), user, item, rows[:, 2].astype(np.float64))
    train = np.random.default_rng(0).random(len(ratings)) < 0.5
    return ratings.select(train), ratings.select(~train)


def _precision(model, train, test):
    """Mean P@10 of all users, the plain way: sort every item that is not in training."""
    tiles = [np.arange(start, start + TILE) % train.n_users for start in range(0, train.n_users, TILE)]
    scores = np.concatenate(list(threads.run_all(model.score, tiles)))[: train.n_users]
    scores[train.user, train.item] = np.nan
    relevant = np.zeros(scores.shape, dtype=bool)
    good = test.value >= 4
    relevant[test.user[good], test.item[good]] = True
    hits = 0
    for u in range(train.n_users):
        top = np.argsort(-scores[u], kind="stable")[:10]
        hits += relevant[u, top[~np.isnan(scores[u, top])]].sum()
    return hits / (10 * train.n_users)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("UserKNN(k=100)", 0.410, 0.422),
        pytest.param("WRMF(target=rating, alpha=1, l2=10)", 0.412, 0.427, marks=heavy),
        pytest.param("EASE", 0.410, 0.427, marks=heavy),
        ("Random", 0.010, 0.016),
    ],
)
def test_precision(name, low, high, halves):
    model = catalogue.make("recommender", name).fit(halves[0], seed=1)
    assert low < _precision(model, *halves) < high
