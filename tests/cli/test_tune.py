"""`heldout tune`, and what it and `recommend` refuse."""

from __future__ import annotations

import json

import pytest


def test_tune_chooses_shows_and_keeps(heldout, desk):
    pytest.importorskip("optuna")
    words = ("tune", "--model", "UserKNN", "--data", "ratings.csv", "--metric", "nDCG@3", "--out", "t", "-r", "k=1..6")
    done = heldout(*words, "--trials", "3")
    assert done.code == 0
    assert "nDCG@3" in done.out
    assert "3 trials" in done.out
    again = heldout(*words, "--trials", "4", "--json")
    found = json.loads(again.out)
    assert found["trials"] == 4
    assert found["model"].startswith("UserKNN")
    assert json.loads((desk / "t" / "tuned.json").read_text())["parameters"] == found["parameters"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("recommend", "--model", "Populrity", "--data", "ratings.csv", "--out", "r.csv"), "did you mean Popularity"),
        (("recommend", "--model", "Popularity", "--data", "ratings.csv", "--out", "r.doc"), "cannot write a run"),
        (("recommend", "--model", "Popularity", "--data", "nothing.csv", "--out", "r.csv"), "nothing.csv"),
        (("recommend", "--model", "PureSVD", "--data", "ratings.csv", "--out", "r.csv"), "fewer than 8 factors"),
        (("tune", "--model", "UserKNN", "--out", "t"), "name a study file, or ratings by --data"),
        (("tune", "study.toml", "--model", "UserKNN", "--data", "ratings.csv", "--out", "t"), "by --data, not both; found"),
        (("tune", "--model", "UserKNN", "--data", "ratings.csv", "--out", "t", "-r", "k"), "expected NAME=RANGE"),
        (("tune", "--model", "UserKNN", "--data", "ratings.csv", "--out", "t", "-r", "q=x..3"), "of q: expected a number"),
        (("tune", "--model", "Random", "--data", "ratings.csv", "--out", "t"), "nothing of Random is to be tuned"),
    ],
)
def test_errors_are_told_with_exit_code_2(heldout, desk, words, message):
    done = heldout(*words)
    assert done.code == 2
    assert message in " ".join(done.err.split())
    assert not (desk / "t").exists()
