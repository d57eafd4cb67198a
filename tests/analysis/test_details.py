"""Costly parts of findings: computed when they are first read, in any order, and never after results are loaded."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest
from tests.reports.measured import without_measured

import heldout as ho

TRAIN = {"user": list("aabbccdd"), "item": list("xyxzxwyz"), "rating": [5, 3, 4, 2, 5, 1, 4, 4]}
TEST = {"user": list("aabbccdd"), "item": list("zwywyzxw"), "rating": [5, 2, 4, 5, 1, 5, 5, 3]}
RUNS = {
    "A": {"user": list("aabbccdd"), "item": list("zwywyzxw"), "score": [2, 1, 2, 1, 1, 2, 2, 1]},
    "B": {"user": list("aabbccdd"), "item": list("zwywyzxw"), "score": [1, 2, 2, 1, 2, 1, 1, 2]},
}
METRICS = ["P@1", "RR", "CROC", "FullPosition@[1, 2]"]
DETAILS = ("choices", "data", "diagnostics", "curves", "pictures")
COMPUTED_BY = (
    "heldout.analysis.analyse.definitions",
    "heldout.experiment.evaluate.profile",
    "heldout.experiment.folds.profile",
    "heldout.experiment.pictured._pictured",
    "heldout.analysis.analyse.diagnostic_rows",
    "heldout.analysis.analyse.curve_rows",
    "heldout.analysis.analyse.pictures_of",
)
STUDY = {
    "data": "simulate(users=40, items=20, ratings=400)",
    "filters": [["core(2)"]],
    "split": ["ratio(train=0.7, by=user)", "temporal(at=0.8)"],
    "recommend": ["Popularity", "UserKNN(k=5)"],
    "metrics": ["P@1", "RR", "CROC", "FullPosition@[1, 2]"],
}


def evaluated() -> ho.Results:
    return ho.evaluate(TEST, RUNS, METRICS, train=TRAIN, relevance="threshold(4)")


def studied() -> ho.Results:
    return ho.run(STUDY)


def compared() -> ho.Results:
    return ho.compare(evaluated(), "wilcoxon")


MADE_BY = {"run": studied, "evaluate": evaluated, "compare": compared}


def findings_of(results: ho.Results) -> str:
    """The findings, without what differs between two runs: costs and the manifest."""
    return json.dumps({key: value for key, value in results.findings.to_dict().items() if key not in ("manifest", "costs")})


def page_of(results: ho.Results, folder: Path) -> str:
    results.save(folder)
    return without_measured((folder / "report.html").read_text())


def details(results: ho.Results) -> list[object]:
    """The costly parts as plain data."""
    findings = results.findings.to_dict()
    return [findings[name] for name in DETAILS]


class ComputedError(Exception):
    """A costly part was computed."""


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def computed(*_: object, **__: object) -> None:
        raise ComputedError

    for name in COMPUTED_BY:
        monkeypatch.setattr(name, computed)


@pytest.mark.parametrize("made", MADE_BY.values(), ids=MADE_BY)
def test_every_order_of_reading_gives_the_same_bytes(made: Callable[[], ho.Results], tmp_path: Path) -> None:
    """Findings are compared in all orders, or in those that begin with each part twice; pages, which take longer, in few."""
    unread = made()
    findings, page = findings_of(unread), page_of(unread, tmp_path / "unread")
    for number, order in enumerate(list(permutations(DETAILS))[:: 1 if made is evaluated else 12]):
        results = made()
        assert all(getattr(results.findings, name) for name in order)
        assert findings_of(results) == findings, order
        if number % (24 if made is evaluated else 3) == 0:
            assert page_of(results, tmp_path / str(number)) == page, order


@pytest.mark.parametrize("made", MADE_BY.values(), ids=MADE_BY)
def test_loaded_results_compute_no_detail(
    made: Callable[[], ho.Results], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = made()
    results.save(tmp_path / "kept")
    page = (tmp_path / "kept" / "report.html").read_text()
    refuse(monkeypatch)
    loaded = ho.load(tmp_path / "kept")
    assert details(loaded) == details(results)
    assert loaded.to_html() == page


def test_a_run_that_was_kept_computes_no_detail_when_it_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = ho.run(STUDY, out=tmp_path / "kept")
    refuse(monkeypatch)
    loaded = ho.load(tmp_path / "kept")
    assert details(loaded) == details(results)
    assert loaded.to_html() == (tmp_path / "kept" / "report.html").read_text()


@pytest.mark.parametrize("made", MADE_BY.values(), ids=MADE_BY)
@pytest.mark.parametrize("name", DETAILS)
def test_a_detail_is_computed_when_it_is_read(
    made: Callable[[], ho.Results], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(monkeypatch)
    results = made()
    assert (
        results.verdict
        and len(results.tables["all-leaderboards"].frame)
        and len(results.tables["all-comparisons"].frame)
        and results.notices
    )
    with pytest.raises(ComputedError):
        getattr(results.findings, name)


def test_details_of_large_data_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """If memory is small, the inputs of profiles and pictures wait in files."""
    expected = studied()
    with monkeypatch.context() as patched:
        patched.setattr("heldout.threads.memory", lambda: 50_000)
        results = studied()
    assert details(results) == details(expected)
