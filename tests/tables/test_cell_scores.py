"""The users of a table of scores, in numbers."""

from __future__ import annotations

import numpy as np

from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.cell_scores import CellScores, MeasuredUsers, measured_users

KEY = ProtocolKey(
    data="d", filter="none", split="s", users="all", fallback="none", relevance="threshold(4)", target="AllItems",
    unrated="zero", ties="item",
)  # fmt: skip


def _scores(**counts: list[float]) -> Scores:
    return Scores(
        system="A", protocol=KEY, fold=2, users=np.arange(3, dtype=np.int32), metrics=("P@5",), values=np.zeros((3, 1)),
        length=np.array([0.0, 4.0, 7.0]), computed=np.zeros(3), lists=np.ones(3, dtype=np.int32),
        counts={name: np.array(column) for name, column in counts.items()},
    )  # fmt: skip


def _measured(scores: Scores) -> MeasuredUsers:
    (users,) = measured_users([CellScores((scores,), Vocabulary.numbered(3))])
    return users


def test_counts_by_hand() -> None:
    measured = _measured(_scores(test=[2.0, 1.0, 0.0], relevant=[0.0, 1.0, 0.0]))
    assert (measured.system, measured.fold, measured.users) == ("A", 2, 3)
    assert (measured.empty, measured.longest) == (1, 7.0)
    assert (measured.tested, measured.without_relevant, measured.all_relevant) == (2, 1, False)
    assert measured.covered == bytes([0, 1, 1])


def test_all_relevant_is_told_only_where_ratings_are_counted() -> None:
    assert _measured(_scores(test=[1.0, 2.0, 0.0], relevant=[1.0, 2.0, 0.0])).all_relevant
    assert not _measured(_scores()).all_relevant
