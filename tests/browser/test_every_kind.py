"""Pages of every kind of result: nothing to object for a checker of accessibility, no error, nothing too wide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.reports.every_kind import KINDS, results_of

AXE = Path(__file__).parent / "vendor" / "axe.min.js"


def opened(browser: Any, kind: str, folder: Path, *, width: int = 1000, scheme: str = "light") -> Any:
    path = folder / "report.html"
    path.write_text(results_of(kind).to_html(), encoding="utf-8")
    tab = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True).new_page()
    tab.said = []
    tab.on("pageerror", lambda error: tab.said.append(str(error)))
    tab.on("console", lambda message: tab.said.append(message.text) if message.type == "error" else None)
    tab.goto(path.as_uri())
    return tab


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing(browser: Any, kind: str, tmp_path: Path) -> None:
    tab = opened(browser, kind, tmp_path)
    tab.evaluate("document.querySelectorAll('details').forEach((own) => { own.open = true; })")
    tab.add_script_tag(path=str(AXE))
    found = tab.evaluate("axe.run().then((result) => result.violations.map((own) => [own.id, own.nodes[0].html]))")
    assert found == []
    assert tab.said == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [400, 1600])
def test_no_page_is_wider_than_the_window(browser: Any, kind: str, width: int, tmp_path: Path) -> None:
    tab = opened(browser, kind, tmp_path, width=width)
    tab.evaluate("document.querySelectorAll('details').forEach((own) => { own.open = true; })")
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert tab.said == []
