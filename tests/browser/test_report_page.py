"""The page in a real browser: no errors, no requests, charts drawn, selectors at work."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from urllib.parse import quote

import pytest
from heldout.reports.page.document import to_html
from heldout.reports.page.results import board_cells, board_heads, pair_cells, pairs_note
from markupsafe import escape
from tests.reports.kept import facts_of, outcome_of
from tests.reports.page.test_facts import facts as many_facts
from tests.reports.sample import facts

from heldout.analysis.explored import Switchboard, explored_settings
from heldout.reports.captions import protocol

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CELLS = """(id) => [...document.getElementById(id).tBodies[0].rows].map(
    (r) => [...r.cells].map((c) => [c.textContent, c.className, c.title]))"""


def address(explored: Switchboard, way: int) -> str:
    """The fragment that chooses a way, written without the page's script."""
    start = explored.codes[explored.start]
    parts = [
        f"{quote(switch.name, safe='')}={quote(switch.options[code], safe='')}"
        for switch, code, first in zip(explored.switches, explored.codes[way], start, strict=True)
        if code >= 0 and code != first
    ]
    return "explore&" + "&".join(parts)


def choose(page, explored: Switchboard, way: int) -> None:
    """Follow a link to a way, and wait until the page shows it."""
    page.evaluate("(hash) => { location.hash = hash; }", address(explored, way))
    playwright.expect(page.locator("#explore")).to_have_attribute("data-way", str(way))


def turn(page, option: str) -> None:
    """Choose an option of a switch."""
    page.locator("#switches").get_by_label(option, exact=True).check()


