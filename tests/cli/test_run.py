"""`heldout run`: what it writes. Studies and data that it refuses are in tests/snapshots/messages/studies.txt."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.cli.conftest import Command, study_text
from tests.cli.refusing import refused, write
from tests.cli.saying import fine

from heldout.experiment.cell import CellTask

# run, report, demo


def test_run_writes_a_folder_and_report_shows_it_again(desk: Path, heldout: Command) -> None:
    (desk / "study.toml").write_text(study_text(title='"Two of them"'))
    said = heldout("run", "study.toml", "-o", "results", "--threads", "1", "-v")
    out = fine(said)
    assert "Two of them" in out
    assert "Report: results/report.html" in out
    assert "measure" in said.err  # -v: seconds of each stage
    assert {p.name for p in (desk / "results").iterdir()} == {
        "manifest.json",
        "facts.json",
        "report.html",
        "index.sqlite",
        "scores",
        "ranks",
    }
    assert len(list((desk / "results" / "scores").glob("*.parquet"))) == 2
    shown = fine(heldout("report", "results"))
    assert shown.strip() == out.partition("\nReport:")[0].strip()
    (desk / "results" / "report.html").unlink()
    fine(heldout("report", "results", "--html"))
    assert "Two of them" in (desk / "results" / "report.html").read_text(encoding="utf-8")


def test_quiet_run_prints_nothing(desk: Path, heldout: Command) -> None:
    (desk / "study.toml").write_text(study_text())
    said = heldout("run", "study.toml", "-o", "results", "-q")
    assert (fine(said), said.err) == ("", "")
    assert (desk / "results" / "report.html").exists()


def test_ctrl_c_says_how_to_go_on(desk: Path, heldout: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    compute = CellTask.compute
    monkeypatch.setattr(CellTask, "compute", stopped)
    (desk / "study.toml").write_text(study_text())
    said = heldout("run", "study.toml", "-o", "results")
    assert (said.code, said.out) == (130, "")
    assert said.err == "stopped; run the same command again to go on where it stopped\n"
    monkeypatch.setattr(CellTask, "compute", compute)
    assert "Report: results/report.html" in fine(heldout("run", "study.toml", "-o", "results"))


def test_a_folder_that_may_not_be_written_is_refused_before_the_run(
    desk: Path, heldout: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(desk, "study.toml", study_text())
    if os.geteuid() == 0:  # root may write anywhere, so the refusal is simulated
        monkeypatch.setattr("os.access", lambda _, mode: not mode & os.W_OK)
    else:
        desk.chmod(0o555)
    refused(heldout("run", "study.toml", "-o", "out"), "out: ")
    desk.chmod(0o755)
    assert not (desk / "out").exists()


@pytest.mark.parametrize("options", [["--threads", "0"], ["--threads", "two"], ["--block", "0"]])
def test_bad_options_of_run(options: list[str], desk: Path, heldout: Command) -> None:
    write(desk, "study.toml", study_text())
    refused(heldout("run", "study.toml", "-o", "out", *options), options[0], "heldout run --help")
    assert not (desk / "out").exists()
