"""Saving from the page, as a person would: tables equal what Python writes, cell by cell, and figures are whole files."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from tests.browser.test_explorer import HOSTILE, renamed
from tests.browser.test_report_page import turn
from tests.reports.every_kind import DRAWN_BY_HAND, results_of
from tests.reports.sample import facts

from heldout.api.kinds.study import study_results
from heldout.reports.page.sheets import sheets

WRITTEN = """() => Object.fromEntries([...saving.named()].map(([name, table]) => {
    const sheet = saving.sheet(name, table);
    return [name, { csv: saving.csv(sheet), latex: saving.latex(sheet), markdown: saving.markdown(sheet) }];
}))"""
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(20, 23, 28)"


def opened(browser: Any, page: str, folder: Path, *, scheme: str = "light") -> Any:
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    tab = browser.new_context(viewport={"width": 1000, "height": 800}, color_scheme=scheme, accept_downloads=True).new_page()
    tab.said = []
    tab.on("pageerror", lambda error: tab.said.append(str(error)))
    tab.goto(path.as_uri())
    return tab


def saved(tab: Any, menu: Any, label: str) -> tuple[str, bytes]:
    """The name and content of the file that a button of a menu saves, all by keys."""
    menu.locator("summary").focus()
    if menu.get_attribute("open") is None:
        tab.keyboard.press("Enter")
    with tab.expect_download() as waiting:
        menu.get_by_role("button", name=label).press("Enter")
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


@pytest.mark.parametrize("kind", DRAWN_BY_HAND)
def test_every_table_is_written_as_python_writes_it(kind: str, browser: Any, tmp_path: Path) -> None:
    page = results_of(kind).to_html()
    tab = opened(browser, page, tmp_path)
    expected = {
        name: {form: sheet.to(form) for form in ("csv", "latex", "markdown")} for name, sheet in sheets(page).items()
    }
    if tab.locator("#scope").count():
        tab.select_option("#scope", "all")
    assert tab.evaluate(WRITTEN) == expected and tab.said == []
    assert tab.locator("table").count() == tab.locator(".scroll + details.save").count()
    figures = tab.locator("figure:not(:has(figure))")
    assert tab.locator("figure > details.save").count() == figures.count() > 0
    named = tab.locator("[data-figure]").evaluate_all("(all) => all.map((figure) => figure.dataset.figure)")
    assert set(named) <= set(results_of(kind).figures)
    tab.context.close()


def test_hostile_names_and_another_setting(browser: Any, tmp_path: Path) -> None:
    results = study_results(renamed(facts()))
    tab = opened(browser, results.to_html(), tmp_path, scheme="dark")
    tab.wait_for_selector("html.drawn")
    turn(tab, "P@10")
    other = next(s.id for s in results.findings.settings if s.metric == "P@10" and s.aggregate == "mean")
    tables = results.at(other).tables
    board = tab.locator("#explore .scroll + details.save").first
    for label, ending, form in (("CSV", "csv", "csv"), ("LaTeX", "tex", "latex"), ("Markdown", "md", "markdown")):
        name, content = saved(tab, board, label)
        assert (name, content.decode()) == (f"leaderboard.{ending}", tables["leaderboard"].to(form))
    assert any(HOSTILE[0] in row[1].text for row in tables["leaderboard"].rows)
    assert board.get_by_role("status").text_content() == "Saved leaderboard.md"
    tab.keyboard.press("Escape")
    assert board.get_attribute("open") is None and tab.evaluate("document.activeElement.tagName") == "SUMMARY"

    menu = tab.locator("#pairs-section figure details.save").first
    name, content = saved(tab, menu, "SVG")
    drawing = ET.fromstring(content)
    assert name == "differences.svg" and len(list(drawing.iter("{http://www.w3.org/2000/svg}text"))) > 5
    assert drawing[0].get("fill") == LIGHT and tab.evaluate("getComputedStyle(document.body).backgroundColor") == DARK
    assert b"var(--" not in content and b"<script" not in content
    name, content = saved(tab, menu, "PNG")
    assert name == "differences.png" and content.startswith(b"\x89PNG") and len(content) > 5_000
    assert tab.said == []
    tab.context.close()