def write_html(sample, path):
    path.write_text(to_html(sample), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return write_html(facts(), tmp_path_factory.mktemp("page") / "report.html").as_uri()


@pytest.fixture
def page(browser, report):
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    opened.said, opened.asked = [], []
    opened.on("console", lambda m: opened.said.append(m.text))
    opened.on("pageerror", lambda e: opened.said.append(str(e)))
    opened.on("request", lambda r: opened.asked.append(r.url))
    opened.goto(report)
    opened.wait_for_selector("html.drawn")
    # The page's own policy forbids eval, on which wait_for_function rests: wait by locators.
    playwright.expect(opened.locator(".plot svg")).to_have_count(2)  # spread and forest; all others need no script
    playwright.expect(opened.locator('figure[data-figure^="data-"] svg')).to_have_count(6)
    yield opened
    context.close()


def test_charts_are_drawn_without_a_word_or_a_request(page, report):
    assert page.said == []
    assert [url for url in page.asked if not url.startswith("blob:")] == [report]
    assert page.locator("#leaderboard .dot").count() == 6


def test_the_script_writes_the_same_cells_as_the_server(page, browser, report):
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(report)
    assert plain.locator("#chart-forest").is_hidden() and plain.locator("#switches").is_hidden()
    rows = plain.locator("#leaderboard tbody tr")
    static = {
        key: [
            [
                (c.text_content(), c.get_attribute("class") or "", c.get_attribute("title") or "")
                for c in row.locator("th, td").all()
            ]
            for row in plain.locator(f"#{key} tbody tr").all()
        ]
        for key in ("leaderboard", "pairs")
    }
    assert rows.count() == 6 and len(static["pairs"]) == 15
    turn(page, "P@10")
    turn(page, "nDCG@10")
    page.select_option("#scope", "all")
    for key, expected in static.items():
        assert [[tuple(cell) for cell in row] for row in page.evaluate(CELLS, key)] == expected
    protocol = plain.locator("#protocol").text_content()
    assert page.locator("#protocol").text_content() == protocol
    plain.context.close()


def _cells(lines):
    """Cells as Python writes them, for comparison with those of the page."""
    return [
        [[html.unescape(re.sub(r"<[^>]*>", "", str(escape(text)))), cls, title] for text, cls, title in line]
        for line in lines
    ]


def _places(lines):
    """Where dots and intervals are drawn."""
    return re.findall(
        r"(?:left|right):([\d.]+)%", "".join(text for line in lines for text, cls, _ in line if cls == "track")
    )


def _refused(sample):
    rows = [replace(row, refused=f"is number {row.setting}", significant=False) for row in sample.verdict.rows]
    return replace(sample, verdict=replace(sample.verdict, rows=(*rows[:3], *sample.verdict.rows[3:])))


def _judged():
    """A run with ties, a test without p-values, a test of all systems at once and one that needs no correction."""
    tests = ["t", "bayes(rope=0.01, samples=500)", "tukey"]
    return facts_of(outcome_of(uncovered=6), metrics=["P@10", "Recall@10"], aggregate=["mean", "median"], tests=tests)


@pytest.mark.parametrize("sample", [facts(), _refused(facts()), _judged()], ids=["sample", "uncalled", "judged"])
def test_every_setting_test_and_scope_reads_as_python_writes_it(browser, tmp_path, sample):
    """What the script computes anew for a chosen setting is what a report of that setting would say."""
    opened, view = browser.new_page(), sample
    opened.goto(write_html(sample, tmp_path / "page.html").as_uri())
    opened.wait_for_selector("html.drawn")
    explored = explored_settings(sample, view.contests)
    compared = 0
    for way, (key, test) in enumerate(zip(explored.number.tolist(), explored.tests, strict=True)):
        choose(opened, explored, way)
        setting, digits = view.setting(key), view.digits(key)
        assert opened.locator("#answer").text_content() == explored.sentences[way]
        assert opened.evaluate(CELLS, "leaderboard") == _cells(board_cells(view, key, test))
        drawn = opened.locator("#leaderboard tbody").evaluate("(body) => body.innerHTML")
        assert re.findall(r"(?:left|right): ([\d.]+)%", drawn) == [
            f"{float(at):g}" for at in _places(board_cells(view, key, test))
        ]
        heads = opened.locator("#leaderboard thead th").all_text_contents()
        assert heads == [text for (text, _, _) in _cells([board_heads(view, key)])[0]]
        shown = [*protocol(setting), *([("test", test)] if test else [])]
        assert opened.locator("#protocol").text_content() == "".join(stage + text for stage, text in shown)
        for scope, pairs in (("leader", view.against_others), ("all", view.pairs)):
            opened.select_option("#scope", scope)
            expected = [pair_cells(row, digits) for row in pairs(key, test)]
            assert opened.evaluate(CELLS, "pairs") == _cells(expected)
            assert opened.locator("#pairs-note").text_content() == pairs_note(view, key, test)
            compared += len(expected)
    assert compared > 40
    opened.close()


def test_a_switch_changes_tables_and_charts(page):
    turn(page, "TestRatings")
    assert page.locator("#leaderboard tbody tr").first.locator("td.name").text_content() == "ALS(factors=50, alpha=1)"
    assert "TestRatings" in page.locator("#protocol").text_content()
    assert page.locator("#pairs tbody tr").count() == 5
    turn(page, "t")
    assert "t: p adjusted by holm" in page.locator("#pairs-note").text_content()
    assert page.said == []


def test_copying_gives_json_and_csv(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("[data-copy=json]")
    playwright.expect(page.locator("#copied")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText().then(t => JSON.parse(t).systems.length)") == 6
    page.click("[data-copy=leaderboard]")
    page.wait_for_timeout(200)
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("label,setting,system")
    assert '"ALS(factors=50, alpha=1)"' in text and len(text.splitlines()) == 49


def test_a_narrow_screen_does_not_scroll_sideways(browser, report):
    page = browser.new_context(viewport={"width": 360, "height": 800}, color_scheme="dark").new_page()
    page.goto(report)
    page.wait_for_selector("html.drawn")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.context.close()


def test_with_a_baseline_the_script_shows_system_minus_baseline(browser, tmp_path):
    made = facts()
    first = made.comparisons[0].b
    pairs = tuple(row for row in made.comparisons if row.b == first)
    board = tuple(replace(row, group="") for row in made.leaderboard)
    based = replace(made, baseline=first, comparisons=pairs, leaderboard=board)
    uri = write_html(based, tmp_path / "page.html").as_uri()
    page, errors = browser.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(uri)
    page.wait_for_selector("#chart-forest svg")
    page.wait_for_selector("html.explorable")
    before, rows = page.evaluate(CELLS, "pairs"), page.evaluate(CELLS, "leaderboard")
    turn(page, "P@10")
    turn(page, "nDCG@10")
    assert page.evaluate(CELLS, "pairs") == before and len(before) > 0
    # Without letters there is no column of groups, neither as written nor as the script redraws it.
    assert (
        page.evaluate(CELLS, "leaderboard") == rows and len(rows[0]) == page.locator("#leaderboard thead th").count() == 13
    )
    assert all(row[0][0].endswith(f" − {first}") for row in before) and errors == []
    page.close()


def test_the_chart_of_effects_and_the_table_of_settings_agree(page):
    """One point for each setting: on the left of 0 exactly where the table says that another leads."""
    labels = page.locator("#chart-spread svg .mark-symbol path[aria-label]").evaluate_all(
        "(nodes) => nodes.map((n) => n.getAttribute('aria-label'))"
    )
    table = page.evaluate(CELLS, "settings")
    assert len(labels) == 7 and len(table) == 8  # the primary leader predicts no ratings, so it has no RMSE
    by_setting = {line[0][0].removesuffix(" (lower is better)").removesuffix(" (primary)"): line for line in table}
    for label in labels:
        told = dict(part.split(": ", 1) for part in label.split("; ") if ": " in part)
        line = by_setting[told["Setting"]]
        assert told["Margin"].startswith("−") == line[1][0].startswith("✗"), label
        assert told["Against"] in line[2][0]


def test_a_narrow_chart_of_effects_names_every_choice_whole(browser, tmp_path):
    sample = facts()
    long = tuple(replace(s, label=f"{s.label} · core(k=5) · fallback=popularity") for s in sample.settings)
    narrow = browser.new_page(viewport={"width": 400, "height": 800})
    narrow.goto(write_html(replace(sample, settings=long), tmp_path / "narrow.html").as_uri())
    narrow.wait_for_selector("#chart-spread svg")
    labels = narrow.locator("#chart-spread svg .role-axis-label text").all_text_contents()
    named = [words for words in labels if "core(k=5)" in words and "fallback=popularity" in words]
    assert len(named) == 7 and any("AllItems" in words and "nDCG@10" in words for words in named)
    narrow.close()


def test_a_page_that_leaves_much_out_works(browser, tmp_path):
    opened = browser.new_page()
    said = []
    opened.on("console", lambda m: said.append(m.text))
    opened.on("pageerror", lambda e: said.append(str(e)))
    opened.goto(write_html(many_facts(80, 2), tmp_path / "many.html").as_uri())
    opened.wait_for_selector("html.explorable")
    assert said == []
    opened.locator("#switches input:not(:checked)").first.check()
    assert opened.locator("#leaderboard tbody tr").count() == 80
    assert opened.locator("#pairs tbody tr").count() == 79  # the leader against all others
    assert opened.get_by_text("Left out for the size of the page").count() == 2
    opened.close()
