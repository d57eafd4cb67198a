"""What a reproduction found: written as a page with its figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import heldout as ho
from heldout.papers.kind import write_page


def test_tables_have_their_columns_without_any_row() -> None:
    from tests.papers.reproduced import reproduced

    record = reproduced()
    paper = record.papers[0]
    bare = replace(
        record, papers=(replace(paper, experiments=tuple(replace(e, rows=(), claims=()) for e in paper.experiments)),)
    )
    for table in ("table", "claim_table"):
        rows, none = getattr(record, table), getattr(bare, table)
        assert none.schema == rows.schema and not len(none) and len(rows)
    assert bare.claim_table.columns[:4] == ["paper", "experiment", "words", "section"]


def test_the_page_and_its_figures_are_written(tmp_path: Path) -> None:
    from tests.papers.reproduced import reproduced

    results = ho.Results(findings=reproduced(), manifest={"kind": "reproduction"})
    write_page(results, tmp_path / "published.md")
    assert {p.name for p in (tmp_path / "published").iterdir()} == {"sample-2000-table-1.svg", "sample-2000-fig-2.svg"}
    assert "(published/sample-2000-fig-2.svg)" in (tmp_path / "published.md").read_text()
    assert results.to_markdown().count("| P@3 |") == 8
    assert results.figures["fig-2"].spec["description"]
