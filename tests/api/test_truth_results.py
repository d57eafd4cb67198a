"""TruthResults: the same from a folder as from memory."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import heldout as ho
from heldout import TruthResults
from heldout.errors import ResultsError

STUDY = {
    "title": "A small world",
    "data": "simulate(users=60, items=40, ratings=900, missing=by_value)",
    "split": "ratio(train=0.7)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "Random", "ItemKNN(k=5)"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("truth") / "held"


@pytest.fixture(scope="module")
def results(folder: Path) -> TruthResults:
    return ho.truth(STUDY, metrics=["P@5", "Recall@5"], draws=2, protocols=["AI-AR", "1R"], out=folder, progress=False)


def test_results_are_loaded_as_they_were_kept(results: TruthResults, folder: Path) -> None:
    loaded = ho.load(folder)
    assert isinstance(loaded, TruthResults) and loaded.title == "A small world" and loaded.folder == folder
    assert loaded.table.equals(results.table, null_equal=True) and loaded.to_html() == results.to_html()
    assert repr(loaded) == repr(results) and "heldout" in loaded._repr_html_()
    assert loaded.sentence == loaded.sentences[0] and loaded.to_latex() == results.to_latex()


def test_frames_are_those_in_the_folder(results: TruthResults, folder: Path) -> None:
    for name in ("table", "pairs", "values"):
        assert getattr(results, name).equals(pl.read_parquet(folder / f"{name}.parquet"), null_equal=True), name
    assert results.values.height == 3 * results.table.height  # of each system
    assert results.pairs.height == 2 * 3  # metrics × pairs of systems


def test_folders_of_other_results_and_unfinished_ones_are_refused(results: TruthResults, folder: Path) -> None:
    with pytest.raises(ResultsError, match="holds the results of a comparison with the truth"):
        ho.meta(STUDY, out=folder)
    (folder / "truth.json").rename(folder / "elsewhere.json")
    with pytest.raises(ResultsError, match="not all draws were made"):
        TruthResults.load(folder)
    (folder / "elsewhere.json").rename(folder / "truth.json")
