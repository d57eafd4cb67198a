"""Many comparisons are kept in a table beside facts.json, and nothing of them is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import heldout as ho
from heldout.analysis import pair_table
from heldout.analysis.facts import PairRow
from heldout.analysis.pair_table import PAIRS, pair_frame, pair_rows
from heldout.errors import ResultsError
from heldout.experiment.ledger.verify import check_files

STUDY = {
    "data": "simulate(users=60, items=40, ratings=900)",
    "split": "ratio",
    "recommend": ["Popularity", "Random", "ItemKNN(k=5)"],
    "metrics": ["P@5", "nDCG@5"],
    "compare": ["t", "bayes"],
}


def test_results_with_a_table_of_comparisons_are_those_with_all_in_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ho.run(STUDY, out=tmp_path / "json")
    monkeypatch.setattr(pair_table, "MOST_IN_JSON", 3)
    ho.run(STUDY, out=tmp_path / "table")
    assert not (tmp_path / "json" / PAIRS).exists()
    assert json.loads((tmp_path / "table" / "facts.json").read_text())["comparisons"] == PAIRS
    expected, loaded = (ho.Results.load(tmp_path / name) for name in ("json", "table"))
    assert len(loaded.facts.comparisons) == 2 * 2 * 3
    assert loaded.facts.comparisons == expected.facts.comparisons
    assert loaded.comparisons.equals(expected.comparisons)
    assert PAIRS in [checked.file for checked in check_files(tmp_path / "table") if not checked.problem]


def test_a_table_of_comparisons_that_was_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_table, "MOST_IN_JSON", 3)
    ho.run(STUDY, out=tmp_path / "out")
    path = tmp_path / "out" / PAIRS
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ResultsError, match=r"comparisons\.parquet"):
        ho.Results.load(tmp_path / "out")
    assert PAIRS in [checked.file for checked in check_files(tmp_path / "out") if checked.problem]
    path.unlink()
    with pytest.raises(ResultsError, match=r"comparisons\.parquet"):
        ho.Results.load(tmp_path / "out")


def test_numbers_that_are_none_are_null_and_figures_are_kept() -> None:
    row = PairRow(
        setting=1, test="t", a="A", b="B: x", value_a=0.1, value_b=float("nan"), difference=float("inf"), low=None,
        high=0.5, effect=None, wins=3, ties=2, losses=1, p=0.1 + 0.2, p_adjusted=None, correction="holm", family=3,
        users=6, superiority=0.25, figures={"better": 0.1}, reason="why",
    )  # fmt: skip
    (kept,) = pair_rows(pair_frame([row]))
    assert (kept.value_b, kept.difference, kept.low) == (None, None, None)
    assert (kept.p, kept.figures, kept.b, kept.reason, kept.wins) == (0.1 + 0.2, {"better": 0.1}, "B: x", "why", 3)
