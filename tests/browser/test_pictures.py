"""Pictures, folded tables and pages of every kind, as a person meets them in a browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from heldout.reports.page.document import to_html
from tests.heavy import heavy
from tests.reports.every_kind import DRAWN_BY_HAND, results_of
from tests.reports.pictured import pictured

from heldout.analysis.details import SystemCost
from heldout.reports.page.markup import FEW_ROWS, cell, el, join, rows, table
from heldout.reports.page.static import static_page

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")


def violations_of(page: Any) -> list[Any]:
    """What axe-core finds, minor or serious, with all details open."""
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    page.evaluate(AXE)
    violations = page.evaluate("() => axe.run(document).then((r) => r.violations)")
    return [(v["id"], v["impact"], v["nodes"][0]["target"]) for v in violations]


def test_wide_tables_are_cards_on_a_phone_and_pictures_are_legible(browser: Any, tmp_path: Path) -> None:
    sample = pictured()
    costs = tuple(SystemCost(system=s, fit=k + 0.5, score=0.25, memory=10**8, folds=1) for k, s in enumerate(sample.systems))
    path = tmp_path / "report.html"
    path.write_text(to_html(replace(sample, costs=costs)), encoding="utf-8")
    page = browser.new_context(viewport={"width": 400, "height": 900}).new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("html.drawn")
    over = "(table) => { const box = table.closest('.scroll'); return box.scrollWidth - box.clientWidth; }"
    for name in ("overview-table", "leaderboard", "settings", "pairs"):
        assert page.locator(f"table#{name}.folded").evaluate(over) <= 0
    heads = page.locator("#settings tbody tr").first.locator("td").evaluate_all("(all) => all.map((c) => c.dataset.head)")
    assert heads[:3] == ["Leader", "Margin", "Significant"] and page.locator("#settings tr[role=row]").count() > 2
    page.set_viewport_size({"width": 900, "height": 900})
    sync_api.expect(page.locator("#pairs.folded")).to_have_count(0)
    wider = "(all) => all.filter((b) => b.checkVisibility()).map((b) => b.scrollWidth - b.clientWidth)"
    assert max(page.locator(".scroll:has(table:not(#matrix))").evaluate_all(wider)) <= 1
    page.set_viewport_size({"width": 400, "height": 900})
    sync_api.expect(page.locator("#pairs.folded")).to_have_count(1)
    assert page.locator("#overview-table tbody tr").first.locator("td").last.get_attribute("data-head") == "Memory"
    page.locator("#overview-table button.sort", has_text="Fit").click()
    slowest = page.locator("#overview-table tbody tr").first.locator("th").text_content()
    assert slowest == sample.systems[-1]
    sizes = page.evaluate("[...document.querySelectorAll('svg.panel text')].map((t) => t.getBoundingClientRect().height)")
    assert len(sizes) > 40 and min(sizes) > 9
    ends = "(all) => all.map((drawing) => drawing.getBoundingClientRect().right)"
    figures = page.locator("figure[data-figure] > svg").evaluate_all(ends)
    assert figures and max(figures) <= 400
    page.set_viewport_size({"width": 2000, "height": 900})
    page.wait_for_selector("#leaderboard:not(.folded)")
    page.context.close()


@heavy
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", DRAWN_BY_HAND)
def test_axe_finds_nothing_on_pages_of_any_kind(browser: Any, kind: str, scheme: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(results_of(kind).to_html(), encoding="utf-8")
    page = browser.new_context(color_scheme=scheme).new_page()
    page.goto(path.as_uri())
    assert violations_of(page) == []
    page.set_viewport_size({"width": 400, "height": 900})
    if page.locator(".scroll > table:not(#matrix)").count():
        page.wait_for_selector("table.folded")
    assert violations_of(page) == []
    page.context.close()


def test_long_tables_begin_short_and_everything_is_printed(browser: Any, tmp_path: Path) -> None:
    lines = rows([[cell(str(k)), cell("x")] for k in range(20)])
    folded = el("details", el("summary", "More"), el("p", "folded away", id="away"))
    body = join(table([cell("Row"), cell("Text")], lines, caption="Long", most=FEW_ROWS), folded)
    path = tmp_path / "static.html"
    page_text = static_page(el("section", body, id="s"), title="T", eyebrow="E", meta="m", sections=(), beside="")
    path.write_text(page_text, encoding="utf-8")
    page = browser.new_context().new_page()
    page.goto(path.as_uri())
    shown = "document.querySelectorAll('tbody tr:not([hidden])').length"
    assert page.evaluate(shown) == FEW_ROWS and not page.locator("#away").is_visible()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(shown) == 20 and page.locator("#away").is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(shown) == FEW_ROWS and not page.locator("#away").is_visible()
    page.get_by_role("button", name="Show all 20 rows").click()
    assert page.evaluate(shown) == 20
    page.context.close()
