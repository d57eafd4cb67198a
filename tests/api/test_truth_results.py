"""Results of `truth`: the same from a folder as from memory."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError

STUDY = {
    "title": "A small world",
    "data": "simulate(users=60, items=40, ratings=900, missing=by_value)",
    "split": "ratio(train=0.7)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "Random", "ItemKNN(k=5)"],
}

FRAMES = {"table": "all-rows", "pairs": "all-pairs", "values": "all-values"}
"""Files of a folder and their names among the tables."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("truth") / "held"


@pytest.fixture(scope="module")
def results(folder: Path) -> ho.Results:
    return ho.truth(STUDY, metrics=["P@5", "Recall@5"], draws=2, protocols=["AI-AR", "1R"], out=folder, progress=False)


def test_results_are_loaded_as_they_were_kept(results: ho.Results, folder: Path) -> None:
    loaded = ho.load(folder)
    assert isinstance(loaded, ho.Results) and loaded.title == "A small world" and loaded.folder == folder
    assert loaded.findings.table.equals(results.findings.table, null_equal=True) and loaded.to_html() == results.to_html()
    assert repr(loaded) == repr(results) and "heldout" in loaded._repr_html_()
    assert loaded.verdict == f"{results.document.answer} {loaded.sentences[0]}"
    assert loaded.tables["protocols"].to_latex() == results.tables["protocols"].to_latex()


def test_frames_are_those_in_the_folder(results: ho.Results, folder: Path) -> None:
    frames = {file: results.tables[name].frame for file, name in FRAMES.items()}
    for file, frame in frames.items():
        assert frame.equals(pl.read_parquet(folder / f"{file}.parquet"), null_equal=True), file
    assert frames["values"].height == 3 * frames["table"].height  # of each system
    assert frames["pairs"].height == 2 * 3  # metrics × pairs of systems


def test_folders_of_other_results_and_unfinished_ones_are_refused(results: ho.Results, folder: Path) -> None:
    with refused(ResultsError, where=str(folder), hint="choose another --out"):
        ho.meta(STUDY, out=folder)
    (folder / "truth.json").rename(folder / "elsewhere.json")
    with refused(ResultsError, where="held", hint="run the same command again: it goes on where it stopped"):
        ho.load(folder)
    (folder / "elsewhere.json").rename(folder / "truth.json")
