"""Values per user: which columns are metrics, and a digest of all of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
from tests.analysis.tiny import part
from tests.reports.kept import PROTOCOL

from heldout.tables import Vocabulary
from heldout.tables.scores import COUNTS, DENOMINATOR, WEIGHT, is_count

(SCORES,) = part("A", {"P@5": [0.2, np.nan], "RR": [1.0, 0.5]}, counts={"test": [3, 4]}, length=[5, 0]).scores


def test_columns_of_users_are_no_metrics() -> None:
    assert all(is_count(name) for name in (*COUNTS, WEIGHT, f"{DENOMINATOR}P@5"))
    assert not any(is_count(name) for name in ("P@5", "Unrated@5", "testing", "weight"))


def test_a_metric_is_found_by_its_name() -> None:
    assert SCORES.column("RR").tolist() == [1.0, 0.5]
    assert SCORES.headline() == "A, fold 1: 2 users by P@5, RR"


def test_a_row_for_every_user_under_their_own_ids() -> None:
    frame = SCORES.to_polars(Vocabulary.of(pl.Series(["x", "y"])))
    assert frame["user_id"].to_list() == ["x", "y"] and SCORES.to_polars()["user_id"].to_list() == [0, 1]
    assert frame["P@5"].is_nan().to_list() == [False, True] and frame["length"].to_list() == [5, 0]
    assert frame["test"].to_list() == [3, 4] and frame["target"].to_list() == ["AllItems"] * 2


def test_whatever_changes_is_another_digest() -> None:
    changes = [
        replace(SCORES, system="B"),
        replace(SCORES, fold=1),
        replace(SCORES, protocol=replace(PROTOCOL, ties="trec")),
        replace(SCORES, metrics=("P@5", "AP")),
        replace(SCORES, values=SCORES.values[::-1]),
        replace(SCORES, computed=np.array([4.0, 0.0])),
        replace(SCORES, counts={"test": np.array([3.0, 5.0])}),
        replace(SCORES, counts={"train": np.array([3.0, 4.0])}),
    ]
    assert len({SCORES.digest, *(changed.digest for changed in changes)}) == 1 + len(changes)
    assert replace(SCORES, values=SCORES.values.copy()).digest == SCORES.digest
