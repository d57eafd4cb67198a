"""Components as a notebook shows them."""

from __future__ import annotations

import heldout as ho


def test_a_listing_is_a_table_of_each_kind() -> None:
    html = ho.list("gains")._repr_html_()
    assert html.count("<tr>") == len(ho.list("gains")[0][1]) and html.startswith("<p><b>gains (")
    assert "<code>exp2" in html and ho.list()._repr_html_().count("<table>") == len(ho.list())


def test_a_card_has_the_sections_and_parameters() -> None:
    html = ho.describe("nDCG")._repr_html_()
    assert html.startswith("<h4>nDCG (metric") and "<b>Formula</b>" in html and "<code>gain: " in html
    assert "Σ" in html and "k ≤ n" in html


def test_texts_are_escaped() -> None:
    from heldout.reports.render.catalogue_html import card_html, listing_html

    assert "<td" in listing_html([("a", "a(<b>)", "x & y")], "kind") and "a(&lt;b&gt;)" in listing_html(
        [("a", "a(<b>)", "")], "kind"
    )
    assert "&lt;script&gt;" in card_html("<script>", [("Drawn: x", "1 < 2")]) and "1 &lt; 2" in card_html(
        "t", [("Drawn: x", "1 < 2")]
    )


def test_data_sets_to_fetch() -> None:
    assert "<code>ml-1m</code>" in ho.list_data_sets()._repr_html_()
