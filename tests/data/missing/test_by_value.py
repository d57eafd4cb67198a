"""Ratings missing by their value."""

from __future__ import annotations

import numpy as np
import pytest
from tests.data.nature import nature

from heldout.catalogue import make


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
