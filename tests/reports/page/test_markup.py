"""Elements, tables and embedded JSON: text is escaped wherever it enters, markup never twice."""

from __future__ import annotations

import html
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from heldout.reports.page.markup import breakable, cell, el, embedded_json, finite, join, rows, table


def test_elements_escape_text_and_attributes() -> None:
    assert el("td", "<b>", title='"') == '<td title="&#34;">&lt;b&gt;</td>'
    assert el("p", el("b", "x"), cls="") == "<p><b>x</b></p>"
    assert el("option", "x", value="'", selected=True, hidden=False, data_x="&") == (
        '<option value="&#39;" selected data-x="&amp;">x</option>'
    )


@given(st.text())
def test_what_enters_as_text_is_read_as_that_text(text: str) -> None:
    for markup in (join(text), breakable(text).replace("<wbr>", ""), el("i", text).removeprefix("<i>").removesuffix("</i>")):
        assert html.unescape(markup) == text
        assert not set(str(markup)) & set("<>\"'")


def test_markup_made_by_formatting_is_text_again() -> None:
    """An f-string of markup is a plain string, so it is escaped: a slip shows on the page and opens nothing."""
    assert el("p", f"{el('b', 'x')}") == "<p>&lt;b&gt;x&lt;/b&gt;</p>"


@pytest.mark.parametrize("part", [0, 1, 2])
def test_every_part_of_a_cell_is_escaped(part: int) -> None:
    texts = ["x", "x", "x"]
    texts[part] = '<i a="b">'
    line = [cell(*texts)]
    for markup in (rows([line], texts), table(line, Markup(), caption=texts[0], key=texts[1])):
        assert "<i" not in markup and "&lt;i a=&#34;b&#34;&gt;" in markup


def test_a_name_may_break_before_a_parenthesis_and_after_a_comma() -> None:
    assert breakable("f(a<1,b)") == "f<wbr>(a&lt;1,<wbr>b)"


def test_json_holds_no_not_a_number() -> None:
    assert finite({"a": (float("nan"), 1.5), "b": True}) == {"a": [None, 1.5], "b": True}
    assert json.loads(embedded_json({"a": "</script>\u2028"})) == {"a": "</script>\u2028"}
    assert "<" not in embedded_json(["</script>"])
