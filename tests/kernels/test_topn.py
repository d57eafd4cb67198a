"""The first items of rows, against a full sort: equal values, the two zeros, infinities, missing values, any depth."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.kernels.topn import best_items

ODD = (0.0, -0.0, 1e-45, -1e-45, np.inf, -np.inf, 1.0)

KINDS = (
    "normal", "few values", "odd", "equal", "scales apart", "equal as float32", "0 as float32", "infinite as float32",
)  # fmt: skip


def rows_of(kind: str, rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    made = {
        "normal": rng.standard_normal(shape),
        "few values": rng.integers(-2, 3, shape),
        "odd": rng.choice(ODD, shape),
        "equal": np.zeros(shape),
        "scales apart": rng.standard_normal(shape) * 10.0 ** rng.integers(-38, 38, (shape[0], 1)),
        "equal as float32": 1.7e9 + rng.integers(0, 100, shape),
        "0 as float32": rng.integers(-50, 50, shape) * 1e-320,
        "infinite as float32": rng.integers(-50, 50, shape) * 1e300,
    }[kind]
    if not kind.endswith("as float32"):
        made = made.astype(np.float32)
    made[rng.random(shape) < rng.choice([0, 0.3, 0.99])] = np.nan
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_best_items_are_those_of_a_full_sort(kind: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(100):
        shape = int(rng.integers(1, 9)), int(rng.integers(1, 400))
        values, n = rows_of(kind, rng, shape), int(rng.integers(1, shape[1] + 1))
        users = np.arange(shape[0], dtype=np.int32)
        train = [np.flatnonzero(rng.random(shape[1]) < 0.1) for _ in users]
        indptr = np.append(0, np.cumsum([len(t) for t in train])).astype(np.int64)
        item, score, kept = best_items(values.copy(), users, indptr, np.concatenate(train).astype(np.int32), n)
        for u in users:
            left = np.setdiff1d(np.flatnonzero(~np.isnan(values[u])), train[u])
            first = left[np.lexsort((left, -values[u, left]))][:n]
            assert kept[u] == len(first)
            np.testing.assert_array_equal(item[u, : len(first)], first)
            np.testing.assert_array_equal(score[u, : len(first)], values[u, first])


def test_rows_before_change_nothing() -> None:
    """The search begins where that of the row before ended: any order of rows gives each the same places."""
    rng = np.random.default_rng(6)
    values = np.vstack([rows_of(kind, rng, (6, 300)) for kind in ("normal", "few values", "odd", "scales apart")])
    values[np.isnan(values)] = -np.inf
    users, none, order = np.arange(24, dtype=np.int32), np.zeros(25, np.int64), rng.permutation(24)
    straight, _, _ = best_items(values.copy(), users, none, np.empty(0, np.int32), 20)
    shuffled, _, _ = best_items(np.ascontiguousarray(values[order]), users, none, np.empty(0, np.int32), 20)
    np.testing.assert_array_equal(shuffled, straight[order])
