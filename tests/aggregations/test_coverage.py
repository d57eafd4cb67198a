"""Which users each coverage rule averages."""

from __future__ import annotations

import numpy as np

from heldout.aggregations.coverage.forgive import Forgive
from heldout.aggregations.coverage.intersection import Intersection
from heldout.aggregations.coverage.zero import UncoveredAsZero

LENGTHS = [np.array([10.0, 10, 0, 0]), np.array([0.0, 3, 3, 0])]


def test_coverage_rules() -> None:
    assert [m.tolist() for m in UncoveredAsZero().included(LENGTHS)] == [[True] * 4] * 2
    assert [m.tolist() for m in Forgive().included(LENGTHS)] == [[True, True, False, False], [False, True, True, False]]
    assert [m.tolist() for m in Intersection().included(LENGTHS)] == [[False, True, False, False]] * 2
