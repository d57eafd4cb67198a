"""Studies of papers give what `run` gives, are kept, and go on."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy.stats import ttest_rel
from tests.papers.sample import RUNS, STUDY, TINY

import heldout as ho
from heldout.papers.bench import FITS, PaperBench
from heldout.papers.study_runs import RepeatedStudy, StudyRuns


def test_values_and_pairs_are_those_of_a_run() -> None:
    measured = RUNS.measure(PaperBench(data="simulated"), TINY)
    results = ho.run({**STUDY.keys, "data": TINY.stand_in, "seed": 2}, progress=False)
    board = dict(results.tables["all-leaderboards"].frame.filter(metric="P@3").select("system", "value").iter_rows())
    for system, value in board.items():
        assert measured.numbers("values", "value", system=system, metric="P@3", seed=2) == [value]
    p = results.tables["all-comparisons"].frame.filter(metric="P@3")["p"].to_list()
    assert measured.numbers("pairs", "p", metric="P@3", seed=2) == p
    assert set(measured.tables["values"]["seed"]) == {1, 2}  # of simulated data two splits are enough


def test_diagnostics_are_tested_over_the_users_of_both_systems() -> None:
    measured = RUNS.measure(PaperBench(data="simulated"), TINY)
    users = ho.run({**STUDY.keys, "data": TINY.stand_in, "seed": 1}, progress=False).per_user()
    a, b = (users.filter(system=name).sort("user_id")["Unrated@3"].to_numpy() for name in ("Popularity", "Random"))
    [pair] = measured.rows("pairs", metric="Unrated@3", seed=1).iter_rows(named=True)
    assert pair["p"] == pytest.approx(ttest_rel(a, b).pvalue)
    assert pair["difference"] == pytest.approx(a.mean() - b.mean())
    assert measured.numbers("values", "value", system="Random", metric="Unrated@3", seed=1) == [pytest.approx(b.mean())]


def test_figures_and_fits_are_kept_and_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = RUNS.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    assert len(list((tmp_path / FITS / "stages").glob("study-figures-*.json"))) == 2
    fitted = {path.name for path in (tmp_path / FITS / "ranks").iterdir()}
    other = StudyRuns({"deeper": RepeatedStudy({**STUDY.keys, "metrics": ["P@5"]}, (1, 2))})
    other.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    assert {path.name for path in (tmp_path / FITS / "ranks").iterdir()} == fitted

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a study was run again")

    monkeypatch.setattr("heldout.run", refuse)
    again = RUNS.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    assert again.tables["values"].equals(first.tables["values"], null_equal=True)
    assert again.tables["pairs"].equals(first.tables["pairs"], null_equal=True)


def test_a_system_that_fails_is_named(doomed: object) -> None:
    keys = {**STUDY.keys, "recommend": ["Popularity", "doomed"]}
    measured = StudyRuns({"start": RepeatedStudy(keys)}).measure(PaperBench(data="simulated"), TINY)
    assert len(measured.failures) == 1 and "failed in" in measured.failures[0]
    assert set(measured.tables["values"]["system"]) == {"Popularity"}
