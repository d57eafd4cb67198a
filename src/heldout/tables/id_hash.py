"""Users by a hash of their ids: which shard and which group a user belongs to, whatever files and users are beside."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heldout.tables.arrays import Int64
from heldout.tables.vocabulary import PLAIN_NUMBER

GROUP_BITS = 16
GROUPS = 1 << GROUP_BITS
"""Groups of users whose signs flip together, and that are drawn together, in tests of more users than there are groups."""
SHARDS = 1 << 12
"""Shards of users over which sums run; a shard is 16 groups."""


def hash_ids(ids: pl.Series) -> NDArray[np.uint64]:
    """A 64-bit hash of every id: splitmix64 of a whole number, FNV-1a (then mixed) of the UTF-8 bytes of any other text.

    A text that is a whole number in its only spelling has the hash of the number, so "17" and 17 are one user.
    """
    from heldout.kernels.hashing import hash_numbers, hash_texts

    hashes = np.empty(len(ids), dtype=np.uint64)
    if ids.dtype.is_integer():
        hash_numbers(np.ascontiguousarray(ids.cast(pl.Int64).to_numpy()), hashes)
        return hashes
    texts = ids.cast(pl.String)
    content = np.frombuffer(texts.str.join("").item().encode(), dtype=np.uint8)
    hash_texts(content, texts.str.len_bytes().cast(pl.Int64).to_numpy(), hashes)
    plain = texts.str.contains(PLAIN_NUMBER)
    if plain.any():
        numbers = pl.select(pl.when(plain).then(texts)).to_series().cast(pl.Int64, strict=False)
        present = numbers.is_not_null().to_numpy()
        of_numbers = np.empty(int(present.sum()), dtype=np.uint64)
        hash_numbers(np.ascontiguousarray(numbers.drop_nulls().to_numpy()), of_numbers)
        hashes[present] = of_numbers
    return hashes


def groups_of(hashes: NDArray[np.uint64]) -> Int64:
    """The group of every hash, 0 to `GROUPS` − 1."""
    return (hashes >> np.uint64(64 - GROUP_BITS)).astype(np.int64)
