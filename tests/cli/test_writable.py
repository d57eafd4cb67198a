"""What is written never destroys what is read, and is refused before any work."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import RATINGS, Command, study_text

KEPT = "will not be written over"


@pytest.mark.parametrize(
    "arguments",
    [
        ("data", "filter", "ratings.csv", "ratings.csv", "-f", "core(1)"),
        ("data", "filter", "ratings.csv", "linked.csv", "-f", "core(1)"),
        ("data", "convert", "./ratings.csv", "ratings.csv"),
        ("data", "convert", 'csv("ratings.csv", user=user)', "ratings.csv"),
        ("data", "convert", "rat*.csv", "ratings.csv"),
        ("data", "simulate", "ratings.csv", "--like", "ratings.csv"),
        ("recommend", "--model", "Popularity", "--data", "ratings.csv", "--out", "ratings.csv"),
        ("recommend", "--model", "Random", "--data", "a.csv", "-o", "ratings.csv", "--split", 'given(test="ratings.csv")'),
        ("evaluate", "--qrels", "ratings.csv", "--run", "a.csv", "--per-user", "ratings.csv"),
        ("evaluate", "--qrels", "test.csv", "--run", "A=ratings.csv", "--report", "ratings.csv"),
        ("evaluate", "--qrels", "test.csv", "--run", "a.csv", "--train", "ratings.csv", "--report", "ratings.csv"),
    ],
)
def test_an_input_is_not_written_over(heldout: Command, desk: Path, arguments: tuple[str, ...]) -> None:
    (desk / "linked.csv").symlink_to(desk / "ratings.csv")
    said = heldout(*arguments)
    assert said.code == 2 and said.out == "" and KEPT in said.err and "name another file" in said.err, said
    assert (desk / "ratings.csv").read_text(encoding="utf-8") == RATINGS


def test_a_study_is_not_written_over_by_its_section(heldout: Command, desk: Path) -> None:
    (desk / "study.toml").write_text(study_text())
    said = heldout("methods", "study.toml", "--format", "markdown", "--out", "study.toml")
    assert said.code == 2 and KEPT in said.err, said
    assert (desk / "study.toml").read_text() == study_text()


def test_other_files_are_written_over(heldout: Command, desk: Path) -> None:
    for _ in range(2):
        said = heldout("data", "convert", "ratings.csv", "new.csv")
        assert said.code == 0 and (desk / "new.csv").exists(), said
