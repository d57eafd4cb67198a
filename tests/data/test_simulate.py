"""Simulated ratings and the truth behind them."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.data.readers import Simulate
from heldout.data.world import MOVIELENS_PRIOR
from heldout.errors import SpecError

SMALL = {"users": 300, "items": 200, "ratings": 6000}


def test_sizes_ids_and_rating_shares() -> None:
    data = Simulate(**SMALL).world().interactions
    assert (data.n_users, data.n_items, len(data)) == (300, 200, 6000)
    assert data.users.ids.tolist() == list(range(1, 301)) and data.items.ids.tolist() == list(range(1, 201))
    shares = np.bincount(data.value.astype(int), minlength=6)[1:] / len(data)
    assert shares == pytest.approx(MOVIELENS_PRIOR, abs=0.002)
    assert data.time is not None and data.time.min() >= 946_684_800


def test_ids_are_unrelated_to_popularity() -> None:
    counts = Simulate(**SMALL).world().interactions.item_counts
    assert abs(np.corrcoef(np.arange(200), counts)[0, 1]) < 0.2


def test_the_seed_decides() -> None:
    first = make("reader", "simulate(users=50, items=40, ratings=400)")
    same, other = first.read().interactions(), first.replace(seed=2).read().interactions()
    assert same.digest == first.read().interactions().digest != other.digest
    assert first.source_digest() != first.replace(seed=2).source_digest()


def test_everyone_has_a_rating_even_when_there_are_few() -> None:
    data = Simulate(users=200, items=10, ratings=220).world().interactions
    assert (data.n_users, data.n_items, len(data)) == (200, 10, 220)


def test_ratings_may_be_drawn_from_a_prior_alone() -> None:
    world = Simulate(users=400, items=300, ratings=8000, factors=0, quality=0, levels=2, prior=(0.25, 0.75)).world()
    data = world.interactions
    assert (data.value == 2).mean() == pytest.approx(0.75, abs=0.001)
    assert world.truth(np.arange(400)).mean() == pytest.approx(1.75, abs=0.02)


def test_taste_can_be_learned() -> None:
    # Users who both like an item agree elsewhere: a user's ratings follow those of similar users, not of dissimilar ones.
    world = Simulate(**SMALL, noise=0.3).world()
    similarity = np.corrcoef(world.taste)
    np.fill_diagonal(similarity, 0)
    truth = world.truth(np.arange(300))
    truth = truth - truth.mean(axis=0)
    nearest, farthest = similarity.argmax(axis=1), similarity.argmin(axis=1)
    assert (truth * truth[nearest]).mean() > 0.4 > 0 > (truth * truth[farthest]).mean()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"users": 10, "items": 10, "ratings": 200}, "200 ratings of 10 users and 10 items cannot be simulated"),
        ({"users": 10, "items": 10, "ratings": 5}, "give between 10 and 100"),
        ({"c1": 1000.0}, "lower c1"),
    ],
)
def test_impossible_sizes(parameters: dict[str, float], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Simulate(**parameters).world()


def test_priors_are_checked() -> None:
    with pytest.raises(SpecError, match="2 shares for 5 levels"):
        Simulate(prior=(0.5, 0.5))
    with pytest.raises(SpecError, match="sum to 1"):
        Simulate(levels=2, prior=(0.5, 0.6))
