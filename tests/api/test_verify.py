"""Every file of a results folder checked, the report among them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError

STUDY = {
    "data": "simulate(users=40, items=20, ratings=300)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "Random"],
    "metrics": "P@5",
}
REPORT = "report.html"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    ho.run(STUDY, out=tmp_path / "out")
    return tmp_path / "out"


def problems(out: Path) -> dict[str, str]:
    return {file: problem for file, problem in ho.verify(out).iter_rows() if problem}


def test_missing_files_and_reports_of_others_are_told(out: Path) -> None:
    assert problems(out) == {} and REPORT in ho.verify(out)["file"].to_list()
    part = next((out / "scores").glob("*.parquet"))
    part.unlink()
    (out / "report.html").write_text("<p>Random wins")
    assert problems(out) == {
        f"scores/{part.name}": "is missing; run the study again",
        "report.html": "is not what the facts give; heldout report --html writes it anew",
    }
    (out / "facts.json").unlink()
    assert problems(out)["facts.json"] == "is missing; run the study again"


def test_a_report_that_is_gone_or_of_another_version(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (out / REPORT).unlink()
    assert problems(out) == {REPORT: "is missing; heldout report --html writes it anew"}
    monkeypatch.setattr("heldout.api.verify.__version__", "99.0")
    assert problems(out) == {}  # another version draws another page, and this one cannot tell


def test_no_results_are_no_table(tmp_path: Path) -> None:
    with refused(ResultsError, where=str(tmp_path), hint="name the folder that a run was told by --out"):
        ho.verify(tmp_path)
    with refused(ResultsError, where="nowhere", hint="name the folder that a run was told by --out"):
        ho.verify(tmp_path / "nowhere")
