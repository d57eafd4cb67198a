"""A share or a number of things, drawn at random."""

from __future__ import annotations

import numpy as np

from heldout.errors import InputError
from heldout.tables.arrays import Bool, Float64


def wanted(amount: float, of: int, what: str) -> int:
    """How many a share (below 1) or a number (from 1 on) means; InputError when there are not so many."""
    n = int(np.floor(amount * of + 0.5 + 1e-9)) if amount < 1 else round(amount)
    if n > of:
        raise InputError(
            "the sample is too large", found=n, expected=f"at most {of:,} {what}", hint="ask for fewer, or for a share"
        )
    if n == 0:
        raise InputError(f"this share selects none of {of:,} {what}", found=amount, hint="use a larger share")
    return n


def lowest(keys: Float64, n: int) -> Bool:
    """Which keys are the n lowest; equal ones by their order."""
    chosen = np.ones(len(keys), dtype=np.bool_)
    if n < len(keys):
        limit = np.partition(keys, n)[n]
        chosen[:] = keys < limit
        chosen[np.flatnonzero(keys == limit)[: n - int(chosen.sum())]] = True
    return chosen
