"""A multiverse whose relevance rule was guessed says so in every form; one whose rule is written does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import heldout as ho
from heldout.cli.app import whole_app

TOLD = "No rule is written, and threshold(tau=4) was taken, since ratings run from 1 to 5"
STUDY = """
data = "simulate(users=90, items=40, ratings=1500)"
split = "ratio(train=0.7, by=user)"
recommend = ["Popularity", "UserKNN(k=5)"]
metrics = ["P", "RR"]
compare = ["t"]
[multiverse]
seeds = [1]
cutoffs = [5, 10]
"""


def explored(folder: Path, text: str) -> str:
    (folder / "study.toml").write_text(text, encoding="utf-8")
    ran = CliRunner().invoke(whole_app(), ["multiverse", str(folder / "study.toml"), "--out", str(folder / "out")])
    assert ran.exit_code == 0, ran.output
    return " ".join(ran.stdout.split())


def relevance_of(methods: Any) -> str:
    return next(s for s in methods.sections if s.title == "Candidates and relevance").paragraphs[0].text


@pytest.fixture(scope="module")
def guessed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("guessed")
    return folder / "out", explored(folder, STUDY)


def test_terminal_page_and_markdown_say_it(guessed: tuple[Path, str]) -> None:
    folder, shown = guessed
    assert f"HO106 The relevance rule was guessed: {TOLD}" in shown
    assert TOLD in (folder / "report.html").read_text(encoding="utf-8")
    assert "HO106" in ho.load(folder).to_markdown()


def test_review_and_methods_say_it(guessed: tuple[Path, str]) -> None:
    review = ho.lint(guessed[0])
    assert [f.message for f in review.findings if f.code == "HO106"] == [f"{TOLD}."]
    assert "`threshold(tau=4)` was taken from the scale of the ratings, since ratings run from 1 to 5" in relevance_of(
        ho.methods(guessed[0])
    )


def test_nothing_is_both_found_and_not_checked(guessed: tuple[Path, str]) -> None:
    review = ho.lint(guessed[0])
    assert {"HO203", "HO508"} <= set(review.codes)
    assert not set(review.codes) & {u.code for u in review.unchecked}


def test_a_written_rule_is_told_as_chosen(tmp_path: Path) -> None:
    shown = explored(tmp_path, 'relevance = "threshold(4)"\n' + STUDY)
    assert "HO106" not in shown and "HO106" not in ho.lint(tmp_path / "out").codes
    assert "scale of the ratings" not in relevance_of(ho.methods(tmp_path / "out"))


def test_methods_of_a_run_say_whose_choice_the_rule_was() -> None:
    keys = {"data": "simulate(users=90, items=40, ratings=1500)", "split": "ratio(train=0.7)", "metrics": ["P@5"]}
    asked = {**keys, "recommend": ["Popularity", "Random"]}
    assert "No rule of relevance was written" in relevance_of(ho.methods(ho.run(asked)))
    assert "was written" not in relevance_of(ho.methods(ho.run({**asked, "relevance": "threshold(4)"})))
