"""Studies in a manifest and searches in a file, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from tests.refusals import refused

from heldout import Tuned
from heldout.errors import InputError, NotApplicableError, ResultsError
from heldout.study.file import study_from
from heldout.study.record import RecordedSource, guess_record, recorded_guess, recorded_study, study_record
from heldout.study.systems import System
from heldout.study.tuned import Trial, read_tuned, write_tuned
from heldout.targets.relevance.by_scale import guess_relevance

WIDE: dict[str, Any] = {
    "data": "simulate(users=9)",
    "filters": [[], ["positive(4)", "core(2)"]],
    "split": ["ratio(train=0.5)", "folds(3)"],
    "users": [["with_train", "with_relevant"], "all"],
    "recommend": ["Popularity", {"name": "small", "model": "UserKNN(k=3)"}],
    "fallback": ["none", "popularity"],
    "relevance": ["threshold(3)", "user_mean"],
    "target": ["AllItems", "OnePlusRandom(5)"],
    "unrated": ["zero", "condense"],
    "ties": ["item", "random"],
    "metrics": ["P@[5, 10]", "ILD@5", "HLU aggregate=pooled"],
    "objectives": "ILD@5",
    "aggregate": ["mean", "median"],
    "undefined": ["zero", "skip"],
    "coverage": ["zero", "intersection"],
    "compare": {"tests": ["t", "sign"], "correction": "holm", "level": 0.01, "baseline": "small", "folds": "pooled"},
    "validation": "ratio(train=0.9, by=user)",
    "development": 0.5,
    "seed": 7,
    "title": "Wide",
    "meta": {"sampling": "user", "shares": [1.0, 0.5]},
    "task": "all_good_items",
}


def manifest(**more: Any) -> dict[str, Any]:
    """What a file would hold: JSON and back."""
    read: dict[str, Any] = json.loads(json.dumps(more))
    return read


def test_what_is_recorded_comes_back_equal() -> None:
    study = study_from(WIDE)
    again = recorded_study(manifest(study=study_record(study)))
    assert again == study and again.meta == study.meta == WIDE["meta"]


def test_a_guessed_rule_comes_back_with_its_reason() -> None:
    guess = guess_relevance(np.array([1.0, 3.0, 5.0]))
    study = study_from({**WIDE, "relevance": "by_scale"}).with_guess(guess)
    again = recorded_study(manifest(study=study_record(study), **guess_record(guess)))
    assert again == study and again.guess == guess
    assert recorded_guess({}) is None


def test_runs_from_elsewhere_are_named_by_the_results() -> None:
    record = {**study_record(study_from(WIDE)), "recommend": []}
    record["compare"]["baseline"] = "B"
    assert [system.name for system in recorded_study(manifest(study=record), ["A", "B"]).recommend] == ["A", "B"]


def test_a_search_is_recorded_without_its_trials() -> None:
    tuned = Tuned(
        model="UserKNN(k=3)",
        parameters={"k": 3},
        metric="P@5",
        value=0.25,
        number=4,
        trials=(),
        cpu_seconds=1.25,
        ranges={"k": "1…9"},
        protocol={"split": "ratio", "data": "simulate", "unknown": "x"},
    )
    study = study_from({**WIDE, "compare": ["t"]})
    study = type(study)(**{**vars(study), "recommend": (System("s", study.recommend[0].recommender, tuned),)})
    (system,) = recorded_study(manifest(study=study_record(study))).recommend
    assert system.tuning is not None
    assert system.tuning.summary() == {**tuned.summary(), "validation": ""}


def test_what_was_in_memory_is_known_by_name_and_cannot_be_read_or_fitted() -> None:
    frame = pl.DataFrame({"user": [1], "item": [1], "rating": [5]})
    study = study_from({"data": frame, "split": "ratio"}, models={"mine": lambda train, users: None})
    again = recorded_study(manifest(study=study_record(study)))
    (source,), (system,) = again.data, again.recommend
    assert source == RecordedSource("frame") and system.name == "mine"
    for reading in (source.read, source.source_digest):
        with refused(InputError, file="frame", hint="run the study on a file"):
            reading()
    with refused(NotApplicableError, where="mine"):
        system.recommender.fit(None, seed=1)  # type: ignore[arg-type]


TUNED = Tuned(
    model="UserKNN(k=3)",
    parameters={"k": 3, "similarity": "cosine"},
    metric="P@5",
    value=0.25,
    number=1,
    trials=(
        Trial(number=0, parameters={"k": 1}, value=None, cpu_seconds=0.5, reason="k is too small"),
        Trial(number=1, parameters={"k": 3}, value=0.25, cpu_seconds=0.75),
    ),
    cpu_seconds=1.25,
    ranges={"k": "1…9"},
    protocol={"split": "ratio", "validation": "ratio(train=0.8, by=user)", "metrics": "P@5"},
)


def test_it_comes_back_from_the_folder_and_from_the_file(tmp_path: Path) -> None:
    path = write_tuned(TUNED, tmp_path)
    assert read_tuned(tmp_path) == read_tuned(path) == TUNED


def test_it_prints_the_model_and_its_cost() -> None:
    assert repr(TUNED) == "UserKNN(k=3): P@5 0.2500 on validation ratings, the best of 2 trials in 1.25 s of processor time"


def test_a_report_says_how_it_was_chosen_and_on_what() -> None:
    summary = TUNED.summary()
    assert (summary["trials"], summary["validation"]) == (2, "ratio(train=0.8, by=user)")
    assert summary["protocol"] == {"split": "ratio"}  # of a protocol, what says which ratings were looked at


def test_a_changed_foreign_or_missing_file_is_refused(tmp_path: Path) -> None:
    with refused(ResultsError, where="nowhere", hint="heldout tune"):
        read_tuned(tmp_path / "nowhere")
    path = write_tuned(TUNED, tmp_path)
    text = path.read_text()
    path.write_text(text.replace("0.25", "0.75"))
    with refused(ResultsError, where="tuned.json", hint="run the same search again"):
        read_tuned(tmp_path)
    path.write_text('{"value": 1}')
    with refused(ResultsError, where="tuned.json", expected="a file that `heldout tune` wrote"):
        read_tuned(tmp_path)
    for version, hint in ((99, "upgrade heldout"), (1, "run the same search again")):
        path.write_text(f'{{"heldout": {version}}}')
        with refused(ResultsError, where="tuned.json", found=version, expected="format 2", hint=hint):
            read_tuned(tmp_path)
