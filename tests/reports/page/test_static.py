"""The frame of pages of tables and drawings."""

from __future__ import annotations

from tests.reports.page.test_saving import without_saving

from heldout.reports.page.markup import el
from heldout.reports.page.static import static_page, text_section


def test_links_lead_to_sections_that_are_there() -> None:
    body = el("section", "text", id="here")
    page = static_page(
        body,
        title="A & B",
        eyebrow="Heldout",
        meta="3 < 4",
        sections=[("here", "Here"), ("gone", "Gone")],
        style="truth",
        beside="x.json",
    )
    assert '<a href="#here">Here</a>' in page
    assert "#gone" not in page
    assert "<title>A &amp; B</title>" in page
    assert "3 &lt; 4" in page
    assert "default-src 'none'" in page and "<script" not in without_saving(page)


def test_no_texts_no_section() -> None:
    assert text_section("k", "Head", []) == ""
    assert text_section("k", "Head", ["a < b"], "note").count("<li>a &lt; b</li>") == 1
