"""Take the pictures of the documentation: two parts of the report of `heldout demo`, and the list of `heldout serve`.

python docs/picture.py           needs playwright, Pillow, the extra web and a Chromium
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

import heldout as ho
from heldout.api.demo import STUDY

PARTS = {"report": ("#answer", "#table-leaderboard"), "users-and-items": ("#users", "#figure-item-popularity")}
"""Name of a picture → the first and the last element of the page that it shows."""
WIDTH, SCALE, COLOURS, MARGIN = 1120, 1.5, 256, 20
SMALL = {
    "data": "simulate(users=300, items=200, ratings=9000)",
    "split": "ratio(train=0.8, by=user)",
    "recommend": ["Popularity", "Random", "UserKNN(k=20)", "EASE(l2=100)"],
    "relevance": "threshold(4)",
    "metrics": ["nDCG(gain=binary)@10", "P@10"],
}


def parts(browser: Any, page_file: Path) -> Iterator[tuple[str, bytes]]:
    """Name and PNG of each part of the page."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 900}, device_scale_factor=SCALE)
    page.goto(page_file.as_uri())
    page.wait_for_selector("html.drawn", state="attached")
    # Charts are drawn when they come into view, and their heights move what is below them.
    for chart in page.locator("main figure").all():
        if chart.is_visible():
            chart.scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(500)
    for name, (first, last) in PARTS.items():
        top = page.locator(first).bounding_box()["y"]
        end = page.locator(last).bounding_box()
        height = end["y"] + end["height"] - top + 2 * MARGIN
        area = {"x": 0, "y": top - MARGIN, "width": WIDTH, "height": height}
        yield name, page.screenshot(full_page=True, clip=area)


def served(browser: Any, folder: Path) -> bytes:
    """PNG of the list of results of several kinds, one of them damaged."""
    ho.run({**SMALL, "title": "Four recommenders"}, out=folder / "four", progress=False)
    ho.run(
        {**SMALL, "title": "The same, split by time", "split": "temporal(share=0.2)"}, out=folder / "time", progress=False
    )
    targets = {"target": ["AllItems", "TestItems", "TestRatings"]}
    ho.multiverse({**SMALL, **targets, "title": "Does it survive?"}, out=folder / "universes", progress=False)
    ho.bias({**SMALL, "title": "How much is popularity?"}, out=folder / "popularity", sweeps=[], progress=False)
    (folder / "broken").mkdir()
    (folder / "broken" / "manifest.json").write_text("{kind", encoding="utf-8")
    command = [sys.executable, "-m", "heldout", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        address = next(found[0] for line in server.stdout or () if (found := re.search(r"http://\S+", line)))
        page = browser.new_page(viewport={"width": 1200, "height": 640})
        page.goto(address)
        page.wait_for_selector("table")
        png: bytes = page.screenshot()
        server.terminate()
    return png


def save(name: str, png: bytes) -> None:
    """Write a picture with few colours."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(Path(__file__).parent / "images" / f"{name}.png", optimize=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        ho.run(STUDY, out=Path(folder) / "demo", progress=False)
        for name, png in parts(browser, Path(folder) / "demo" / "report.html"):
            save(name, png)
        save("serve", served(browser, Path(folder) / "served"))
        browser.close()
