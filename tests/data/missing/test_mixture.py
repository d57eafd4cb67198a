"""Ratings missing in one of two ways."""

from __future__ import annotations

import pytest
from tests.data.nature import nature

from heldout.catalogue import make


def test_a_mixture_is_of_its_parts() -> None:
    world = nature()
    first, second = make("missingness", "at_random"), make("missingness", "by_value(slope=1)")
    mixed = make("missingness", "mixture(first=at_random, second=by_value(slope=1), share=0.25)")
    assert mixed.chances(world) == pytest.approx(0.25 * first.chances(world) + 0.75 * second.chances(world))
