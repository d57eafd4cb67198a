"""Biases as a page."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from tests.biases.sample import small_findings
from tests.reports.page.test_saving import without_saving

from heldout.reports.page.biases import html_fragment, to_html


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in ("meta", "br", "link", "wbr", "img", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_says_everything() -> None:
    findings = small_findings()
    page = to_html(findings, "Films <b>& books")
    tags = _Tags()
    tags.feed(page)
    assert not tags.open
    assert {"answer", "protocols", "pairs", "expected", "sweeps", "drift", "unknown", "definitions"} <= set(tags.ids)
    assert "Films &lt;b&gt;&amp; books" in page and "<b>& books" not in page
    # Curves of six sweeps, two protocols each in four of them, for wide and for narrow screens.
    assert page.count('class="lines broad"') == page.count('class="lines narrow"') == 10 and page.count("<svg") == 20
    assert "<script" not in without_saving(page) and "http://" not in page.replace("http://www.w3.org", "")
    assert page == to_html(findings, "Films <b>& books")


def test_without_sweeps_and_expectations_their_sections_are_not_there() -> None:
    page = to_html(replace(small_findings(), curves=(), expectations=()), "Films")
    assert 'id="sweeps"' not in page and 'id="expected"' not in page and 'href="#sweeps"' not in page


def test_the_answer_for_notebooks() -> None:
    fragment = html_fragment(small_findings())
    assert "<table" in fragment and small_findings().sentences[0] in fragment
