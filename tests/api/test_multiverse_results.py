"""What a multiverse found: kept, loaded, and told from results of other kinds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError, SpecError, UnknownNameError

KEYS: dict[str, Any] = {
    "title": "A <title>",
    "data": "simulate(users=40, items=20, ratings=300)",
    "split": ["ratio(train=0.7, by=user)", "ratio(train=0.5, by=user)"],
    "recommend": ["Popularity", "Random"],
    "metrics": ["P@5", "RR"],
    "compare": ["t"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("multiverse") / "out"
    ho.multiverse(KEYS, out=out)
    return out


def test_what_is_loaded_is_what_was_found(folder: Path) -> None:
    loaded, in_memory = ho.load(folder), ho.multiverse(KEYS)
    assert loaded.title == "A <title>" and loaded.sentences == in_memory.sentences and len(loaded.sentences) == 1
    assert (
        loaded.tables["universes"].frame.equals(in_memory.tables["universes"].frame)
        and len(loaded.tables["universes"].frame) == 2 * 2
    )
    assert loaded.to_html() == (folder / "report.html").read_text(encoding="utf-8") and "A &lt;title&gt;" in loaded.to_html()
    assert loaded.document.answer in loaded.to_markdown() and loaded.failed == {}
    assert [notice.partition(" ")[0] for notice in loaded.notices] == ["HO106"]  # the rule of relevance was guessed


def test_results_without_a_table_say_so(folder: Path) -> None:
    loaded = replace(ho.load(folder), _source=None)
    with refused(ResultsError, hint="load them from the folder of a run"):
        _ = loaded.tables["universes"].frame


def test_plots_that_there_are_not(folder: Path) -> None:
    loaded = ho.load(folder)
    with refused(
        UnknownNameError,
        where="figure",
        found="pie",
        hint="known: data-activity",
    ):
        _ = loaded.figures["pie"]
    with refused(SpecError, where="figure", hint="leave it out"):
        _ = loaded.figure("map", pair=0).spec


def test_a_run_that_did_not_finish_is_not_loaded(folder: Path, tmp_path: Path) -> None:
    for name in ("manifest.json", "multiverse.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    assert ho.load(tmp_path).sentences
    (tmp_path / "multiverse.json").unlink()
    with refused(ResultsError, where=str(tmp_path), hint="run the same command again: it goes on where it stopped"):
        ho.load(tmp_path)
