"""Columns of a piece by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.analysis.test_merged_settings import KEY

from heldout.analysis.alignment import align_scores
from heldout.analysis.piece_columns import piece_columns
from heldout.catalogue import make
from heldout.study.analysis import make_analysis
from heldout.tables import Scores, Vocabulary
from heldout.tables.id_hash import GROUPS


def test_three_users_by_hand() -> None:
    # A has 1, 0 and no list, B 0.5, 0.5 and 0.5; all three have 2 test ratings, the second none that is relevant.
    tables = []
    for system, values, length in (("A", [1.0, 0.0, 0.0], [5.0, 5.0, 0.0]), ("B", [0.5, 0.5, 0.5], [7.0, 5.0, 5.0])):
        tables.append(
            Scores(
                system=system, protocol=KEY, fold=0, users=np.arange(3, dtype=np.int32), metrics=("P@5",),
                values=np.array([values]).T, length=np.array(length), computed=np.array(length),
                lists=np.ones(3, dtype=np.int32),
                counts={"test": np.full(3, 2.0), "relevant": np.array([1.0, 0.0, 2.0])},
            )
        )  # fmt: skip
    table = align_scores(tables, Vocabulary.numbered(3), ["A", "B"])
    analysis = make_analysis({"metrics": ["P@5"]}, systems=["A", "B"], targets=(make("target", "AllItems"),))
    piece = piece_columns(analysis, table, range(GROUPS))
    users = {name: int(column[0]) for name, column in piece.moments.items()}
    assert users["users"] == users["tested"] == 3
    assert (users["served"], users["empty 0"], users["empty 1"], users["listed differently"]) == (2, 1, 0, 1)
    assert (users["without relevant"], users["not relevant"]) == (1, 2)
    assert (users["greater 0 0"], users["less 0 0"]) == (1, 2)
    assert piece.moments["system 0 0"][3] == pytest.approx(1 / 3)
    assert piece.moments["pair 0 0"][[0, 3]].tolist() == pytest.approx([3, -1 / 6])  # (0.5 − 0.5 − 0.5) / 3
    assert piece.sums["system 0 0"].sum() == 1.0
    assert piece.sums["#system 0 0"].sum() == 3
    assert piece.longest == (5.0, 7.0)
