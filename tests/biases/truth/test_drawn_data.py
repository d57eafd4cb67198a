"""Where ratings come from, and how the truth behind them is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

from heldout import Study
from heldout.biases.truth.drawn_data import Chances, data_of_draws, table_of_propensities
from heldout.catalogue import make
from heldout.errors import InputError, NotApplicableError, SpecError, UnknownNameError
from heldout.study.file import study_from
from heldout.tables import Interactions, Split, Vocabulary

WORLD = "simulate(users=20, items=10, ratings=80)"


def study(data: object, **keys: object) -> Study:
    written = {"data": data, "split": "ratio(train=0.5)", "recommend": ["Popularity", "Random"], "relevance": "threshold(4)"}
    return study_from(written | keys)


def halves(of: Study, number: int = 0) -> Split:
    source = data_of_draws(of, halved=True)(number).source
    [split] = make("split", "ratio(train=0.5)").split(source.read().interactions(), seed=1)
    return split


def test_every_draw_is_another_world_with_its_own_truth() -> None:
    draw = data_of_draws(study(WORLD), halved=True)
    first, again, second = draw(0), draw(0), draw(1)
    values = [drawn_data.source.read().interactions().value.tolist() for drawn_data in (first, again, second)]
    assert values[0] == values[1] != values[2]
    assert first.world is not None and not first.truth(study(WORLD), halves(study(WORLD))).sampled


def test_the_chances_of_a_world_are_those_of_its_pairs() -> None:
    drawn_data, split = data_of_draws(study(WORLD), halved=True)(0), halves(study(WORLD))
    chances = drawn_data.chances(split)
    assert chances is not None and drawn_data.world is not None
    ids = (np.asarray(split.test.users.decode(split.test.user)), np.asarray(split.test.items.decode(split.test.item)))
    assert np.array_equal(chances.of_ratings(split.test), drawn_data.world.propensity(np.arange(20))[ids[0] - 1, ids[1] - 1])


def test_a_named_table_is_the_truth(tmp_path: Path) -> None:
    observed, drawn = tmp_path / "observed.csv", tmp_path / "random.csv"
    rows = {"user": [1, 1, 2, 2], "item": [1, 2, 1, 3], "rating": [5, 4, 3, 5]}
    pl.DataFrame(rows).write_csv(observed)
    pl.DataFrame({"user": [1, 2], "item": [3, 2], "rating": [1, 4]}).write_csv(drawn)
    named = study(str(observed), truth=str(drawn))
    truth = data_of_draws(named, halved=True)(3).truth(named, halves(named))
    assert truth.sampled and truth.ratings.value.tolist() == [1, 4]
    assert data_of_draws(named, halved=True)(0).chances(halves(named)) is None
    strict = study(str(observed), truth=str(drawn), relevance="threshold(5)")
    with refused(InputError, where="random.csv", found=4.0, expected="a highest rating that is relevant"):
        data_of_draws(strict, halved=True)(0).truth(strict, halves(strict))
    with refused(NotApplicableError, where="data", found=f'csv(path="{observed}")', hint='truth = "random.csv"'):
        data_of_draws(study(str(observed)), halved=True)


def test_a_sample_that_holds_the_ratings_is_halved_in_each_draw() -> None:
    """Each of 2 users has 5 of 8 items sampled, and rated 3 of them: the first half has 2 items of each user."""
    drawn = {"user": [1] * 5 + [2] * 5, "item": [1, 2, 3, 4, 5, 4, 5, 6, 7, 8], "rating": [5, 4, 3, 2, 1, 1, 2, 3, 4, 5]}
    sample = pl.DataFrame(drawn)
    observed = sample.filter(pl.col("item").is_in([1, 2, 3, 6, 7, 8]))
    outside = pl.concat([observed, pl.DataFrame({"user": [1], "item": [8], "rating": [5]})])
    of = study(observed, truth=sample)
    halves_of_draws = [data_of_draws(of, halved=True)(number) for number in (0, 0, 1)]
    logs = [half.source.read() for half in halves_of_draws]
    rows = [set(zip(log.user_id, log.item_id, strict=True)) for log in logs]
    assert rows[0] == rows[1] != rows[2]
    for half, ratings in zip(halves_of_draws, rows, strict=True):
        assert half.sample is not None and half.first_half is not None
        assert np.bincount(half.sample.user, half.first_half).tolist() == [2, 2]
        first = half.sample.select(half.first_half).to_polars().select("user_id", "item_id").rows()
        assert ratings == set(first) & set(observed.select("user", "item").rows())
    assert data_of_draws(study(outside, truth=sample), halved=True)(0).outside == 1
    assert data_of_draws(of, halved=False)(0).first_half is None
    assert data_of_draws(study(observed, truth=sample, truth_design="whole"), halved=True)(0).first_half is None
    assert data_of_draws(study(observed, truth=sample, split="given(test='x.csv')"), halved=True)(0).first_half is None


def test_what_cannot_be_halved_is_refused_only_if_halves_are_asked_for() -> None:
    apart = pl.DataFrame({"user": [1, 2], "item": [1, 2], "rating": [5, 4]})
    sample = pl.DataFrame({"user": [1, 1, 2, 2], "item": [2, 3, 1, 3], "rating": [1, 2, 3, 4]})
    assert data_of_draws(study(apart, truth=sample), halved=True)(0).first_half is None
    with refused(NotApplicableError, where="truth_design", found="0% of the observed ratings in it"):
        data_of_draws(study(apart, truth=sample, truth_design="halves"), halved=True)
    with refused(NotApplicableError, where="truth_design", found="nothing but the observed ratings"):
        data_of_draws(study(sample, truth=sample, truth_design="halves"), halved=True)
    with refused(NotApplicableError, where="truth_design", found="halves", hint="leave the key out"):
        data_of_draws(study(WORLD, truth_design="halves"), halved=True)
    with refused(UnknownNameError, where="truth_design", found="half", hint="halves"):
        study(WORLD, truth_design="half")


def test_propensities_of_a_half_are_those_of_its_share_of_the_sample(tmp_path: Path) -> None:
    """Each of 3 users has 7 of 8 items sampled, 3 of them in the first half: 3/7 of the chance."""
    ratings = "5 4 3 2 1 5 0 0\n" * 3
    for name, rows in (("train", ratings), ("test", ratings), ("propensities", "0.7 0.7 0.7 0.7 0.7 0.7 0.7 0.7\n" * 3)):
        (tmp_path / f"{name}.ascii").write_text(rows)
    users = [user for user in (1, 2, 3) for _ in range(7)]
    pairs = {"user": users, "item": [item for last in (7, 8, 7) for item in (1, 2, 3, 4, 5, 6, last)]}
    of = study(f'coat("{tmp_path}")', truth=pl.DataFrame(pairs | {"rating": [3] * 21}))
    split = halves(of)
    chances = data_of_draws(of, halved=True)(0).chances(split)
    assert chances is not None
    assert chances.of_ratings(split.test) == pytest.approx(0.7 * 3 / 7)
    whole = data_of_draws(of, halved=False)(0).chances(split)
    assert whole is not None and whole.of_ratings(split.test) == pytest.approx(0.7)


def test_one_data_set_at_a_time() -> None:
    with refused(SpecError, where="data", found=2, expected="one data set"):
        data_of_draws(study([WORLD, "simulate(users=30, items=10, ratings=80)"]), halved=True)


def split() -> Split:
    """User 0 rated items 0, 1 and 2, user 1 item 0; (0, 1) and (1, 0) are in test."""
    users, items = Vocabulary.numbered(2), Vocabulary.numbered(4)
    train = Interactions.build(users, items, np.array([0, 0]), np.array([0, 2]), np.ones(2))
    test = Interactions.build(users, items, np.array([0, 1]), np.array([1, 0]), np.ones(2))
    return Split(train=train, test=test, fold=0)


def given_train(p: float) -> float:
    """σ is 1/2."""
    return 0.5 * p / (1 - 0.5 * p)


def chances(first: float, second: float) -> Chances:
    return Chances(of=lambda user, item: np.array([first, second]), source="propensities.csv")


def test_kinds_by_hand() -> None:
    """|R| = 4; n_u = 3, 1; n_i = 2, 1, 1, 0. p of (0, 1) = 3 × 1 / 4, of (1, 0) = 1 × 2 / 4; flat 4 / 8.

    Squares 9/16 and 4/16; all squares sum to (9 + 1)(4 + 1 + 1) / 16 = 60/16, and are scaled by 4 / that.
    """
    columns = table_of_propensities(split(), chances(0.2, 1.0)).columns
    assert columns["estimated"].to_list() == pytest.approx([given_train(3 / 4), given_train(2 / 4)])
    assert columns["flat"].to_list() == pytest.approx([given_train(1 / 2)] * 2)
    assert columns["steep"].to_list() == pytest.approx([given_train(9 / 16 * 64 / 60), given_train(4 / 16 * 64 / 60)])
    assert columns["known"].to_list() == pytest.approx([given_train(0.2), 1.0])
    assert "known" not in table_of_propensities(split(), None).columns


def test_numbers_are_found_by_pair() -> None:
    side, test = table_of_propensities(split(), None), split().test
    found = side.numbers_of_pairs("estimated", test.users, test.items, np.array([1, 0]), np.array([0, 1]))
    assert found == pytest.approx([given_train(2 / 4), given_train(3 / 4)])


@pytest.mark.parametrize("bad", [0.0, -0.1, 1.25, float("nan")])
def test_what_is_no_chance_is_refused_as_it_was_written(bad: float) -> None:
    with refused(InputError, file="propensities.csv", expected="above 0 and at most 1") as refusal:
        table_of_propensities(split(), chances(0.5, bad))
    assert refusal.value.found == pytest.approx(bad, nan_ok=True)
