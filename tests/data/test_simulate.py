"""Simulated worlds: sizes, popularity, propensities and opinions, and how they are fitted to data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.refusals import refused

import heldout as ho
from heldout import InputError, SpecError, World, make, rng
from heldout.data.missing.by_popularity import meetings
from heldout.data.opinions import Opinions, affinity, cut_points, draws_of_pairs, opinion_noise
from heldout.data.profile import gini
from heldout.data.simulation_fit import fitted, popularity_fit
from heldout.data.world import MOVIELENS_PRIOR, popularity_law

SMALL = {"users": 300, "items": 200, "ratings": 6000}


def test_sizes_ids_and_rating_shares() -> None:
    data = ho.readers.Simulate(**SMALL).world().interactions
    assert (data.n_users, data.n_items, len(data)) == (300, 200, 6000)
    assert data.users.ids.tolist() == list(range(1, 301)) and data.items.ids.tolist() == list(range(1, 201))
    shares = np.bincount(data.value.astype(int), minlength=6)[1:] / len(data)
    assert shares == pytest.approx(MOVIELENS_PRIOR, abs=0.002)
    assert data.time is not None and data.time.min() >= 946_684_800


def test_ids_are_unrelated_to_popularity() -> None:
    counts = ho.readers.Simulate(**SMALL).world().interactions.item_counts
    assert abs(np.corrcoef(np.arange(200), counts)[0, 1]) < 0.2


def test_the_seed_decides() -> None:
    first = make("reader", "simulate(users=50, items=40, ratings=400)")
    same, other = first.read().interactions(), first.replace(seed=2).read().interactions()
    assert same.digest == first.read().interactions().digest != other.digest
    assert first.source_digest() != first.replace(seed=2).source_digest()


def test_everyone_has_a_rating_even_when_there_are_few() -> None:
    data = ho.readers.Simulate(users=200, items=10, ratings=220).world().interactions
    assert (data.n_users, data.n_items, len(data)) == (200, 10, 220)


def test_ratings_may_be_drawn_from_a_prior_alone() -> None:
    world = ho.readers.Simulate(
        users=400, items=300, ratings=8000, factors=0, quality=0, levels=2, prior=(0.25, 0.75)
    ).world()
    data = world.interactions
    assert (data.value == 2).mean() == pytest.approx(0.75, abs=0.001)
    assert world.truth(np.arange(400)).mean() == pytest.approx(1.75, abs=0.02)


def test_taste_can_be_learned() -> None:
    # Users who both like an item agree elsewhere: a user's ratings follow those of similar users, not of dissimilar ones.
    world = ho.readers.Simulate(**SMALL, noise=0.3).world()
    similarity = np.corrcoef(world.taste)
    np.fill_diagonal(similarity, 0)
    truth = world.truth(np.arange(300))
    truth = truth - truth.mean(axis=0)
    nearest, farthest = similarity.argmax(axis=1), similarity.argmin(axis=1)
    assert (truth * truth[nearest]).mean() > 0.4 > 0 > (truth * truth[farthest]).mean()


@pytest.mark.parametrize(
    ("parameters", "name", "expected"),
    [
        ({"users": 10, "items": 10, "ratings": 200}, "ratings", "10 to 100 for 10 users and 10 items"),
        ({"users": 10, "items": 10, "ratings": 5}, "ratings", "10 to 100 for 10 users and 10 items"),
        ({"c1": 1000.0}, "c1", "at most 80, since 1,500 items have 120,000 ratings"),
        ({"factors": 1000, "users": 2 * 10**9}, "users", "at most"),
    ],
)
def test_impossible_sizes(parameters: dict[str, float], name: str, expected: str) -> None:
    value = list(parameters.values())[-1]
    with refused(SpecError, where=f"simulate: '{name}'", found=value, expected=expected):
        ho.readers.Simulate(**parameters).world()


def test_priors_are_checked() -> None:
    with refused(SpecError, where="simulate: 'prior'", found=2, expected="5 shares"):
        ho.readers.Simulate(prior=(0.5, 0.5))
    with refused(SpecError, where="simulate: 'prior'", found=[0.5, 0.6], expected="shares that sum to 1"):
        ho.readers.Simulate(levels=2, prior=(0.5, 0.6))


def test_the_law_is_found_again() -> None:
    place = np.arange(1, 2001)
    alpha, c1, c2 = popularity_fit(np.round(2000 + 1e7 * (10 + place) ** -1.0).astype(np.int64))
    assert (alpha, c1, c2) == (pytest.approx(1, abs=0.02), pytest.approx(2000, rel=0.03), pytest.approx(10, rel=0.05))


def test_simulated_data_like_simulated_data() -> None:
    first = ho.readers.Simulate(users=800, items=400, ratings=30_000, alpha=1.3, c1=2.0, c2=20.0, activity=0.8, levels=4)  # type: ignore[call-arg]
    data = first.read().interactions()
    again = fitted(data, seed=5)
    assert (again.users, again.items, again.ratings, again.levels) == (800, 400, 30_000, 4)
    assert again.alpha == pytest.approx(1.3, abs=0.15)
    assert again.prior == pytest.approx(np.bincount(data.value.astype(int))[1:] / len(data), abs=1e-5)
    other = again.read().interactions()
    assert gini(other.item_counts) == pytest.approx(gini(data.item_counts), abs=0.01)
    assert gini(other.user_counts) == pytest.approx(gini(data.user_counts), abs=0.06)


def test_movielens_1m_is_fitted_as_in_the_literature(real_data: Callable[[str], Path]) -> None:
    from heldout import read

    found = fitted(read(real_data("ml-1m/ratings.dat")))
    assert (found.users, found.items, found.ratings) == (6040, 3706, 1_000_209)
    assert found.alpha == pytest.approx(1.47, abs=0.01)  # Bellogín, Castells and Cantador (2017): α ~ 1.4
    assert found.prior == pytest.approx(MOVIELENS_PRIOR, abs=0.001)


def test_too_little_to_fit() -> None:
    with refused(InputError, found=4, expected="at least 3 items"):
        fitted(ho.readers.Simulate(users=2, items=2, ratings=4).world().interactions)


def test_the_truth_agrees_with_what_was_observed_in_any_block() -> None:
    world = ho.readers.Simulate(**SMALL).world()
    data = world.interactions
    truth = world.truth(np.arange(300))
    assert truth.shape == (300, 200)
    assert set(np.unique(truth)) == {1.0, 2.0, 3.0, 4.0, 5.0}
    assert np.array_equal(truth[data.user, data.item], data.value)
    assert np.array_equal(world.truth(np.array([7, 3])), truth[[7, 3]])


def test_inverse_propensities_recover_the_truth_that_observation_hides() -> None:
    world = ho.readers.Simulate(users=400, items=150, ratings=12_000).world()
    data, chance = world.interactions, world.propensity(np.arange(400))
    truth = world.truth(np.arange(400)).mean()
    naive = data.value.mean()
    weight = 1 / chance[data.user, data.item]
    estimate = (data.value * weight).sum() / weight.sum()
    assert abs(naive - truth) > 0.4
    assert abs(estimate - truth) < 0.15 < abs(naive - truth)


def test_a_world_does_not_depend_on_threads() -> None:
    from heldout import threads

    with threads.using(1):
        one = ho.readers.Simulate(users=3000, items=200, ratings=20_000).world().interactions.digest
    with threads.using(4):
        assert ho.readers.Simulate(users=3000, items=200, ratings=20_000).world().interactions.digest == one


def test_counts_follow_the_law() -> None:
    counts = popularity_law(1000, 400, 20_000, alpha=1.4, c1=5.0, c2=10.0)
    assert counts.sum() == 20_000
    # counts less c1 are proportional to (c2 + k)^(−α), but for rounding
    beta = (counts - 5) / (10.0 + np.arange(1, 401)) ** -1.4
    assert np.abs((counts - 5) - np.median(beta[:100]) * (10.0 + np.arange(1, 401)) ** -1.4).max() < 2
    found = ho.readers.Simulate(**SMALL, alpha=1.4, c1=5, c2=10).world().interactions.item_counts
    assert np.array_equal(np.sort(found)[::-1], popularity_law(300, 200, 6000, 1.4, 5.0, 10.0))


def test_small_cases_by_hand() -> None:
    assert popularity_law(3, 2, 4, alpha=0.0, c1=0.0, c2=0.0).tolist() == [2, 2]
    assert popularity_law(3, 2, 4, alpha=9.0, c1=0.0, c2=0.0).tolist() == [3, 1]
    assert popularity_law(2, 3, 6, alpha=1.0, c1=0.0, c2=0.0).tolist() == [2, 2, 2]


def test_users_meet_what_they_like() -> None:
    world = ho.readers.Simulate(**SMALL).world()
    assert world.interactions.value.mean() > world.truth(np.arange(300)).mean() + 0.3


def test_propensities_are_those_of_the_draw() -> None:
    world = ho.readers.Simulate(users=60, items=40, ratings=700).world()
    chance = world.propensity(np.arange(60))
    assert chance.shape == (60, 40) and 0 < chance.min() <= chance.max() <= 1
    assert np.array_equal(world.propensity(np.array([7, 3])), chance[[7, 3]])
    counts = world.interactions.item_counts
    assert chance.sum(axis=0) == pytest.approx(counts)  # each item draws exactly its number of users
    met = np.zeros((60, 40))
    draws = 300
    taste, genre = world.taste, world.genre
    activity = world.observation.base * _chances(world)
    for seed in range(draws):
        found = meetings(seed, taste, genre, activity, np.asarray(counts), 1.2)
        met[found.user, found.item] += 1
    # a pair met with chance p is met in 300 p ± 5 √(300 p (1 − p)) of the draws; in 1 of 100 a user whom no item drew
    # has the place of another
    spread = 5 * np.sqrt(draws * chance * (1 - chance)) + draws / 100
    assert (np.abs(met - draws * chance) <= spread).all()


def _chances(world: World) -> np.ndarray:
    """What activity was divided by: Σ over items of count × exp(pull × affinity)."""
    return (np.exp(1.2 * world.taste @ world.genre.T) * world.interactions.item_counts).sum(axis=1)


OPINIONS = Opinions(
    seed=3,
    taste=np.array([[1.0, 0.0], [0.0, 2.0]]),
    genre=np.array([[1.0, 0.0], [0.6, 0.8]]),
    appeal=np.array([0.5, -0.5]),
    noise=1e-12,
)


def test_an_opinion_is_taste_times_genre_plus_appeal() -> None:
    """User 0 on items 0 and 1: 1 + 0.5 and 0.6 − 0.5; user 1: 0 + 0.5 and 1.6 − 0.5."""
    assert affinity(OPINIONS.taste, OPINIONS.genre, np.array([0, 1]), np.array([1, 1])) == pytest.approx([0.6, 1.6])
    every = OPINIONS.of_pairs(np.array([[0], [1]]), np.array([[0, 1]]))
    assert every == pytest.approx(np.array([[1.5, 0.1], [0.5, 1.1]]))


def test_ratings_go_up_by_one_at_each_cut() -> None:
    assert OPINIONS.ratings(np.array([0, 1]), np.array([0.3, 1.2])).tolist() == [[3, 1], [2, 2]]
    assert OPINIONS.ratings(np.array([1]), np.empty(0)).tolist() == [[1, 1]]


def test_cuts_give_the_levels_their_shares() -> None:
    many = replace(OPINIONS, taste=np.random.default_rng(1).standard_normal((400, 2)), noise=1.0)
    ratings = many.ratings(np.arange(400), many.cuts(np.array([0.5, 0.3, 0.2])))
    assert [(ratings == level).mean() for level in (1, 2, 3)] == pytest.approx([0.5, 0.3, 0.2], abs=0.002)
    assert len(cut_points(np.arange(5.0), np.array([1.0]))) == 0


def test_noise_has_its_scale_and_is_the_same_whenever_it_is_asked_for() -> None:
    user, item = np.divmod(np.arange(40_000), 200)
    noise = opinion_noise(5, 2.0, user, item)
    assert noise.std() == pytest.approx(2.0, rel=0.02) and abs(noise.mean()) < 0.05
    assert np.array_equal(opinion_noise(5, 2.0, user[::-1], item[::-1]), noise[::-1])


def test_draws_are_those_of_the_streams() -> None:
    user, item = np.array([0, 3, 3]), np.array([7, 7, 1])
    assert np.array_equal(draws_of_pairs(rng.key(4, "x"), user, item), rng.uniform(rng.key(4, "x"), user, item))
