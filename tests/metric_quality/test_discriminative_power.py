"""Discriminative power: p-values are those of the permutation test, and its summaries those of their definitions."""

from __future__ import annotations

import numpy as np
import pytest

import heldout as ho
from heldout.metric_quality.discriminative_power import discriminative_power, p_values

PAIRS = np.stack(np.triu_indices(6, 1), axis=1)


def values(seed: int, users: int = 80) -> np.ndarray:
    """Two metrics of six systems: the first tells them apart, the second sees noise."""
    draw = np.random.default_rng(seed)
    noise = draw.normal(size=(2, 6, users))
    noise[0] += 0.5 * np.arange(6)[:, None]
    return noise


def test_p_values_are_those_of_each_metric_alone() -> None:
    tables = values(1)
    tables[1, 2, :7] = np.nan  # the second metric is undefined for some users
    found = p_values(tables, PAIRS, seed=5, flips=2000)
    for table, p in zip(tables, found, strict=True):
        defined = table[:, ~np.isnan(table).any(axis=0)]
        np.testing.assert_array_equal(p, ho.make("test", "permutation(samples=2000)").p_values(defined.T, PAIRS, seed=5))


def test_the_summaries() -> None:
    good, bad = discriminative_power(values(2), ("good", "bad"), seed=1, flips=5000)
    p = p_values(values(2), PAIRS, seed=1, flips=5000)[0]
    assert good.total == pytest.approx(p.sum())
    assert good.mean == pytest.approx(p.mean())
    assert good.median == np.median(p)
    assert good.significant == np.mean(p < 0.05)
    assert good.curve == tuple(sorted(p))
    assert (good.pairs, good.users) == (15, 80)
    assert good.mean < bad.mean
    assert good.half_mean > good.mean  # half of the users separate less
    assert 0 < good.mean_error < 0.2


def test_equal_systems_are_never_told_apart() -> None:
    tables = np.repeat(np.random.default_rng(1).normal(size=(1, 1, 30)), 6, axis=1)
    (found,) = discriminative_power(tables, ("same",), seed=1, flips=1000)
    assert (found.total, found.mean, found.significant) == (15.0, 1.0, 0.0)


def test_a_metric_without_values_has_none() -> None:
    (found,) = discriminative_power(np.full((1, 6, 10), np.nan), ("nothing",), seed=1, flips=1000)
    assert found.users == 0
    assert np.isnan(found.total)
