"""The report of a results folder."""

from __future__ import annotations

from pathlib import Path

import heldout as ho


def test_report_shows_a_folder_again_and_writes_its_page(tmp_path: Path) -> None:
    study = {"data": "simulate(users=30, items=20, ratings=300)", "split": "ratio", "recommend": ["Popularity", "Random"]}
    results = ho.run(study, out=tmp_path / "kept")
    page = (tmp_path / "kept" / "report.html").read_bytes()
    (tmp_path / "kept" / "report.html").unlink()
    assert repr(ho.report(tmp_path / "kept")) == repr(results)
    assert not (tmp_path / "kept" / "report.html").exists()
    ho.report(tmp_path / "kept", html=True)
    assert (tmp_path / "kept" / "report.html").read_bytes() == page
