"""Scores of a study as one table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
from tests.analysis.tiny import part
from tests.reports.kept import PROTOCOL, facts_of, study_scores_of

import heldout as ho
from heldout.experiment.failure import system_of
from heldout.experiment.study_scores import StudyScores
from heldout.tables import Vocabulary


def test_systems_and_protocols_come_in_the_order_in_which_they_were_measured() -> None:
    other = replace(PROTOCOL, target="TestItems")
    parts = [part("B", {"RR": [1.0]}, fold=fold, protocol=protocol) for protocol in (PROTOCOL, other) for fold in (0, 1)]
    study_scores = StudyScores(parts=(*parts, part("A", {"RR": [1.0]}, protocol=other)))
    assert study_scores.systems() == ["B", "A"]
    assert study_scores.protocols() == [PROTOCOL, other]


def test_a_metric_that_was_not_measured_of_a_system_is_missing_and_not_undefined() -> None:
    study_scores = StudyScores(parts=(part("A", {"RR": [1.0, np.nan]}), part("B", {"RR": [0.5, 0.5], "RMSE": [1.0, 2.0]})))
    frame = study_scores.per_user()
    assert frame["system"].to_list() == ["A", "A", "B", "B"]
    assert frame["RMSE"].to_list() == [None, None, 1.0, 2.0]
    assert frame["RR"].is_nan().to_list() == [False, True, False, False]


def test_ids_are_texts_as_soon_as_one_part_has_texts() -> None:
    numbered, named = part("A", {"RR": [1.0, 0.5]}), part("B", {"RR": [1.0, 0.5]})
    named = replace(named, users=Vocabulary.of(pl.Series(["0", "x"])))
    assert StudyScores(parts=(numbered, named)).per_user()["user_id"].to_list() == ["0", "1", "0", "x"]
    assert StudyScores(parts=(numbered, numbered)).per_user()["user_id"].to_list() == [0, 1, 0, 1]


def test_choices_say_how_systems_are_compared(tmp_path: Path) -> None:
    asked = {"tests": ["sign"], "correction": "sidak", "level": 0.01, "baseline": "Poor"}
    facts = facts_of(study_scores_of(folds=2), metrics="P@10", folds="pooled", **asked)
    told = {c.stage: c.options for c in facts.choices}
    assert (told["compare"], told["correction"], told["level"]) == (("sign(alternative=two_sided)",), ("sidak",), ("0.01",))
    assert (told["baseline"], told["folds"], told["group"]) == (("Poor",), ("pooled",), ("evaluation",))
    assert {c.decision for c in facts.choices if c.stage in ("correction", "level", "baseline")} == {"D"}
    # compared anew, a run's choices up to the scores stay and the others are those now asked for
    study = {
        "data": "simulate(users=30, items=20, ratings=300)",
        "split": "ratio(train=0.7, by=user)",
        "recommend": ["Random", "Popularity"],
        "metrics": ["P@5", "Recall@5"],
    }
    run = ho.run(study, out=tmp_path / "results")
    again = ho.compare(tmp_path / "results", {"tests": "wilcoxon", "correction": "none"}, metrics="P@5", aggregate="median")
    before, now = ({c.stage: c.options for c in r.findings.choices} for r in (run, again))
    assert {k for k in now if now[k] != before[k]} == {"metrics", "compare", "correction", "aggregate"}
    assert (now["compare"], now["aggregate"], len(now["metrics"])) == (("wilcoxon(zeros=wilcox)",), ("median",), 1)
    assert list(now) == list(before)
    page = again.to_html()
    for stage in ("correction", "level", "baseline"):
        assert f">{stage}</th>" in page


def test_a_cell_ends_with_the_name_of_its_system() -> None:
    systems = ["EASE", "mine | EASE", "Random"]
    assert system_of("given | none | ratio | 0 | Random", systems) == "Random"
    assert system_of("given | none | ratio | 0 | EASE", systems) == "EASE"
    assert system_of("given | none | ratio | 0 | mine | EASE", systems) == "mine | EASE"
    assert system_of("given | none | ratio | 0 | unknown", systems) == "unknown"
