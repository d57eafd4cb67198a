"""Files of columns that are damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.data.files import refused_or_read, write

from heldout import read, read_side
from heldout.data import parquet
from heldout.data.runs import read_run
from heldout.errors import InputError


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_damaged_files_of_columns(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"user": list(range(300)), "item": [str(k) for k in range(300)], "rating": [1.5] * 300})
    path = tmp_path / f"r.{suffix}"
    frame.write_parquet(path) if suffix == "parquet" else frame.write_ipc(path)
    whole = path.read_bytes()
    draw = np.random.default_rng(2)
    for _ in range(40):
        damaged = bytearray(whole)
        for place in draw.integers(0, len(whole), draw.choice([1, 3, 30])):
            damaged[place] = int(draw.integers(256))
        refused_or_read(write(path, bytes(damaged)))
        refused_or_read(write(path, whole[: int(draw.integers(len(whole)))]))


def test_a_panic_of_polars_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.parquet"
    pl.DataFrame({"user": [1], "item": [2]}).write_parquet(path)

    def panic(*_: Any, **__: Any) -> None:
        raise pl.exceptions.PanicException("called `Result::unwrap()`")

    monkeypatch.setattr(parquet.pl, "read_parquet", panic)
    for way in (read, read_run, read_side):
        with pytest.raises(InputError, match=r"r\.parquet: not a readable Parquet file \(called"):
            way(path)
