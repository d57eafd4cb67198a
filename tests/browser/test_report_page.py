"""The page in a real browser: no errors, no requests, charts drawn, selectors at work."""

from __future__ import annotations

import html
import shutil
from dataclasses import replace

import pytest
from tests.reports.kept import facts_of, outcome_of
from tests.reports.page.test_facts import facts as many_facts
from tests.reports.sample import facts

from heldout.reports.captions import protocol
from heldout.reports.page.document import to_html
from heldout.reports.page.results import board_cells, pair_cells, pairs_note
from heldout.reports.views import View

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
CELLS = """(id) => [...document.getElementById(id).tBodies[0].rows].map(
    (r) => [...r.cells].map((c) => [c.textContent, c.className, c.title]))"""


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as p:
        started = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--no-first-run"])
        yield started
        started.close()


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
    playwright.expect(opened.locator(".plot svg")).to_have_count(9)  # spread, board, forest and six of the data
    yield opened
    context.close()


def test_charts_are_drawn_without_a_word_or_a_request(page, report):
    assert page.said == []
    assert [url for url in page.asked if not url.startswith("blob:")] == [report]
    marks = page.locator("#chart-board svg .mark-symbol path")
    assert marks.count() == 6


def test_the_script_writes_the_same_cells_as_the_server(page, browser, report):
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(report)
    assert plain.locator("#chart-board").is_hidden() and plain.locator("#setting").is_hidden()
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
    page.select_option("#setting", "1")
    page.select_option("#setting", "0")
    page.select_option("#scope", "all")
    for key, expected in static.items():
        assert [[tuple(cell) for cell in row] for row in page.evaluate(CELLS, key)] == expected
    protocol = plain.locator("#protocol").text_content()
    assert page.locator("#protocol").text_content() == protocol
    plain.context.close()


def _cells(lines):
    """Cells as Python writes them, for comparison with those of the page."""
    return [[[html.unescape(text.replace("<wbr>", "")), cls, title] for text, cls, title in line] for line in lines]


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
    opened, view = browser.new_page(), View(sample)
    opened.goto(write_html(sample, tmp_path / "page.html").as_uri())
    opened.wait_for_selector("html.drawn")
    compared = 0
    for setting in view.contests:
        opened.select_option("#setting", str(setting.id))
        digits = view.digits(setting.id)
        board = [board_cells(row, digits, lettered=view.lettered) for row in view.board(setting.id)]
        assert opened.evaluate(CELLS, "leaderboard") == _cells(board)
        assert opened.locator("#protocol").text_content() == "".join(stage + text for stage, text in protocol(setting))
        for test in view.tests(setting.id):
            opened.select_option("#test", test)
            for scope, pairs in (("leader", view.against_others), ("all", view.pairs)):
                opened.select_option("#scope", scope)
                expected = [pair_cells(row, digits) for row in pairs(setting.id, test)]
                assert opened.evaluate(CELLS, "pairs") == _cells(expected)
                assert opened.locator("#pairs-note").text_content() == pairs_note(view, setting.id, test)
                compared += len(expected)
    assert compared > 40
    opened.close()


def test_the_setting_selector_changes_tables_and_charts(page):
    page.select_option("#setting", "4")
    assert page.locator("#leaderboard tbody tr").first.locator("td.name").text_content() == "ALS(factors=50, alpha=1)"
    assert "TestRatings" in page.locator("#protocol").text_content()
    assert page.locator("#pairs tbody tr").count() == 5
    playwright.expect(page.locator("#chart-board svg text", has_text="0.86").first).to_be_visible()
    page.select_option("#test", "t")
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
    before, rows = page.evaluate(CELLS, "pairs"), page.evaluate(CELLS, "leaderboard")
    page.select_option("#setting", str(made.settings[1].id))
    page.select_option("#setting", str(made.primary))
    assert page.evaluate(CELLS, "pairs") == before and len(before) > 0
    # Without letters there is no column of groups, neither as written nor as the script redraws it.
    assert (
        page.evaluate(CELLS, "leaderboard") == rows and len(rows[0]) == page.locator("#leaderboard thead th").count() == 11
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
    by_setting = {line[0][0].removesuffix(" (lower is better)"): line for line in table}
    for label in labels:
        told = dict(part.split(": ", 1) for part in label.split("; ") if ": " in part)
        line = by_setting[next(name for name in by_setting if told["Setting"] == name)]
        assert told["Effect d"].startswith("−") == line[1][0].startswith("✗"), label
        assert told["Over"] in line[2][0]


def test_a_page_that_leaves_much_out_works(browser, tmp_path):
    opened = browser.new_page()
    said = []
    opened.on("console", lambda m: said.append(m.text))
    opened.on("pageerror", lambda e: said.append(str(e)))
    opened.goto(write_html(many_facts(80, 2), tmp_path / "many.html").as_uri())
    opened.wait_for_selector("#chart-board svg")
    assert said == []
    opened.select_option("#setting", "1")
    assert opened.locator("#leaderboard tbody tr").count() == 80
    assert opened.locator("#pairs tbody tr").count() == 79  # the leader against all others
    assert opened.get_by_text("Left out for the size of the page").count() == 2
    opened.close()
