"""What a reproduction found: written as a page with its figures."""

from __future__ import annotations

from pathlib import Path

import pytest

import heldout as ho


def test_the_page_and_its_figures_are_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from tests.reports.reproduced import reproduced

    results = ho.ReproductionResults(record=reproduced(), manifest={})
    results.save_page(tmp_path / "published.md")
    assert {p.name for p in (tmp_path / "published").iterdir()} == {"sample-2000-table-1.svg", "sample-2000-fig-2.svg"}
    assert "(published/sample-2000-fig-2.svg)" in (tmp_path / "published.md").read_text()
    assert results.to_markdown().count("| P@3 |") == 8
    assert results.plot("fig-2").axes
