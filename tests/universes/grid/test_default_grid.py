"""The grid for users who name none fits the data they have."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from heldout.universes.grid.default_grid import default_keys
from heldout.universes.grid.file import multiverse_from


def keys_of(users: list[int], values: list[float], **more: Any) -> dict[str, Any]:
    frame = pl.DataFrame({"user": users, "item": range(len(users)), "rating": values, **more})
    keys = default_keys(frame, ["Popularity", "Random"])
    multiverse_from(keys)
    return keys


@pytest.mark.parametrize(
    ("users", "time", "last"),
    [
        ([1, 1, 2, 2], {}, "leave_out(1)"),
        ([1, 1, 1, 2], {}, "leave_out(1, short=train)"),
        ([1, 1, 2, 2], {"timestamp": [1, 2, 3, 4]}, "temporal(by=user, last=1)"),
        ([1, 1, 1, 2], {"timestamp": [1, 2, 3, 4]}, "temporal(by=user, last=1, short=train)"),
    ],
)
def test_a_user_with_one_rating_does_not_end_it(users: list[int], time: dict[str, Any], last: str) -> None:
    assert keys_of(users, [1, 3, 4, 5], **time)["split"][-1] == last


def test_ratings_below_0_are_no_gains() -> None:
    assert keys_of([1, 1, 2, 2], [1, 3, 4, 5])["multiverse"]["gains"] == ["binary", "linear", "exp2"]
    assert keys_of([1, 1, 2, 2], [-2, -1, 1, 2])["multiverse"]["gains"] == ["binary"]
