"""Pairs of columns, for tests of all systems at once."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def all_pairs(k: int) -> np.ndarray:
    return np.array(list(combinations(range(k), 2)))
