"""A small test set and two runs, in memory and in many files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

USERS, ITEMS = 300, 60


class Evaluated(NamedTuple):
    """A test set and runs."""

    test: pl.DataFrame
    train: pl.DataFrame
    runs: dict[str, pl.DataFrame]


def evaluated(*, text: bool = False, users: int = USERS) -> Evaluated:
    """300 users; A lists something for everybody and for some strangers, B leaves out every seventh user."""
    draw = np.random.default_rng(5)
    order = np.argsort(draw.random((users + 5, ITEMS)), axis=1)

    def frame(item: np.ndarray, who: np.ndarray, **column: np.ndarray) -> pl.DataFrame:
        user = np.repeat(who, item.shape[1])
        rows = pl.DataFrame({"user": user, "item": item.ravel(), **{name: c.ravel() for name, c in column.items()}})
        names = pl.format("u{}", "user").alias("user"), pl.format("i{}", "item").alias("item")
        return rows.with_columns(*names) if text else rows

    who = np.arange(users)
    test = frame(order[:users, :6], who, rating=draw.integers(1, 6, (users, 6)))
    train = frame(order[:users, 6:12], who, rating=draw.integers(1, 6, (users, 6)))
    everybody, some = np.arange(users + 5), who[who % 7 > 0]
    runs = {
        "A": frame(order[:, 3:18], everybody, score=draw.integers(0, 30, (users + 5, 15)) / 8),
        "B": frame(order[some, 2:14], some, score=draw.random((len(some), 12))),
    }
    return Evaluated(test, train, runs)


def write(frame: pl.DataFrame, folder: Path, files: int, seed: int = 0) -> str:
    """Rows in any order in so many files; the pattern that names them."""
    folder.mkdir(parents=True)
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=seed)
    for number in range(files):
        shuffled[number::files].write_parquet(folder / f"{number}.parquet")
    return str(folder / "*.parquet")
