"""A given test set beside filtered data."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import heldout as ho


def test_what_filters_take_out_leaves_a_given_test_set_too(tmp_path: Path) -> None:
    """Ratings below 4 are filtered; of the test pairs (1, a, 5) and (2, b, 2) only the first is left."""
    rows = [(u, i, 5) for u in (1, 2, 3) for i in "acd"] + [(2, "b", 2), (3, "e", 1)]
    pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row").write_csv(tmp_path / "all.csv")
    pl.DataFrame([(1, "a", 5), (2, "b", 2)], schema=["user", "item", "rating"], orient="row").write_csv(
        tmp_path / "test.csv"
    )
    study = {
        "data": str(tmp_path / "all.csv"),
        "filters": [["positive(4)"]],
        "split": f'given(test="{tmp_path / "test.csv"}")',
        "recommend": "Popularity",
        "metrics": "P@1",
    }
    found = ho.run(study).facts.splits[0]
    assert (found.train, found.test, found.users) == (8, 1, 1)
    assert found.dropped == (("test pairs that the filtered data lack", 1),)
