"""Systems that failed are not told as compared, and what somebody wrote is not called a default."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.review.methods.sections import text_of

import heldout as ho
from heldout import Methods
from heldout.study.file import written_keys

STUDY: dict[str, Any] = {
    "data": "simulate(users=60, items=30, ratings=900)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "Random"],
    "metrics": "P@5",
    "compare": {"tests": ["t"]},
}


SPLITS = ["ratio(train=0.4, by=user)", "ratio(train=0.8, by=user)"]


def broken(train: Any, users: Any) -> Any:
    raise RuntimeError("out of order")


def choosy(train: Any, users: Any) -> Any:
    """Works with more than half of the 900 ratings only."""
    if len(train) < 450:
        raise RuntimeError("too few ratings")
    return np.tile(np.arange(train.n_items, dtype=np.float32), (len(users), 1))


def lines_of(found: Methods) -> dict[str, tuple[tuple[str, ...], bool]]:
    return {d.question: (d.chosen, d.default) for d in found.checklist}


@pytest.mark.parametrize(
    ("model", "told", "systems", "pairs"),
    [
        (choosy, "mine failed on 1 of 2 splits and is left out there (score: RuntimeError: too few ratings)", "three", 3),
        (broken, "mine failed on every split and is left out (score: RuntimeError: out of order)", "two", 1),
    ],
)
def test_a_multiverse_tells_where_a_system_failed(model: Any, told: str, systems: str, pairs: int, tmp_path: Path) -> None:
    asked = {**STUDY, "split": SPLITS, "multiverse": {"seeds": [1]}}
    ho.multiverse(asked, models={"mine": model}, out=tmp_path)
    found = ho.methods(tmp_path)
    said = text_of(found, "Systems")
    assert said.startswith(f"We compared {systems} systems: ")
    assert f"The system {told}." in said
    compared = text_of(found, "Statistical comparison")
    assert f"{pairs} comparison{'s' if pairs > 1 else ''} in each setting" in compared
    assert ("fewer comparisons on the splits where mine failed" in compared) == (model is choosy)
    review = ho.lint(tmp_path)
    assert [f.message for f in review.findings if f.code == "HO107"] == [f"{told}."]
    assert "HO107" not in [u.code for u in review.unchecked]
    assert "Written from a finished multiverse of" in found.to_markdown()
    assert "Written from the study alone" not in found.to_markdown() + found.to_latex()
    assert text_of(found, "Software and reproducibility").startswith("The experiment was run with Heldout")
    assert not lines_of(found)["Seed"][1]


def test_a_multiverse_without_failures_leaves_no_question_of_them(tmp_path: Path) -> None:
    asked = {**STUDY, "multiverse": {"seeds": [1]}}
    assert "HO107" in [u.code for u in ho.lint(asked).unchecked]
    ho.multiverse(asked, out=tmp_path)
    found = ho.lint(tmp_path)
    assert "HO107" not in [*found.codes, *(u.code for u in found.unchecked)]


def test_what_was_written_is_no_default(tmp_path: Path) -> None:
    """Task and relevance are written and are what a study takes anyway; ties are not written."""
    asked = {**STUDY, "task": "some_good_items", "relevance": "threshold(4)"}
    ho.run(asked, out=tmp_path).save(tmp_path)
    for found in (ho.methods(asked), ho.methods(tmp_path)):
        lines = lines_of(found)
        assert lines["Task"] == (("some_good_items",), False)
        assert lines["What is relevant"] == (("threshold(tau=4)",), False)
        assert lines["Items of equal score"][1] and lines["Seed"][1] and lines["Correction for many comparisons"][1]
        assert not lines["Significance tests"][1]


def test_where_it_is_not_known_what_was_written_nothing_is_called_a_default() -> None:
    results = ho.run(STUDY)
    results.findings.manifest.pop("given")
    assert not any(d.default for d in ho.methods(results).checklist)


def test_keys_of_tables_are_told_apart() -> None:
    assert written_keys({"task": None, "data": "x", "compare": {"level": 0.1, "baseline": None}}) == [
        "compare.level",
        "data",
    ]
    assert written_keys({"compare": ["t"], "multiverse": {"seeds": [1]}}) == ["compare.tests", "multiverse.seeds"]
