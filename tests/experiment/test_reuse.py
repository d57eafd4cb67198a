"""What of an earlier run is used again, and why the rest is not."""

from __future__ import annotations

from typing import Any

import pytest

from heldout.experiment.provenance import JUDGED, VOLATILE, lasting, reuse_sentence, why_again

CELL, FOLD = "d | none | ratio | 0 | A", "d | none | ratio | 0"


def manifest(**changed: Any) -> dict[str, Any]:
    return {
        "complete": True,
        "seed": 1,
        "versions": {"heldout": "1"},
        "folds": {FOLD: "f"},
        "parts": {CELL: "key"},
        "inputs": {"d": "digest"},
        "study": {**{stage: ["x"] for stage in JUDGED}, "recommend": [{"name": "A", "model": "A(k=1)"}]},
        **changed,
    }


def why(earlier: dict[str, Any] | None, now: dict[str, Any]) -> str:
    return why_again(earlier, now, CELL, FOLD, "A")


NEW = {"parts": {CELL: "other"}}
STUDY = manifest()["study"]


@pytest.mark.parametrize(
    ("earlier", "now", "reason"),
    [
        (None, manifest(), ""),
        (manifest(failed={CELL: "fit: x"}), manifest(), "it failed before"),
        (manifest(parts={}), manifest(), "it is new"),
        (manifest(), manifest(), "its file is gone"),
        (manifest(complete=False), manifest(), "it was not done before"),
        (manifest(), manifest(**NEW, seed=2), "the seed changed"),
        (manifest(), manifest(**NEW, folds={FOLD: "g"}), "its ratings changed"),
        (manifest(), manifest(**NEW, versions={"heldout": "2"}), "Heldout's version changed"),
        (manifest(), manifest(**NEW, inputs={"d": "e"}), "a file that is read changed"),
        (
            manifest(),
            manifest(**NEW, study={**STUDY, "recommend": [{"name": "A", "model": "A(k=2)"}]}),
            "its parameters changed",
        ),
        (manifest(), manifest(**NEW, study={**STUDY, "target": ["y"], "ties": ["y"]}), "target and ties changed"),
        (manifest(), manifest(**NEW), "what is kept of each user changed"),
    ],
)
def test_why_a_cell_is_made_again(earlier: dict[str, Any] | None, now: dict[str, Any], reason: str) -> None:
    assert why(earlier, now) == reason


def test_a_run_that_is_new_says_nothing() -> None:
    assert reuse_sentence({CELL: {"done": "fitted", "because": ""}}) == ""


def test_the_sentence_counts_and_groups() -> None:
    cells = {
        "f | A": {"done": "reused", "because": ""},
        "f | B": {"done": "fitted", "because": "it is new"},
        "f | C": {"done": "fitted", "because": "it is new"},
    }
    sentence = reuse_sentence(cells)
    assert sentence.startswith("scores of 1 of 3 cells reused")
    assert "B" in sentence and "C" in sentence and sentence.count("it is new") == 1


def test_scores_and_ranks_that_are_used_again_are_counted_apart() -> None:
    """The ranks of B and C are used again, and their scores are not."""
    measured = {"done": "measured", "because": "metrics changed"}
    cells = {"f | A": {"done": "reused", "because": ""}, "f | B": measured, "f | C": measured}
    assert reuse_sentence(cells) == ("scores of 1 of 3 cells reused, only ranks of 2; B, C measured again: metrics changed")


def test_what_differs_between_two_runs_of_the_same_results_is_left_out() -> None:
    kept = lasting({**manifest(), **dict.fromkeys(VOLATILE, "x")})
    assert kept == manifest()
