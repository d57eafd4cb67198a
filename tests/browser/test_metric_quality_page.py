"""The page on metrics in a real browser: nothing is asked for, nothing is cut off, and it fits screens and paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.metric_quality.sample import small_trial
from tests.reports.metric_trial import films, trial

from heldout.reports.page.metric_quality import to_html

CUT_OFF = """() => [...document.querySelectorAll('svg text')].filter((text) => {
    const inside = text.getBoundingClientRect(), around = text.ownerSVGElement.getBoundingClientRect();
    return inside.width > 0 && (inside.right > around.right + 1 || inside.left < around.left - 1
        || inside.bottom > around.bottom + 1 || inside.top < around.top - 1);
}).map((text) => text.textContent)"""

SCROLLING = """() => [...document.querySelectorAll('figure, .scroll')]
    .filter((box) => !box.querySelector('svg.heat') && box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.dataset.figure || box.getAttribute('aria-label'))"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("pages")
    reports = {"by hand": films(), "real": films(small_trial()), "two": films(trial(), trial(), labels=("A", "B"))}
    for name, report in reports.items():
        (folder / f"{name}.html").write_text(to_html(report), encoding="utf-8")
    return sorted(folder.iterdir())


@pytest.mark.parametrize("width", [360, 900, 1500])
@pytest.mark.parametrize("media", ["screen", "print"])
def test_nothing_is_cut_off(browser: Any, pages: list[Path], width: int, media: str) -> None:
    for path in pages:
        page = browser.new_context(viewport={"width": width, "height": 800}, color_scheme="dark").new_page()
        said: list[str] = []
        asked_for: list[str] = []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("request", lambda request, asked_for=asked_for: asked_for.append(request.url))
        page.emulate_media(media=media)
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((folded) => { folded.open = true; })")
        assert said == []
        assert asked_for == [path.as_uri()]
        assert page.evaluate(CUT_OFF) == []
        if media == "screen" or width > 700:  # no paper is as narrow as a telephone
            assert page.evaluate("document.documentElement.scrollWidth") == width
        if width == 360 and media == "screen":  # matrices scroll, nothing else does
            assert page.evaluate(SCROLLING) == []
        page.context.close()
