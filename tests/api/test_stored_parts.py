"""Stored results of each kind: nothing is computed again, and the order of reading changes no byte."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.reports.measured import without_measured

import heldout as ho

STUDY: dict[str, Any] = {
    "data": "ratings.csv",
    "split": "ratio(train=0.7)",
    "recommend": ["UserKNN(k=5)", "Popularity", "Random"],
    "relevance": "threshold(4)",
    "seed": 3,
}
QUICK: Any = {"samples": 2, "flips": 64, "shares": [1.0, 0.5], "item_shares": [1.0]}
MADE_BY: dict[str, Callable[[Path], ho.Results[Any]]] = {
    "run": lambda out: ho.run({**STUDY, "metrics": ["P@5", "CROC"]}, out=out),
    "evaluate": lambda out: ho.evaluate("ratings.csv", {"A": "ratings.csv"}, ["P@5", "CROC"], out=out),
    "multiverse": lambda out: ho.multiverse({**STUDY, "metrics": ["P@5", "RR"]}, out=out),
    "meta": lambda out: ho.meta(STUDY, QUICK, metrics=["P", "RR"], depths=[5], out=out),
    "bias": lambda out: ho.bias({**STUDY, "metrics": ["P@5"]}, sampled=10, classes=2, sweeps={"removed": [0.0]}, out=out),
    "truth": lambda out: ho.truth({**STUDY, "data": DATA}, metrics=["P@5"], draws=2, samples=64, out=out),
    "reproduction": lambda out: ho.reproduce("canamares-2020", ["table-2"], data="simulated", out=out),
}
DATA = "simulate(users=40, items=30, ratings=600, seed=3)"
WORK = ("scores", "ranks", "inputs", ".fits", ".work", ".stages")
"""Folders of results from which something could be computed."""


@pytest.fixture(autouse=True)
def data_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    ho.simulate(DATA, out=tmp_path / "ratings.csv")
    return tmp_path / "ratings.csv"


@pytest.fixture
def profiles(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The data sets of which a profile was computed."""
    from heldout.experiment import evaluate, folds

    computed: list[object] = []
    for module in (evaluate, folds):
        original = module.profile  # type: ignore[attr-defined]
        monkeypatch.setattr(module, "profile", lambda data, original=original: computed.append(data) or original(data))
    return computed


def everything(results: ho.Results[Any]) -> dict[str, Any]:
    tables = {f"table {name}": results.tables[name].frame for name in results.tables}
    return tables | {f"figure {name}": results.figures[name].spec for name in results.figures}


def equal(one: Any, other: Any) -> bool:
    return one.equals(other, null_equal=True) if isinstance(one, pl.DataFrame) else bool(one == other)


@pytest.mark.parametrize("kind", MADE_BY)
def test_loaded_results_need_nothing_to_compute_from(
    kind: str, data_file: Path, profiles: list[object], tmp_path: Path
) -> None:
    """Without the data, scores and ranks, loaded results show what the first ones did, in any order of reading."""
    out = tmp_path / "out"
    first = everything(MADE_BY[kind](out))
    computed = len(profiles)
    assert computed == 1 or kind == "reproduction"  # it runs several studies, each with a profile of its data
    page = (out / "report.html").read_text()
    data_file.unlink()
    for name in WORK:
        shutil.rmtree(out / name, ignore_errors=True)
    shown = everything(ho.load(out))
    assert list(shown) == list(first) and all(equal(first[name], shown[name]) for name in first)
    backwards = ho.load(out)
    for name in reversed(list(backwards.figures)):
        _ = backwards.figures[name].spec
    for name in reversed(list(backwards.tables)):
        _ = backwards.tables[name].frame
    assert without_measured(backwards.to_html()) == without_measured(ho.load(out).to_html()) == without_measured(page)
    assert len(profiles) == computed
