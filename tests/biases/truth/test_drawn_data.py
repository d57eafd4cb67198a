"""Where ratings come from, and how the truth behind them is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from heldout.biases.truth.drawn_data import data_of_draws
from heldout.catalogue import make
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.study.file import study_from
from heldout.study.spec import Study
from heldout.tables import Split

WORLD = "simulate(users=20, items=10, ratings=80)"


def study(data: object, **keys: object) -> Study:
    written = {"data": data, "split": "ratio(train=0.5)", "recommend": ["Popularity", "Random"], "relevance": "threshold(4)"}
    return study_from(written | keys)


def halves(of: Study, number: int = 0) -> Split:
    source = data_of_draws(of)(number).source
    [split] = make("split", "ratio(train=0.5)").split(source.read().interactions(), seed=1)
    return split


def test_every_draw_is_another_world_with_its_own_truth() -> None:
    draw = data_of_draws(study(WORLD))
    first, again, second = draw(0), draw(0), draw(1)
    values = [drawn_data.source.read().interactions().value.tolist() for drawn_data in (first, again, second)]
    assert values[0] == values[1] != values[2]
    assert first.world is not None and not first.truth(study(WORLD), halves(study(WORLD))).sampled


def test_the_chances_of_a_world_are_those_of_its_pairs() -> None:
    drawn_data, split = data_of_draws(study(WORLD))(0), halves(study(WORLD))
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
    truth = data_of_draws(named)(3).truth(named, halves(named))
    assert truth.sampled and truth.ratings.value.tolist() == [1, 4]
    assert data_of_draws(named)(0).chances(halves(named)) is None
    strict = study(str(observed), truth=str(drawn), relevance="threshold(5)")
    with pytest.raises(InputError, match=r"random\.csv.*is relevant by threshold\(tau=5\): the highest is 4"):
        data_of_draws(strict)(0).truth(strict, halves(strict))
    with pytest.raises(NotApplicableError, match="has no truth"):
        data_of_draws(study(str(observed)))


def test_one_data_set_at_a_time() -> None:
    with pytest.raises(SpecError, match="one data set is held against its truth, found 2"):
        data_of_draws(study([WORLD, "simulate(users=30, items=10, ratings=80)"]))
