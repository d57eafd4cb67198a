"""Costly parts of findings: computed when they are read, in any order, and never after results were loaded."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

import heldout as ho
from heldout.json_codec import to_plain

TRAIN = {"user": list("aabbccdd"), "item": list("xyxzxwyz"), "rating": [5, 3, 4, 2, 5, 1, 4, 4]}
TEST = {"user": list("aabbccdd"), "item": list("zwywyzxw"), "rating": [5, 2, 4, 5, 1, 5, 5, 3]}
RUNS = {
    "A": {"user": list("aabbccdd"), "item": list("zwywyzxw"), "score": [2, 1, 2, 1, 1, 2, 2, 1]},
    "B": {"user": list("aabbccdd"), "item": list("zwywyzxw"), "score": [1, 2, 2, 1, 2, 1, 1, 2]},
}
METRICS = ["P@1", "RR", "CROC", "FullPosition@[1, 2]"]
DETAILS = ("data", "diagnostics", "curves", "pictures")
COMPUTED_BY = (
    "heldout.experiment.evaluate.profile",
    "heldout.experiment.pictured._pictured",
    "heldout.analysis.analyse.diagnostic_rows",
    "heldout.analysis.analyse.curve_rows",
    "heldout.analysis.analyse.pictures_of",
)


def evaluated() -> ho.Results:
    return ho.evaluate(TEST, RUNS, METRICS, train=TRAIN, relevance="threshold(4)")


def files(results: ho.Results, folder: Path) -> list[bytes]:
    results.save(folder)
    return [(folder / name).read_bytes() for name in ("facts.json", "report.html")]


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def computed(*_: object, **__: object) -> None:
        raise AssertionError("a detail was computed")

    for name in COMPUTED_BY:
        monkeypatch.setattr(name, computed)


def test_every_order_of_reading_gives_the_same_bytes(tmp_path: Path) -> None:
    expected = files(evaluated(), tmp_path / "unread")
    for number, order in enumerate(permutations(DETAILS)):
        results = evaluated()
        assert all(getattr(results.findings, name) for name in order)
        assert files(results, tmp_path / str(number)) == expected, order


def test_loaded_results_compute_no_detail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = evaluated()
    page = files(results, tmp_path / "kept")[1]
    refuse(monkeypatch)
    loaded = ho.load(tmp_path / "kept")
    for name in DETAILS:
        assert to_plain(getattr(loaded.findings, name)) == to_plain(getattr(results.findings, name))
    assert loaded.to_html().encode() == page


@pytest.mark.parametrize("name", DETAILS)
def test_a_detail_is_computed_when_it_is_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch)
    results = evaluated()
    assert (
        results.verdict
        and len(results.tables["all-leaderboards"].frame)
        and len(results.tables["all-comparisons"].frame)
        and results.notices
    )
    with pytest.raises(AssertionError, match="a detail was computed"):
        getattr(results.findings, name)
