"""Documents and tables in Markdown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.render.documents import board, document

from heldout.reports.columns import Column
from heldout.reports.document import Section, Table, Text, code, link, strong
from heldout.reports.render import markdown

HOSTILE = ("<script>alert(1)</script>", "[1ex] *", "| pipe | `code`", "a_b\\c", "two\nlines")


def test_a_table_has_heads_alignment_and_what_stands_out() -> None:
    lines = board().to_markdown().splitlines()
    heads = [cell.strip() for cell in lines[0].strip("|").split(" | ")]
    assert heads[:4] == ["System", "nDCG@10 (binary) Mean", "nDCG@10 (binary) 95% CI", "P@10 Mean"]
    assert lines[1].strip("|").split(" | ")[1].strip() == "---:"
    assert lines[2].startswith("| UserKNN | **0.239** | 0.229–0.249 a | **0.119** | 0.114–0.124 a |")
    assert lines[3].startswith("| EASE | 0.204 | 0.194–0.214 b |")
    assert lines[-1].endswith("Same for all systems: users averaged 1,946.") and "1,946 |" not in lines[2]


def test_every_row_has_as_many_cells_as_the_head() -> None:
    rows = tuple((text, 0.5) for text in HOSTILE)
    made = Table(name="t", title="T", columns=(Column(name="a|b", kind="text"), Column(name="v", kind="value")), rows=rows)
    lines = made.to_markdown().splitlines()
    assert len(lines) == 2 + len(HOSTILE)
    assert {line.replace("\\|", "").count("|") for line in lines} == {3}


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_in_texts_is_escaped(text: str) -> None:
    escaped = markdown.escape(text)
    bare = escaped
    for char in "\\*_<`[|":
        bare = bare.replace(f"\\{char}", "")
    assert not set(bare) & set("\\*_<`[|") and "\n" not in escaped


def test_spans_keep_their_styles_and_blanks() -> None:
    text = Text("see ", strong("this"), " and ", code("a_b"), link(" it ", "https://x.org"), link("here", "#pairs"), ".")
    assert markdown.paragraph(text) == "see **this** and `a_b` [it](https://x.org) here."


def test_a_document_begins_with_the_answer() -> None:
    text = markdown.document(document())
    lines = [line for line in text.splitlines() if line]
    assert lines[:2] == ["# Six recommenders on simulated ratings", "**UserKNN wins, except under TestRatings.**"]
    heads = [line for line in lines if line.startswith("## ")]
    assert heads == ["## Leaderboard", "## Curves", "## Universes", "## Notices", "## Systems", "## Study"]
    assert "- **M4203** Only test ratings compete. Add `target=AllItems` to the study." in text
    assert '  ```diff\n  - target = "TestRatings"\n  + target = "AllItems"\n  ```' in text
    assert '```text\n[study]\ntitle = "Six & more"\n```' in text and "- One.\n- Two." in text
    assert "**UserKNN**: Neighbours of the user." in text


def test_charts_are_there_if_they_have_files() -> None:
    assert "![" not in markdown.document(document())
    assert "![Recall](recall.svg)" in markdown.document(document(), {"recall": "recall.svg"})


def test_parts_of_sections_have_deeper_heads() -> None:
    part = Section(id="part", title="A part", blocks=(board(),), level=2)
    text = markdown.document(replace(document(), sections=(part,)))
    assert "### A part" in text and "#### Leaderboard" in text
