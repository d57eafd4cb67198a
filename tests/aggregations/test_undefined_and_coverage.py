"""Undefined and coverage rules by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from heldout.aggregations.coverage.forgive import Forgive
from heldout.aggregations.coverage.intersection import Intersection
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.undefined.skip import SkipUndefined
from heldout.aggregations.undefined.zero import UndefinedAsZero
from heldout.catalogue import make
from heldout.errors import InputError

LENGTHS = [np.array([10.0, 10, 0, 0]), np.array([0.0, 3, 3, 0])]


def test_undefined_rules() -> None:
    values = np.array([0.5, math.nan, 1.0])
    assert UndefinedAsZero().apply(values).tolist() == [0.5, 0.0, 1.0]
    np.testing.assert_array_equal(SkipUndefined().apply(values), values)
    assert math.isnan(values[1])  # the input is not changed


def test_coverage_rules() -> None:
    assert [m.tolist() for m in UncoveredAsZero().included(LENGTHS)] == [[True] * 4] * 2
    assert [m.tolist() for m in Forgive().included(LENGTHS)] == [[True, True, False, False], [False, True, True, False]]
    assert [m.tolist() for m in Intersection().included(LENGTHS)] == [[False, True, False, False]] * 2


def test_systems_must_be_aligned() -> None:
    with pytest.raises(InputError, match="2 and 3 users"):
        Forgive().included([np.ones(3), np.ones(2)])


def test_the_same_word_names_two_kinds() -> None:
    assert isinstance(make("undefined", "zero"), UndefinedAsZero)
    assert isinstance(make("coverage", "zero"), UncoveredAsZero)
