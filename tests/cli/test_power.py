"""`heldout power`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.refusing import refused
from tests.reports.kept import keep, study_scores_of


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder of results."""
    return keep(study_scores_of(uncovered=4, development=8), tmp_path / "results")


def test_power_says_how_many_users_are_needed(heldout: Command, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = json.loads(heldout("power", results, "--metric", "P@10", "--effect", "0.02", "--json").out)
    assert len(rows) == 5  # Good and Twin do not differ, so nothing is known of how they would
    from heldout.significance.power import users_needed

    for row in rows:
        assert row["users_needed"] == users_needed(0.02, deviation=row["deviation"])
        assert row["users"] == 32
    said = heldout("power", results, "--metric", "P@10", "--effect", "0.02", "--comparisons", "6")
    text = " ".join(said.out.split())
    assert said.code == 0 and "at level 0.05, divided by 6 comparisons." in text
    assert "split ratio, relevance threshold(tau=4), target AllItems" in text
    assert {(row["split"], row["relevance"], row["target"]) for row in rows} == {("ratio", "threshold(tau=4)", "AllItems")}
    monkeypatch.chdir(results)
    assert heldout("power", "--effect", "0.02", "--json").code == 0
    refused(heldout("power", results, "--effect", "0"), "effect: ", "found 0")
    assert heldout("power", results, "--metric", "P@10").code == 2
