"""Results of `bias`: kept, loaded, shown; a folder of something else is refused."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import polars as pl
import pytest
from tests.biases.sample import KEYS, OPTIONS
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bias") / "out"
    ho.bias(KEYS, out=out, progress=False, **{**OPTIONS, "sweeps": {"classes": (1, 3)}})
    return out


def test_what_is_kept_is_loaded_and_verified(folder: Path) -> None:
    results = ho.load(folder)
    assert isinstance(results.findings, ho.BiasFindings)
    assert (folder / "report.html").read_text() == results.to_html()
    assert ho.verify(folder).filter(pl.col("problem") != "").is_empty()
    assert results.title == "Biases of an offline evaluation"  # the study has no title
    assert results.verdict == " ".join((results.document.answer, *results.sentences[:2]))
    for name in ("table", "changes", "pairs", "expected", "sweeps"):
        assert pl.read_parquet(folder / f"{name}.parquet").equals(getattr(results.findings, name))
    assert results.document.answer in repr(results) and results.document.answer in unescape(results._repr_html_())
    assert results.document.numbers[0].plain == results.sentences[0]


def test_a_changed_file_is_found(folder: Path) -> None:
    path = folder / "bias.json"
    whole = path.read_text()
    path.write_text(whole.replace("P1R", "P2R", 1))
    try:
        assert not ho.verify(folder).filter(pl.col("problem") != "").is_empty()
    finally:
        path.write_text(whole)


def test_other_folders_are_refused(folder: Path, tmp_path: Path) -> None:
    with refused(ResultsError, where=str(folder), hint="name a study file"):
        ho.bias(folder, progress=False)
    with refused(ResultsError, where=str(folder), hint="choose another --out"):
        ho.meta(KEYS, out=folder, progress=False)


def test_a_study_that_was_stopped_says_so(folder: Path) -> None:
    path = folder / "bias.json"
    whole = path.read_text()
    path.unlink()
    try:
        with refused(ResultsError, where="out", hint="run the same command again: it goes on where it stopped"):
            ho.load(folder)
    finally:
        path.write_text(whole)
