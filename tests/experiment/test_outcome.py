"""Scores of a study as one table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
from tests.analysis.tiny import part
from tests.reports.kept import PROTOCOL

from heldout.experiment.outcome import Outcome
from heldout.tables import Vocabulary


def test_systems_and_protocols_come_in_the_order_in_which_they_were_measured() -> None:
    other = replace(PROTOCOL, target="TestItems")
    parts = [part("B", {"RR": [1.0]}, fold=fold, protocol=protocol) for protocol in (PROTOCOL, other) for fold in (0, 1)]
    outcome = Outcome(parts=(*parts, part("A", {"RR": [1.0]}, protocol=other)))
    assert outcome.systems() == ["B", "A"]
    assert outcome.protocols() == [PROTOCOL, other]


def test_a_metric_that_was_not_measured_of_a_system_is_missing_and_not_undefined() -> None:
    outcome = Outcome(parts=(part("A", {"RR": [1.0, np.nan]}), part("B", {"RR": [0.5, 0.5], "RMSE": [1.0, 2.0]})))
    frame = outcome.per_user()
    assert frame["system"].to_list() == ["A", "A", "B", "B"]
    assert frame["RMSE"].to_list() == [None, None, 1.0, 2.0]
    assert frame["RR"].is_nan().to_list() == [False, True, False, False]


def test_ids_are_texts_as_soon_as_one_part_has_texts() -> None:
    numbered, named = part("A", {"RR": [1.0, 0.5]}), part("B", {"RR": [1.0, 0.5]})
    named = replace(named, users=Vocabulary.of(pl.Series(["0", "x"])))
    assert Outcome(parts=(numbered, named)).per_user()["user_id"].to_list() == ["0", "1", "0", "x"]
    assert Outcome(parts=(numbered, numbered)).per_user()["user_id"].to_list() == [0, 1, 0, 1]
