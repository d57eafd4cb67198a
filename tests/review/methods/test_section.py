"""The experimental section: its sentences, its numbers, its checklist, and the study file that repeats it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.review.methods.sections import STUDY, text_of

import heldout as ho
from heldout import Methods, Results
from heldout.catalogue import Component, classes
from heldout.experiment.ledger.manifest import manifest_text
from heldout.review.study_under_review import study_under_review
from heldout.study.record import study_record


def test_all_sections_are_there_in_the_order_in_which_data_flow(section: Methods) -> None:
    assert [s.title for s in section.sections] == [
        "Data",
        "Splitting",
        "Users",
        "Systems",
        "Candidates and relevance",
        "Metrics",
        "Aggregation and coverage",
        "Statistical comparison",
        "Software and reproducibility",
    ]


def test_numbers_are_those_of_the_results(section: Methods, results: Results) -> None:
    profile = results.findings.data[0].steps[0].profile
    said = text_of(section, "Data")
    assert f"{profile['ratings']:,} ratings of {profile['items']} items by {profile['users']} users" in said
    folds = [s for s in results.findings.splits if s.filter == "none"]
    assert len(folds) == 3
    tested = {row.users for row in results.findings.leaderboard}
    assert all(f"{n}" in text_of(section, "Users") for n in (min(tested), max(tested)))


def test_a_study_that_was_not_run_is_told_without_numbers() -> None:
    found = ho.methods(STUDY)
    assert not found.measured
    assert "numbers of ratings and users come from the results of a run" in found.to_markdown()
    assert not re.search(r"\d,?\d* ratings of", text_of(found, "Data"))
    assert [s.title for s in found.sections] == [s.title for s in ho.methods(STUDY).sections]


SPOKEN = (
    "split",
    "filter",
    "users",
    "relevance",
    "target",
    "unrated",
    "ties",
    "fallback",
    "undefined",
    "coverage",
    "correction",
)


EXAMPLES = {
    "filter": "core(5) min_ratings(user=5) positive(4) binarise(4) drop_head(0.1) sample(users=0.5) duplicates(keep=sum)",
    "split": "keep(5) per_item(2) temporal(share=0.2) temporal(at=0.8) temporal(by=user,last=1) "
    "test_users(0.5,then=leave_out(2))",
    "target": "P1R(99) U1R(99) targets(relevant=one,nonrelevant=99,percentiles=4) targets(head=0.1) "
    "OnePlusRandom(9,corrected=cls)",
    "relevance": "more_than(2) user_top(0.2)",
    "users": "with_test(5)",
}


@pytest.mark.parametrize("kind", SPOKEN)
def test_every_choice_of_the_house_has_a_phrase_of_its_own(kind: str) -> None:
    house = [cls for cls in classes(kind) if cls.__module__.startswith("heldout.")]
    assert house
    assert not [cls.key for cls in house if cls.phrase is Component.phrase]


@pytest.mark.parametrize("text", [f"{k} {t}" for k, ts in EXAMPLES.items() for t in ts.split(" ")])
def test_phrases_read_as_parts_of_sentences(text: str) -> None:
    kind, written = text.split(" ", 1)
    told = ho.make(kind, written).phrase()
    assert "None" not in told
    assert "  " not in told
    assert not told.endswith(".")
    assert len(told) > 15


def test_a_multiverse_is_told_as_one(tmp_path: Path) -> None:
    asked = {
        "data": "simulate(users=90, items=40, ratings=1500)",
        "split": "ratio(train=0.7, by=user)",
        "recommend": ["Popularity", "UserKNN(k=5)"],
        "metrics": ["nDCG", "P"],
        "compare": ["t"],
        "multiverse": {"seeds": [1, 2], "cutoffs": [5, 10], "gains": ["binary", "linear"]},
    }
    found = ho.methods(asked)
    assert "12 distinct universes" in text_of(found, "Statistical comparison")
    assert "confidence interval" not in text_of(found, "Statistical comparison")
    assert "primary" not in text_of(found, "Metrics") + text_of(found, "Aggregation and coverage")
    assert ("Seed", ("1", "2"), False) in [(d.question, d.chosen, d.default) for d in found.checklist]
    assert "each of the seeds 1 and 2" in text_of(found, "Software and reproducibility")
    assert tomllib.loads(found.study)["multiverse"] == {"seeds": [1, 2]}
    assert "HO509" not in ho.lint(asked).codes
    assert "HO509" in ho.lint({**asked, "multiverse": {"seeds": [1], "cutoffs": [5]}}).codes
    kept = {"kind": "multiverse", "seeds": [1, 2], "universes": 12, "study": study_record(study_under_review(asked).study)}
    (tmp_path / "manifest.json").write_text(manifest_text(kept), encoding="utf-8")
    assert ho.methods(tmp_path).sections[:-1] == found.sections[:-1]
    assert text_of(ho.methods(tmp_path), "Software and reproducibility").startswith("The experiment was run with Heldout")
    assert "HO509" not in ho.lint(tmp_path).codes


def test_metrics_that_were_left_out_are_named_with_the_reason() -> None:
    keys = {**STUDY, "metrics": ["P@5", "RMSE"], "recommend": ["Popularity", "AverageRating"]}
    text = text_of(ho.methods(ho.run(keys)), "Metrics")
    assert (
        "Metrics were left out where they do not apply: RMSE of Popularity: its scores are not on the rating scale." in text
    )
    everything = text_of(ho.methods(ho.run({**keys, "metrics": ["P@5"]})), "Metrics")
    assert "left out" not in everything


def test_runs_made_elsewhere_are_told_as_such() -> None:
    test = pl.DataFrame({"user": ["u1", "u1", "u2"], "item": ["i1", "i2", "i1"], "rating": [5.0, 3.0, 4.0]})
    run = pl.DataFrame({"user": ["u1", "u1", "u2"], "item": ["i1", "i2", "i1"], "score": [2.0, 1.0, 1.0]})
    found = ho.methods(ho.evaluate(test, {"A": run, "B": run}, ["P@2"], relevance="threshold(4)"))
    assert text_of(found, "Data").startswith(
        "Runs were judged against a test set, which holds 3 ratings of 2 items by 2 users"
    )
    assert "made elsewhere" in text_of(found, "Systems")
    assert "could not score" not in text_of(found, "Systems")
    assert "# test set: a table in memory\n# run A: a table in memory\n# run B: a table in memory\n" in found.study
    tomllib.loads(found.study)


def test_runs_are_told_by_their_files_and_descriptions(tmp_path: Path) -> None:
    for name, rows in {"test": "u1,i1,5\nu2,i1,4\n", "train": "u1,i2,3\n", "a": "u1,i1,2\nu2,i1,1\n"}.items():
        (tmp_path / f"{name}.csv").write_text(f"user,item,rating\n{rows}")
    test, train, run = (str(tmp_path / f"{name}.csv") for name in ("test", "train", "a"))
    options = {"train": train, "relevance": "threshold(4)", "descriptions": {"A": "BPR of [@nobody], `64` factors"}}
    found = ho.methods(ho.evaluate(test, {"A": run, "B": run}, ["P@2"], **options))
    assert text_of(found, "Data").startswith("Runs were judged against the test set `test.csv`, which holds 2 ratings")
    assert "the training set `train.csv`: there were 1 training and 2 test ratings" in text_of(found, "Splitting")
    systems = text_of(found, "Systems")
    assert "two runs, made elsewhere: A: BPR of" in systems and systems.endswith("B: read from `a.csv`.")
    assert "of our own" not in systems and "in memory" not in found.to_markdown()
    for file in (test, train, run):
        assert f'"{file}"' in found.study
    digests = text_of(found, "Software and reproducibility")
    assert "test set (`test.csv`)" in digests and "training set (`train.csv`)" in digests
    assert found.to_latex() and found.to_bibtex()
    tomllib.loads(found.study)


def test_systems_of_our_own_are_told_in_one_entry() -> None:
    def constant(train: Any, users: Any) -> Any:
        return np.ones((len(users), train.n_items))

    keys = {**STUDY, "split": "ratio(train=0.7, by=user)", "compare": "none"}
    found = ho.methods(ho.run(keys, models={"Mine": constant, "Yours": constant}))
    assert text_of(found, "Systems").count("of our own") == 1
    assert "Mine and Yours: systems of our own, known to the evaluation by what they recommend." in text_of(found, "Systems")
