"""Blocks of users: how many users are added up, flipped and drawn at a time, and the order of users in large tables.

A table of up to `BLOCK_ROWS` rows is in the order of ids. A larger one is in the order of the hash of ids, as a streamed
evaluation judges users, and is divided into blocks by position. Numbers are added within each block, and blocks are merged
in pairs (`heldout.aggregations.moments.merge`). So the same numbers are added in the same order whether users arrive in
pieces or not.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from heldout.tables.arrays import Int64
from heldout.tables.id_hash import GROUPS, hash_ids

BLOCK_ROWS = GROUPS
"""Rows of a block. Tests of means flip and draw the users of one block; of more users, groups (`group_sums.py`)."""


def is_large(rows: int) -> bool:
    """True if so many rows are more than one block."""
    return rows > BLOCK_ROWS


def block_slices(rows: int) -> list[slice]:
    """The rows of each block; one empty block if there are no rows."""
    return [slice(start, min(start + BLOCK_ROWS, rows)) for start in range(0, max(rows, 1), BLOCK_ROWS)]


def hash_order(ids: pl.Series) -> Int64:
    """The places of ids in the order of their hashes; equal ones keep their order."""
    return np.argsort(hash_ids(ids), kind="stable").astype(np.int64)
