"""Ratings missing completely at random."""

from __future__ import annotations

import numpy as np

from heldout.data.readers import Simulate


def test_at_random_is_unbiased_and_by_value_is_not() -> None:
    everyone = np.arange(300)
    gaps = {"at_random": (-0.08, 0.08), "by_value(slope=0.7)": (0.4, 2.0), "by_value(slope=-0.7)": (-2.0, -0.4)}
    for text, (low, high) in gaps.items():
        world = Simulate(users=300, items=100, ratings=6000, missing=text).world()
        assert low < world.interactions.value.mean() - world.truth(everyone).mean() < high, text
