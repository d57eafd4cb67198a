"""Costly parts of findings: computed when they are first read, written when results are saved, never computed again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

import heldout as ho

STUDY: dict[str, Any] = {
    "data": "simulate(users=40, items=30, ratings=500, seed=2)",
    "filters": ["core(2)"],
    "split": "ratio(train=0.7)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "Random"],
    "metrics": ["P@5", "CROC"],
}
ONE_METRIC = {**STUDY, "metrics": ["P@5"]}
TRIAL: Any = {"samples": 2, "flips": 16, "shares": [1.0, 0.5], "item_shares": [1.0]}
RUNS: dict[str, Callable[..., Any]] = {
    "study": lambda **how: ho.run(STUDY, **how),
    "multiverse": lambda **how: ho.multiverse({**ONE_METRIC, "target": ["AllItems", "TestItems"]}, **how),
    "meta": lambda **how: ho.meta(STUDY, TRIAL, metrics=["P", "RR"], depths=[5], **how),
    "bias": lambda **how: ho.bias(ONE_METRIC, sampled=5, classes=2, sweeps=(), **how),
    "truth": lambda **how: ho.truth(ONE_METRIC, draws=2, protocols=["AI-AR"], **how),
    "reproduction": lambda **how: ho.reproduce("bellogin-2017", "fig-2", data="simulated", **how),
}
KINDS = sorted(RUNS)
COMPUTE = (
    "heldout.experiment.folds.profile",
    "heldout.experiment.pictured._pictured",
    "heldout.analysis.analyse.definitions",
    "heldout.analysis.analyse.diagnostic_rows",
    "heldout.analysis.analyse.curve_rows",
)
"""What computes costly parts."""


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions of `COMPUTE` that were called."""
    calls: list[str] = []
    for name in COMPUTE:
        module, _, function = name.rpartition(".")
        compute = getattr(__import__(module, fromlist=[function]), function)

        def counted(*args: Any, _name: str = name, _compute: Any = compute, **options: Any) -> Any:
            calls.append(_name)
            return _compute(*args, **options)

        monkeypatch.setattr(name, counted)
    return calls


@cache
def saved(kind: str) -> Path:
    """The folder of results that nobody looked at before they were saved."""
    folder = Path(mkdtemp()) / kind
    RUNS[kind](out=folder)
    return folder


def contents(folder: Path, kind: str) -> dict[str, bytes]:
    """The findings of a folder, the tables next to them and the page, except that of a study, which shows seconds."""
    without = ("manifest.json", *(["report.html"] if kind == "study" else []))
    files = (path for path in folder.iterdir() if path.suffix in (".html", ".json", ".parquet"))
    return {path.name: path.read_bytes() for path in files if path.name not in without}


@pytest.mark.parametrize("kind", KINDS)
def test_a_verb_computes_no_costly_part(kind: str, computed: list[str]) -> None:
    results = RUNS[kind]()
    assert computed == []
    assert "profile" in results.tables and results.tables["profile"].rows
    assert computed


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_reading_changes_no_byte(kind: str, tmp_path: Path) -> None:
    """Read in two orders and then saved, results have the bytes of those that nobody read."""
    expected = contents(saved(kind), kind)
    for number, reading in enumerate(
        (
            lambda results: [*results.tables.values(), *results.figures.titles],
            lambda results: [results.figures.titles, results.to_markdown(), *reversed([*results.tables.values()])],
        )
    ):
        results = RUNS[kind]()
        reading(results)
        results.save(tmp_path / str(number))
        written = contents(tmp_path / str(number), kind)
        assert written.keys() == expected.keys(), (sorted(written), sorted(expected))
        assert [name for name in written if written[name] != expected[name]] == []


@pytest.mark.parametrize("kind", KINDS)
def test_loaded_results_compute_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = saved(kind)
    page = (folder / "report.html").read_text(encoding="utf-8")

    def fails(*_: Any, **__: Any) -> Any:
        raise AssertionError("computed again")

    for name in COMPUTE:
        monkeypatch.setattr(name, fails)
    results = ho.load(folder)
    assert results.tables["profile"].rows and list(results.tables.values()) and results.figures.titles
    assert results.to_html() == page
