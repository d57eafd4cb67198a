"""The page: complete, self-contained, escaped, reproducible."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.reports.kept import facts_of, outcome_of
from tests.reports.sample import SYSTEMS, TESTS, facts

from heldout.analysis.details import Details
from heldout.analysis.findings import Findings
from heldout.analysis.rows import NoticeRow
from heldout.reports.page.document import LIBRARIES, html_fragment, to_html
from heldout.words import interval, number, p_number, signed

VOID = {"meta", "br", "wbr", "link", "img", "input"}
HOSTILE = '</script><img src=x onerror="alert(1)">&"\'<!--'


class Balance(HTMLParser):
    """Collects open elements, attributes and the text of cells."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes <{self.open[-1:]}>"
        self.open.pop()

    def handle_data(self, data):
        if self.cells and any(tag in ("td", "th") for tag in self.open):
            self.cells[-1] += data


def parsed(page: str) -> Balance:
    parser = Balance()
    parser.feed(page)
    assert parser.open == []
    return parser


@pytest.fixture(scope="module")
def page() -> str:
    return to_html(facts())


def hostile() -> Findings:
    sample = facts()

    def name(text: str) -> str:
        return HOSTILE if text == SYSTEMS[0] else text

    return replace(
        sample,
        title=HOSTILE,
        systems=tuple(name(s) for s in sample.systems),
        notices=(NoticeRow(HOSTILE, HOSTILE, HOSTILE),),
        leaderboard=tuple(replace(r, system=name(r.system)) for r in sample.leaderboard),
        comparisons=tuple(replace(r, a=name(r.a), b=name(r.b)) for r in sample.comparisons),
        verdict=replace(
            sample.verdict, sentence=HOSTILE, rows=tuple(replace(r, leader=name(r.leader)) for r in sample.verdict.rows)
        ),
        manifest={"versions": {HOSTILE: HOSTILE}},
        references={HOSTILE: HOSTILE},
    )


def test_elements_balance_and_ids_are_unique(page):
    ids = [attrs["id"] for _, attrs in parsed(page).tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    targets = {attrs["href"] for tag, attrs in parsed(page).tags if tag == "a"}
    assert targets <= {f"#{i}" for i in ids}


def test_all_numbers_of_the_primary_setting_stand_in_the_tables(page):
    cells, view = parsed(page).cells, facts()
    for row in view.board(0):
        assert number(row.value, 4) in cells
        assert interval(row.low, row.high, 4) in cells
    for pair in view.pairs(0, TESTS[0]):
        assert f"{pair.a} − {pair.b}" in cells
        assert signed(pair.difference, 4) in cells
        assert p_number(pair.p_adjusted) in cells
    for setting in view.settings:
        for row in view.board(setting.id):
            assert number(row.value, view.digits(setting.id)) in cells


def test_exact_p_values_are_on_hover(page):
    pair = facts().pairs(0, TESTS[0])[0]
    assert f"adjusted p = {pair.p_adjusted:.4g}" in page


def test_disagreement_is_said_in_words(page):
    cells = parsed(page).cells
    assert (cells.count(f"✗ {SYSTEMS[1]}"), cells.count(f"✓ {SYSTEMS[0]}")) == (4, 4)


def test_nothing_is_asked_of_the_network(page):
    for tag, attrs in parsed(page).tags:
        assert not {"src", "srcset", "action", "data", "poster"} & set(attrs), tag
        assert attrs.get("href", "#").startswith("#")
        assert tag not in ("link", "iframe", "object", "base", "form")
    css = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
    assert "url(" not in css and "@import" not in css
    assert "default-src 'none'" in page and "unsafe-eval" not in page


def test_facts_round_trip_through_the_page(page):
    text = re.search(r'<script type="application/json" id="facts"[^>]*>(.*?)</script>', page, re.S).group(1)
    assert json.loads(text) == json.loads(json.dumps(facts().to_dict()))


def test_the_libraries_inflate_to_the_vendored_files(page):
    packed = dict(re.findall(r'data-library="([^"]+)">([^<]+)</script>', page))
    assert tuple(packed) == LIBRARIES
    for text in packed.values():
        source = zlib.decompress(base64.b64decode(text))
        assert b"sourceMappingURL" not in source and len(source) > 50_000


def test_the_page_stays_small(page):
    data = re.search(r'id="facts"[^>]*>(.*?)</script>', page, re.S).group(1)
    # A fifth of the 3 MB that a page of 20 systems × 5,000 universes may have; 370 KB are the chart libraries.
    assert len(page.encode()) - len(data.encode()) < 600_000


def test_same_facts_same_bytes(page):
    assert to_html(facts()) == page


def test_hostile_names_stay_text():
    page = to_html(hostile())
    tags = parsed(page).tags
    assert "img" not in {tag for tag, _ in tags}
    assert not any(key.startswith("on") for _, attrs in tags for key in attrs)
    text = re.search(r'id="facts"[^>]*>(.*?)</script>', page, re.S).group(1)
    assert json.loads(text)["title"] == HOSTILE
    fragment = html_fragment(hostile())
    assert "<img" not in fragment and "<script" not in fragment
    parsed(fragment)


def test_the_fragment_is_a_table_without_scripts():
    fragment = html_fragment(facts())
    assert "0.4682" in fragment and "<script" not in fragment and len(fragment) < 8_000


def test_the_lead_of_a_baseline_is_told_from_its_side():
    """All pairs are system − baseline; where the baseline leads, its tiles are baseline − runner-up."""
    made = facts_of(outcome_of(), metrics="P@10", tests=["t"], baseline="Best")
    pair = made.pair(0, "t", "Best", "Good")
    assert pair.difference > 0 and pair.wins > pair.losses
    page = to_html(made)
    tiles = page.partition('<dl class="tiles">')[2].partition("</dl>")[0]
    for part in (f">{signed(pair.difference, 4)}<", ">over Good<", f">effect d {signed(pair.effect, 2)}<"):
        assert part in tiles
    assert f"better for {pair.wins} users, equal for {pair.ties}, worse for {pair.losses}" in tiles
    for text in (page.partition("<script")[0], html_fragment(made)):
        assert "Group" not in parsed_cells(text) and "share a letter" not in text
    lettered = facts_of(outcome_of(), metrics="P@10", tests=["t"])
    for text in (to_html(lettered), html_fragment(lettered)):
        assert "Group" in parsed_cells(text)


def parsed_cells(text: str) -> set[str]:
    parser = Balance()
    parser.feed(text)
    return set(parser.cells)


def test_nothing_tested_is_said_so():
    made = facts_of(outcome_of(), aggregate="georisk", tests=["t"])
    assert all(row.p_adjusted is None for row in made.verdict.rows)
    assert "no difference was tested" in to_html(made) and "(not tested)" in made.verdict.sentence
    assert "significant" not in made.verdict.sentence


def test_a_bare_report_and_an_unknown_profile_are_no_trouble():
    sample = facts()
    step = replace(sample.data[0].steps[0], profile={"users": 3})
    bare = replace(
        sample,
        comparisons=(),
        choices=(),
        splits=(),
        cards=(),
        notices=(),
        references={},
        manifest={},
        settings=sample.settings[:1],
        verdict=replace(sample.verdict, rows=()),
        details=Details.known(data=(replace(sample.data[0], steps=(step,)),)),
    )
    page = to_html(bare)
    parsed(page)
    assert 'id="pairs-section"' not in page and 'href="#choices"' not in page
