"""What fitting and scoring took, from the manifest to the overview."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.reports.measured import without_measured

import heldout as ho
from heldout.experiment.clock import Clock
from heldout.experiment.ledger.folder import Ledger
from heldout.experiment.provenance import cost_before, cost_record, system_costs

STUDY = {
    "data": "simulate(users=40, items=20, ratings=300)",
    "split": "folds(2, by=rating)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "EASE"],
    "metrics": ["P@5"],
    "compare": ["t"],
}


def test_folds_are_added_up_and_the_highest_memory_is_taken() -> None:
    records = {
        "a": cost_record("A", "A()", Clock({"fit": 1.5, "rank": 0.25}, memory=10)),
        "b": cost_record("A", "A()", Clock({"fit": 0.5}, memory=30)),
        "c": cost_record("B", "B()", Clock({"rank": 0.1234567})),
    }
    first, second = system_costs({"costs": records})
    assert (first.system, first.fit, first.score, first.memory, first.folds) == ("A", 2.0, 0.25, 30, 2)
    assert (second.score, second.memory) == (0.123457, None)
    assert cost_before({"costs": records}, "a", "A()") == records["a"]
    assert (
        cost_before({"costs": records}, "a", "A(k=2)")
        is cost_before({"costs": records}, "x", "A()")
        is cost_before(None, "a", "")
        is None
    )


def test_costs_are_kept_beside_the_facts_and_outlive_a_run_that_fits_nothing(tmp_path: Path) -> None:
    results = ho.run(STUDY, out=tmp_path / "out", progress=False)
    assert [cost.system for cost in results.findings.costs] == ["Popularity", "EASE"]
    assert all(cost.folds == 2 and cost.fit >= 0 and cost.score >= 0 for cost in results.findings.costs)
    kept = (tmp_path / "out" / "facts.json").read_text(encoding="utf-8")
    assert '"costs"' not in kept and "costs" in json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    again = ho.run({**STUDY, "metrics": ["P@5", "RR"]}, out=tmp_path / "out", progress=False)
    assert {cell["done"] for cell in again._source.manifest["cells"].values()} == {"measured"}
    assert again.findings.costs == results.findings.costs == ho.load(tmp_path / "out").findings.costs
    assert ho.compare(tmp_path / "out").findings.costs == results.findings.costs
    assert again.tables["costs"].frame["System"].to_list() == ["EASE", "Popularity"]
    assert "Costs differ from run to run" in again.to_html()


def test_two_runs_differ_in_measured_elements_alone(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        ho.run(STUDY, out=tmp_path / folder, progress=False)
    assert (tmp_path / "one" / "facts.json").read_bytes() == (tmp_path / "two" / "facts.json").read_bytes()
    pages = [(tmp_path / folder / "report.html").read_text(encoding="utf-8") for folder in ("one", "two")]
    assert without_measured(pages[0]) == without_measured(pages[1]) != pages[0]


@pytest.mark.parametrize("method", ["save", "save_ranks"])
def test_what_cells_took_outlives_a_run_that_is_stopped(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped when the second cell's scores, or its ranks, have just been kept."""
    save, saved = getattr(Ledger, method), 0

    def stopped(ledger: Ledger, *arguments: Any) -> None:
        nonlocal saved
        save(ledger, *arguments)
        saved += 1
        if saved == 2:
            raise KeyboardInterrupt

    study = {**STUDY, "recommend": ["Popularity", "Random", "AverageRating"]}
    monkeypatch.setattr(Ledger, method, stopped)
    with pytest.raises(KeyboardInterrupt):
        ho.run(study, out=tmp_path)
    costs = json.loads((tmp_path / "manifest.json").read_text())["costs"]
    assert {cost["system"] for cost in costs.values()} == {"Popularity", "Random"}
    results = ho.run(study, out=tmp_path)
    assert {cost.system for cost in results.findings.costs} == {"Popularity", "Random", "AverageRating"}
