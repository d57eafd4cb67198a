"""What all corrections share: NaN stays NaN and is not counted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heldout.errors import InputError
from heldout.tables.arrays import Float64


def over_family(p: Float64, adjust: Callable[[Float64], Float64]) -> Float64:
    """Apply `adjust` to the p-values that are there; NaN stays where it is."""
    p = np.asarray(p, dtype=np.float64)
    there = ~np.isnan(p)
    bad = np.flatnonzero(there & ~((p >= 0) & (p <= 1)))
    if len(bad):
        raise InputError(f"the p-value at position {bad[0]}", found=float(p[bad[0]]), expected="a number from 0 to 1")
    adjusted = p.copy()
    adjusted[there] = np.minimum(adjust(p[there]), 1.0)
    return adjusted
