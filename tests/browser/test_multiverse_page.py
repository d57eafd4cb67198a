"""The page of a multiverse in a real browser: what is chosen is marked in the charts, and a chart chooses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.test_page import opened, playwright, written
from tests.reports.every_kind import results_of
from tests.reports.test_multiverse import explorer_of, grid, made_of, several

from heldout.reports.document import Document
from heldout.reports.multiverse import document


@pytest.fixture(scope="module")
def shown() -> Document:
    return document(made_of(several(), grid()))


@pytest.fixture
def page(browser: Any, shown: Document, tmp_path: Path) -> Iterator[Any]:
    page = opened(browser, written(tmp_path, shown))
    page.mouse.wheel(0, 20_000)  # charts are drawn when they come near
    yield page
    assert page.said == []
    page.context.close()


def test_every_curve_marks_the_universe_that_is_chosen(page: Any, shown: Document) -> None:
    explorer = explorer_of(shown)
    figure = page.locator("figure", has_text="Specification curve of").first
    figure.scroll_into_view_if_needed()
    line = figure.locator(".mark-text text", has_text="chosen")
    playwright.expect(line).to_have_count(1)
    places = set()
    for option in ("1", "5", "50"):
        page.locator(".explorer").get_by_label(option, exact=True).last.check(force=True)
        places.add(round(line.bounding_box()["x"]))
    assert len(places) > 1 and explorer.noun == "universe"


def test_a_click_on_the_curve_of_margins_chooses_a_universe(page: Any, shown: Document) -> None:
    explorer = explorer_of(shown)
    figure = page.locator("figure", has_text="Margin of").first
    figure.scroll_into_view_if_needed()
    columns = figure.locator(".mark-rect path")
    playwright.expect(columns.first).to_be_visible()
    for place in (0, columns.count() - 1):
        columns.nth(place).click(force=True)
        state = int(page.locator(".explorer").get_attribute("data-state"))
        margin = explorer.signals["chosen_margin"]
        assert abs(margin[state] - place / (columns.count() - 1)) < 0.02


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(browser: Any, tmp_path: Path) -> None:
    results = results_of("multiverse")
    notebook = f"<!doctype html><meta charset=utf-8><p>A cell</p>{results._repr_html_()}{results.explore()._repr_html_()}"
    path = tmp_path / "notebook.html"
    path.write_text(notebook, encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    frame = page.frame_locator("iframe").first
    explorer = frame.locator(".explorer")
    before = explorer.get_attribute("data-state")
    explorer.get_by_label("TestItems", exact=True).check(force=True)
    assert explorer.get_attribute("data-state") != before
    assert frame.locator("body").evaluate("() => window.origin") == "null"
    assert page.locator("p").first.evaluate("(cell) => getComputedStyle(cell).fontSize") == "16px"
    page.close()
