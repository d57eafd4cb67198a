"""Columns of users and items that were swapped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from heldout import read
from heldout.errors import InputError


def test_swapped_columns_are_noticed(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    frame = pl.DataFrame({"user": draw.integers(1, 200, 3000), "item": draw.integers(1, 90, 3000)}).unique(
        maintain_order=True
    )
    frame = frame.with_columns(
        rating=pl.Series(draw.integers(1, 6, frame.height)),
        timestamp=pl.Series(range(978_300_000, 978_300_000 + frame.height)),
    )
    path = tmp_path / "r.csv"
    frame.write_csv(path)
    assert len(read(path)) == frame.height
    with pytest.raises(InputError, match=r"more distinct ratings \(199\) than users \(5\).*say user=user, value=rating"):
        read(path, user="rating", value="user")
    with pytest.raises(InputError, match=r"more distinct ratings \(89\) than items \(5\)"):
        read(path, item="rating", value="item", duplicates="latest")
    with pytest.raises(InputError, match=r"ratings such as 978300000 and times such as .: they seem to be swapped"):
        read(path, value="timestamp", time="rating")


def test_play_counts_of_few_users_are_not_taken_for_ids() -> None:
    n = 40
    data = read({"user": [1] * n + [2] * n, "item": list(range(n)) * 2, "plays": list(range(2 * n))})
    assert (data.n_users, len(data)) == (2, 2 * n)
