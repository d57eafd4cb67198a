"""Results of a trial of metrics: what is saved is what is loaded, and a folder is checked."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from tests.api.test_meta import QUICK
from tests.metric_quality.studies import KEYS
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError

TABLES = ("table", "sweeps", "agreement", "power", "swaps", "reliability")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("meta") / "trial"
    ho.meta(KEYS, out=place, **QUICK)
    return place


def test_what_is_loaded_is_what_was_found(folder: Path) -> None:
    loaded, found = ho.load(folder), ho.meta(KEYS, **QUICK)
    assert isinstance(loaded.findings, ho.MetaFindings)
    for name in TABLES:
        assert_frame_equal(getattr(loaded.findings, name), getattr(found.findings, name))
        assert_frame_equal(pl.read_parquet(folder / f"{name}.parquet"), getattr(found.findings, name))
    assert (loaded.verdict, loaded.title) == (found.verdict, found.title)
    assert repr(loaded) == repr(found)


def test_every_form_is_drawn_from_the_folder(folder: Path) -> None:
    loaded = ho.load(folder)
    assert loaded.to_html() == (folder / "report.html").read_text()
    for text in (repr(loaded), loaded.to_markdown(), loaded._repr_html_()):
        assert loaded.verdict.split()[0] in text  # the metric with the lowest mean p
    assert r"\toprule" in loaded.tables["best-depths"].to_latex()
    assert loaded.document.answer in loaded.to_html()


def test_figures_for_papers_have_fonts_that_publishers_take(folder: Path, tmp_path: Path) -> None:
    loaded = ho.load(folder)
    for kind in ("front", "missing", "popularity", "power", "agreement", "depths"):
        loaded.figures[kind].save(tmp_path / f"{kind}.pdf")
        written = (tmp_path / f"{kind}.pdf").read_bytes()
        assert b"/FontFile2" in written and b"/Type3" not in written  # TrueType, not outlines
    loaded.figure("missing", at=loaded.findings.table["name"][0]).save(tmp_path / "missing.svg")
    assert "Ratings kept</text>" in (tmp_path / "missing.svg").read_text(encoding="utf-8")


def test_every_file_is_verified(folder: Path) -> None:
    checked = ho.verify(folder)
    assert set(checked["problem"]) == {""}
    assert {"manifest.json", "meta.json", *(f"{name}.parquet" for name in TABLES)} <= set(checked["file"])
    assert sum(file.startswith("stages/") for file in checked["file"]) == 6  # power, popularity, swaps, and three shares


def test_other_folders_are_refused(folder: Path, tmp_path: Path) -> None:
    with refused(ResultsError, where=str(folder), hint="ho.load and heldout report show them"):
        ho.compare(folder)
    with refused(ResultsError, where=str(folder), hint="choose another --out"):
        ho.run(KEYS, out=folder)
    (folder / "meta.json").rename(folder / "aside.json")
    with refused(ResultsError, where="trial", hint="run the same command again: it goes on where it stopped"):
        ho.load(folder)
    (folder / "aside.json").rename(folder / "meta.json")
