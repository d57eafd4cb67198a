"""Streams: keyed by purpose and entity, never by order."""

from __future__ import annotations

import numpy as np
from tests.refusals import refused

from heldout import rng
from heldout.errors import SpecError


def test_a_stream_depends_on_seed_purpose_and_entities_alone() -> None:
    first = rng.stream(1, "split", 3).random(4)
    rng.stream(1, "other").random(100)  # draws elsewhere change nothing
    np.testing.assert_array_equal(rng.stream(1, "split", 3).random(4), first)
    others = [rng.stream(2, "split", 3), rng.stream(1, "fit", 3), rng.stream(1, "split", 4), rng.stream(1, "split")]
    assert not any(np.array_equal(other.random(4), first) for other in others)
    assert rng.key(1, "split", 3) != rng.key(1, "split", 4)


def test_entities_are_kept_apart() -> None:
    assert rng.key(1, "split", 1, 23) != rng.key(1, "split", 12, 3)


def test_uniform_numbers_follow_their_entities_in_any_order() -> None:
    user, item = np.repeat(np.arange(300), 100), np.tile(np.arange(100), 300)
    draws = rng.uniform(rng.key(1, "sample"), user, item)
    order = np.random.default_rng(0).permutation(len(user))
    np.testing.assert_array_equal(rng.uniform(rng.key(1, "sample"), user[order], item[order]), draws[order])
    assert draws.min() >= 0 and draws.max() < 1 and len(np.unique(draws)) == len(draws)
    assert abs(draws.mean() - 0.5) < 5 / np.sqrt(12 * len(draws))


def test_a_seed_fits_into_64_bits() -> None:
    rng.refuse_seed(rng.LARGEST_SEED)
    with refused(SpecError, where="seed", found=rng.LARGEST_SEED + 1, expected="9,223,372,036,854,775,807"):
        rng.stream(rng.LARGEST_SEED + 1, "split")
