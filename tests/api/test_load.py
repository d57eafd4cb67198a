"""Results of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.every_kind import KINDS, results_of

import heldout as ho


def test_a_folder_is_shown_again_and_its_page_written_again(tmp_path: Path) -> None:
    study = {"data": "simulate(users=30, items=20, ratings=300)", "split": "ratio", "recommend": ["Popularity", "Random"]}
    results = ho.run(study, out=tmp_path / "kept")
    page = (tmp_path / "kept" / "report.html").read_bytes()
    (tmp_path / "kept" / "report.html").unlink()
    assert repr(ho.load(tmp_path / "kept")) == repr(results)
    assert not (tmp_path / "kept" / "report.html").exists()
    ho.load(tmp_path / "kept").save(tmp_path / "kept")
    assert (tmp_path / "kept" / "report.html").read_bytes() == page


@pytest.mark.parametrize("kind", KINDS)
def test_results_of_other_kinds_have_one_interface(kind: str) -> None:
    results = results_of(kind)
    assert type(results) is ho.Results and type(results.findings).__name__ in ho.__all__
    assert results.verdict and results.sentences and results.title
    assert all(isinstance(text, str) for text in [*results.notices, *results.left_out])
    public = {name for name in dir(results) if not name.startswith("_")}
    assert public == {
        *("findings", "manifest", "folder", "title", "verdict", "sentences", "notices", "failed", "left_out", "tables"),
        *("figures", "figure", "per_user", "at", "save", "to_html", "to_markdown", "document", "explore"),
    }


def test_what_a_kind_does_not_have_is_refused() -> None:
    trial = results_of("meta")
    with pytest.raises(ho.SpecError) as refused:
        trial.at(1)
    assert refused.value.where == "setting"
    with pytest.raises(ho.ResultsError):
        trial.per_user()
    with pytest.raises(ho.ResultsError):
        ho.compare(trial)


def test_a_folder_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"kind": "future", "complete": true}')
    with pytest.raises(ho.ResultsError):
        ho.load(tmp_path)
