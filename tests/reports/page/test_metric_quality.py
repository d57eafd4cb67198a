"""The page on metrics: whole, escaped, complete, the same each time."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from tests.metric_quality.sample import small_trial
from tests.reports.metric_trial import SENTENCE, films, trial
from tests.reports.page.test_saving import without_saving

from heldout.reports.metric_quality_figures import figures
from heldout.reports.page.metric_quality import SECTIONS, html_fragment, to_html


class _Closed(HTMLParser):
    """Every element is closed by its own end."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in ("br", "wbr", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("several", [False, True])
def test_the_page_is_whole_escaped_and_asks_for_nothing(several: bool) -> None:
    report = films(trial(), trial(), labels=("AllItems", "TestRatings")) if several else films()
    page = to_html(report)
    reader = _Closed()
    reader.feed(page)
    assert reader.open == []
    assert len(set(reader.ids)) == len(reader.ids)
    assert "Films &amp; &lt;books&gt;" in page
    assert "&lt;b&gt;&amp;@10" in page
    assert "<b>&" not in page
    assert "<i>Failing" not in page
    assert "<script" not in without_saving(page)
    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert to_html(report) == page


def test_every_section_and_definition_is_there() -> None:
    page = to_html(films())
    for key, head in SECTIONS:
        assert f'id="{key}"' in page
        assert f'href="#{key}">{head}' in page
    for figure in figures(trial()):
        assert f"<dt>{figure.head.replace('<', '&lt;')}</dt>" in page
    assert SENTENCE in page
    assert "one exchange of neighbours changes it by 0.33" in page
    assert page.count('<tr class="unbeaten">') == 2


def test_two_protocols_have_their_own_sections() -> None:
    page = to_html(films(trial(), trial(), labels=("AllItems", "TestRatings")))
    assert 'id="answer"' in page
    assert 'id="answer-2"' in page
    assert "Which metric can be trusted?\u00a0· TestRatings" in page  # no line begins with the dot
    assert page.count('id="definitions"') == 1


def test_what_a_trial_lacks_has_no_section() -> None:
    page = to_html(films(trial(between_metrics=(), between_depths=(), popularity=(), swaps=())))
    for key in ("between-metrics", "between-depths", "popularity", "swaps"):
        assert f'id="{key}"' not in page
        assert f'href="#{key}"' not in page


def test_a_real_trial_is_drawn() -> None:
    """Six systems on simulated ratings: what has no τ or no value of a criterion breaks nothing."""
    page = to_html(films(small_trial()))
    assert "nan" not in re.sub(r"<style>.*?</style>", "", without_saving(page), flags=re.DOTALL)
    assert page.count('class="lines"') >= 10


def test_the_fragment_for_notebooks() -> None:
    fragment = html_fragment(films())
    assert SENTENCE in fragment
    assert fragment.count("<tr") == 1 + 4  # a head, and each metric at its best depth
