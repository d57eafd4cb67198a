"""An id has one hash, as a number or as a text, and groups lie within shards."""

from __future__ import annotations

import numpy as np
import polars as pl

from heldout.tables.id_hash import GROUPS, SHARDS, groups_of, hash_ids


def test_a_number_and_its_text_are_one_user() -> None:
    texts = hash_ids(pl.Series(["17", "-3", "0", "007", "u1"]))
    numbers = hash_ids(pl.Series([17, -3, 0, 7, 1]))
    assert texts[:3].tolist() == numbers[:3].tolist()
    assert texts[3] != numbers[3]  # "007" is a text


def test_a_hash_does_not_depend_on_the_ids_beside() -> None:
    ids = ["a", "b", "12", "é", ""]
    together = hash_ids(pl.Series(ids)).tolist()
    assert together == [hash_ids(pl.Series([text])).tolist()[0] for text in ids]
    assert together == hash_ids(pl.Series(ids[::-1])).tolist()[::-1]
    # The same by whole numbers of Python. A change would put users into other groups and so change p-values.
    fnv = 0xCBF29CE484222325
    for byte in "é".encode():
        fnv = (fnv ^ byte) * 0x100000001B3 % 2**64
    assert together[2:4] == [_mixed((12 + 0x9E3779B97F4A7C15) % 2**64), _mixed(fnv)]


def _mixed(state: int) -> int:
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
    return state ^ state >> 31


def test_users_spread_evenly() -> None:
    hashes = hash_ids(pl.Series(np.arange(1_000_000)))
    shards = groups_of(hashes) // (GROUPS // SHARDS)
    counts = np.bincount(shards, minlength=SHARDS)  # Poisson with mean 244: chi-square of 4,095 degrees of freedom
    statistic = float((np.square(counts - counts.mean()) / counts.mean()).sum())
    assert abs(statistic - (SHARDS - 1)) < 5 * np.sqrt(2 * (SHARDS - 1))
