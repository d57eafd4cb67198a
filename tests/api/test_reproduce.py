"""`ho.reproduce` and `ho.list_experiments`."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError, SpecError, UnknownNameError


def test_a_paper_is_run_kept_and_loaded(tmp_path: Path) -> None:
    out = tmp_path / "papers"
    results = ho.reproduce("canamares-2020", ["table-1", "rho"], data="simulated", out=out, progress=False)
    assert set(results.findings.table["experiment"]) == {"table-1", "rho"} and results.findings.simulated
    assert results.manifest["inputs"].keys() == {"ml-1m"}
    loaded = ho.load(out)
    assert isinstance(loaded, ho.Results)
    assert loaded.findings.table.equals(results.findings.table, null_equal=True) and loaded.to_html() == results.to_html()
    assert repr(loaded) == repr(results) and loaded.verdict == results.verdict and list(loaded.figures) == []
    assert ho.verify(out)["problem"].to_list() == [""] * len(ho.verify(out))
    assert "heldout" in loaded._repr_html_()
    with refused(ResultsError, where=str(out), hint="choose another --out"):
        ho.bias({"data": "simulate", "recommend": "Popularity"}, out=out)


def test_one_experiment_is_a_text() -> None:
    results = ho.reproduce("canamares-2020", "rho", data="simulated", progress=False)
    assert set(results.findings.table["experiment"]) == {"rho"}


KILLED = """
import os, signal, sys
import heldout as ho

renamed = 0

def watch(event, arguments):
    global renamed
    if event == "os.rename" and os.path.join(sys.argv[1], ".fits", "ranks") in str(arguments[0]):
        renamed += 1
        if renamed == 4:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
ho.reproduce("canamares-2020", ["rho", "fig-8"], data="simulated", out=sys.argv[1], progress=False)
"""
"""Killed when it puts the fourth file of ranks in place."""


def test_a_paper_that_was_killed_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    stopped, whole = tmp_path / "stopped", tmp_path / "whole"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(stopped)], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    kept = {path.name: path.stat().st_mtime_ns for path in (stopped / ".fits" / "ranks").glob("*.parquet")}
    assert kept and not (stopped / "reproduction.json").exists()
    for out in (stopped, whole):
        ho.reproduce("canamares-2020", ["rho", "fig-8"], data="simulated", out=out, progress=False)
    for name in ("reproduction.json", "report.html", "table.parquet", "claims.parquet"):
        assert (stopped / name).read_bytes() == (whole / name).read_bytes(), name
    ranks = {path.name: path.stat().st_mtime_ns for path in (stopped / ".fits" / "ranks").iterdir()}
    assert len(ranks) > len(kept) and kept.items() <= ranks.items()


def test_experiments_are_listed_with_their_data(tmp_path: Path) -> None:
    listed = ho.list_experiments()
    assert {"canamares-2020"} <= set(listed["paper"]) and set(listed["missing"]) == {None}
    here = ho.list_experiments(tmp_path).filter(experiment="table-2", paper="canamares-2020")
    assert here["missing"].to_list() == [["ml-1m/ratings.dat"]]
    assert ho.list_experiments("simulated")["missing"].to_list() == [[]] * len(listed)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with refused(UnknownNameError, found="canamares", hint="did you mean canamares-2020?"):
        ho.reproduce("canamares", data="simulated")
    with refused(UnknownNameError, where="canamares-2020", found="table-9", hint="did you mean table-4 or table-3?"):
        ho.reproduce("canamares-2020", ["table-9"], data="simulated", out=tmp_path / "out")
    with refused(SpecError, where=str(tmp_path / "lost"), hint="name the folder of the data sets, or simulated"):
        ho.reproduce("canamares-2020", data=tmp_path / "lost")
    assert not (tmp_path / "out").exists()
