"""What is said of systems, of failed ones too."""

from __future__ import annotations

from pathlib import Path

from tests.review.methods.sections import text_of
from tests.review.methods.test_methods_failed import STUDY, broken, lines_of

import heldout as ho
from heldout.experiment.failure import left_out


def test_a_run_tells_only_those_compared_and_who_failed(tmp_path: Path) -> None:
    """Of three systems one failed: one pair is left, and where it was the baseline all pairs of the others are."""
    ho.run({**STUDY, "compare": {"tests": ["t"], "baseline": "mine"}}, models={"mine": broken}, out=tmp_path).save(tmp_path)
    found = ho.methods(tmp_path)
    said = text_of(found, "Systems")
    assert said.startswith("We compared two systems: Popularity:")
    assert "The system mine failed and is left out (score: RuntimeError: out of order)." in said
    assert "mine: a system of our own" not in said
    assert "All pairs of systems were compared, 1 comparison in each setting." in text_of(found, "Statistical comparison")
    assert lines_of(found)["Systems"][0][2] == "mine (failed, left out)"
    (finding,) = [f for f in ho.lint(tmp_path).findings if f.code == "HO107"]
    assert finding.message.startswith("mine failed and is left out (score: RuntimeError: out of order)")
    assert finding.severity == "error"


def test_names_are_told_from_cells_though_they_hold_their_sign() -> None:
    manifest = {"failed": {"d | none | s | 0 | a | b": "fit: x", "d | none | s | 1 | a | b": "fit: y"}}
    (one,) = left_out(manifest, ["b", "a | b"])
    assert (one.system, one.failed, one.everywhere) == ("a | b", 2, True)
    assert one.sentence() == "a | b failed on 2 folds and is left out (fit: x)"


def test_splits_are_counted_under_each_seed() -> None:
    """Two splits under two seeds are four; one of them failed."""
    parts = {f"d | none | {split} | seed {seed}": "" for split in "st" for seed in (1, 2)}
    manifest = {"kind": "multiverse", "seeds": [1, 2], "parts": parts, "failed": {"d | none | s | seed 1 | A": "fit: x"}}
    (one,) = left_out(manifest, ["A"])
    assert one.sentence() == "A failed on 1 of 4 splits under a seed and is left out there (fit: x)"
