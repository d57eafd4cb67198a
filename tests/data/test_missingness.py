"""Why ratings are missing from a simulated world: chances by hand, and draws that follow them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.refusals import refused

import heldout as ho
from heldout import SpecError, UnknownNameError, make
from heldout.data.missingness import Missingness, Nature, Observed
from heldout.data.opinions import Opinions
from heldout.data.world import popularity_law


def nature(users: int = 40, items: int = 30, ratings: int = 300, seed: int = 1) -> Nature:
    """A world almost without noise, so that another seed leaves its opinions alone."""
    draw = np.random.default_rng(7)
    opinions = Opinions(
        seed=seed,
        taste=draw.standard_normal((users, 3)),
        genre=np.full((items, 3), 3**-0.5),
        appeal=draw.standard_normal(items),
        noise=1e-12,
    )
    return Nature(
        opinions=opinions,
        cuts=opinions.cuts(np.full(5, 0.2)),
        activity=np.ones(users),
        counts=popularity_law(users, items, ratings, 1.0, 1.0, 5.0),
        pull=0.8,
        ratings=ratings,
    )


def observed_with(missing: Missingness, seed: int) -> tuple[Nature, Observed]:
    world = nature()
    world = replace(world, opinions=replace(world.opinions, seed=seed))
    return world, missing.observe(world)


ONE_BY_ONE = [
    "at_random",
    "by_value(slope=0.9)",
    "by_value(slope=0.5, popularity=1)",
    "by_popularity(counts=expected)",
    "mixture(first=at_random, second=by_value(slope=1), share=0.3)",
    "mixture(first=by_popularity, second=by_recommender(rounds=3, shown=10))",
]


WORLD = {"users": 150, "items": 60, "ratings": 1800}


@pytest.mark.parametrize("text", ONE_BY_ONE[:5])
def test_pairs_are_rated_as_often_as_their_propensities_say(text: str) -> None:
    """A pair with chance p is rated in 200 p ± 5 √(200 p (1 − p)) of 200 draws, or 1 more or less."""
    missing, draws = make("missingness", text), 200
    met = np.zeros((40, 30))
    for seed in range(draws):
        _, observed = observed_with(missing, seed)
        met[observed.user, observed.item] += 1
    chance = missing.chances(nature())
    assert 0 < chance.min() <= chance.max() <= 1
    assert (np.abs(met - draws * chance) <= 5 * np.sqrt(draws * chance * (1 - chance)) + 1).all()


@pytest.mark.parametrize("text", ONE_BY_ONE)
def test_the_world_hands_on_the_chances_and_about_the_number_of_ratings(text: str) -> None:
    missing: Missingness = make("missingness", text)
    world = ho.readers.Simulate(**WORLD, missing=missing).world()
    chance = world.propensity(np.arange(150))
    assert chance.shape == (150, 60) and chance.min() > 0
    spread = 5 * np.sqrt((chance * (1 - chance)).sum())
    assert abs(len(world.user) - chance.sum()) < spread
    assert abs(chance.sum() - 1800) < 180
    assert not world.inexact and len(set(zip(world.user.tolist(), world.item.tolist(), strict=True))) == len(world.user)


def test_exact_counts_are_those_of_the_law_and_expected_ones_are_on_average() -> None:
    exact = ho.readers.Simulate(**WORLD).world().interactions.item_counts
    assert np.array_equal(exact, ho.readers.Simulate(**WORLD, missing="by_popularity").world().interactions.item_counts)
    drawn = np.mean(
        [
            np.bincount(
                ho.readers.Simulate(**WORLD, missing="by_popularity(counts=expected)", seed=s).world().item, minlength=60
            ).sum()
            for s in range(20)
        ]
    )
    assert drawn == pytest.approx(1800, rel=0.03)


def test_worlds_that_are_too_large_are_refused_before_anything_is_made() -> None:
    with refused(SpecError, where="missing=at_random", found=100_000 * 20_000, expected="at most 50,000,000 pairs"):
        ho.readers.Simulate(users=100_000, items=20_000, ratings=200_000, factors=1, missing="at_random").world()


def test_worlds_do_not_depend_on_threads() -> None:
    from heldout import threads

    digests = set()
    for n in (1, 2):
        with threads.using(n):
            digests.add(ho.readers.Simulate(**WORLD, missing="by_recommender").world().interactions.digest)
    assert len(digests) == 1


def test_text_forms_are_read_back() -> None:
    text = "simulate(users=150, items=60, ratings=1800, missing=mixture(first=by_value(slope=1), share=0.3))"
    assert str(make("reader", text)) == text
    with refused(UnknownNameError, where="'missing'", hint="did you mean by_value?"):
        make("reader", "simulate(missing=by_valu)")
    with pytest.raises(SpecError):
        make("missingness", "by_recommender(explore=0)")


def test_at_random_is_unbiased_and_by_value_is_not() -> None:
    everyone = np.arange(300)
    gaps = {"at_random": (-0.08, 0.08), "by_value(slope=0.7)": (0.4, 2.0), "by_value(slope=-0.7)": (-2.0, -0.4)}
    for text, (low, high) in gaps.items():
        world = ho.readers.Simulate(users=300, items=100, ratings=6000, missing=text).world()
        assert low < world.interactions.value.mean() - world.truth(everyone).mean() < high, text


def test_counts_of_items_are_exact_or_expected() -> None:
    world = nature()
    exact, expected = (make("missingness", f"by_popularity(counts={counts})") for counts in ("exact", "expected"))
    observed = exact.observe(world)
    assert np.array_equal(np.bincount(observed.item, minlength=30), world.counts)
    assert not np.array_equal(np.bincount(expected.observe(world).item, minlength=30), world.counts)
    assert expected.chances(world).sum(axis=0) == pytest.approx(world.counts, rel=1e-6)


def test_without_pull_an_item_with_twice_the_ratings_is_twice_as_likely_for_any_user() -> None:
    world = replace(nature(), pull=0.0, counts=np.array([10, 20] + [5] * 28))
    chance = make("missingness", "by_popularity").chances(world)
    assert chance[:, 1] == pytest.approx(2 * chance[:, 0])
    assert chance[:, 0] == pytest.approx(10 / 40)


def test_pull_draws_users_to_what_meets_their_taste() -> None:
    """Two genres, two kinds of users: each kind is likelier to rate its own."""
    opinions = replace(
        nature().opinions,
        taste=np.repeat(np.eye(2), 20, axis=0),
        genre=np.tile(np.eye(2), (15, 1)),
    )
    chance = make("missingness", "by_popularity").chances(replace(nature(), opinions=opinions))
    own, other = chance[:20, 10:30:2].mean(), chance[20:, 10:30:2].mean()  # items of the first genre
    assert own > 1.5 * other


def test_feedback_makes_popular_items_more_popular() -> None:
    """Completely at random and with feedback, the same number of ratings: the second is far more skewed."""
    from heldout.data.profile import gini

    size = {"users": 300, "items": 120, "ratings": 7200}
    random, shown = (
        ho.readers.Simulate(**size, missing=text).world().interactions.item_counts
        for text in ("at_random", "by_recommender(shown=20)")
    )
    assert gini(random) < 0.12 and gini(shown) > 0.35


def test_one_round_of_feedback_is_completely_at_random() -> None:
    world = nature()
    one, random = make("missingness", "by_recommender(rounds=1)"), make("missingness", "at_random")
    assert one.chances(world) == pytest.approx(random.chances(world))


def test_rounds_follow_one_another_in_time_and_chances_add_up() -> None:
    missing = make("missingness", "by_recommender(rounds=3, shown=10)")
    _, observed = observed_with(missing, 5)
    assert observed.round is not None and set(observed.round) == {0, 1, 2}
    expected = observed.observation.propensity(np.arange(40)).sum()
    assert abs(len(observed.user) - expected) < 0.15 * expected
    whole = ho.readers.Simulate(**WORLD, missing=missing).world()
    assert whole.inexact == "a pair's own rating changes what later rounds show"
    assert (np.diff(whole.time) >= 0).all()


def test_a_pair_rated_before_has_the_chance_that_it_would_have_had_otherwise() -> None:
    """As if everything were counted again without its rating, pair by pair."""
    missing, world = make("missingness", "by_recommender(rounds=3, shown=10)"), nature()
    draws = np.random.default_rng(2)
    rated, liked = draws.random(world.shape) < 0.3, draws.random(world.shape) < 0.5
    chance = missing._shown(world, rated, liked, first=False)
    pairs = np.argwhere(rated)
    for user, item in pairs[draws.choice(len(pairs), 60, replace=False)]:
        without = rated.copy()
        without[user, item] = False
        assert chance[user, item] == pytest.approx(missing._shown(world, without, liked, first=False)[user, item], rel=1e-12)


def test_by_value_doubles_the_chance_at_each_step() -> None:
    world = nature()
    chance, grades = make("missingness", f"by_value(slope={np.log(2)})").chances(world), world.grades
    for low in range(1, 5):
        assert chance[grades == low + 1] == pytest.approx(2 * chance[grades == low][0])
    assert chance.sum() == pytest.approx(300)


def test_chances_are_at_most_one_and_still_sum_to_the_ratings() -> None:
    chance = make("missingness", "by_value(slope=3)").chances(nature(ratings=600))
    assert chance.max() == 1 and (chance == 1).sum() > 10
    assert chance.sum() == pytest.approx(600)


def test_a_mixture_is_of_its_parts() -> None:
    world = nature()
    first, second = make("missingness", "at_random"), make("missingness", "by_value(slope=1)")
    mixed = make("missingness", "mixture(first=at_random, second=by_value(slope=1), share=0.25)")
    assert mixed.chances(world) == pytest.approx(0.25 * first.chances(world) + 0.75 * second.chances(world))
