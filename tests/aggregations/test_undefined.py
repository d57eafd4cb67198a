"""What becomes of undefined values."""

from __future__ import annotations

import math

import numpy as np

from heldout.aggregations.undefined.skip import SkipUndefined
from heldout.aggregations.undefined.zero import UndefinedAsZero


def test_undefined_rules() -> None:
    values = np.array([0.5, math.nan, 1.0])
    assert UndefinedAsZero().apply(values).tolist() == [0.5, 0.0, 1.0]
    np.testing.assert_array_equal(SkipUndefined().apply(values), values)
    assert math.isnan(values[1])  # the input is not changed
