"""Take the pictures of the README: two parts of the report that `heldout demo` writes.

python docs/picture.py           needs playwright, Pillow and a Chromium
"""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from heldout.api.demo import STUDY
from heldout.api.run import run

PARTS = {"report": ("#answer", "#table-leaderboard"), "users-and-items": ("#users", "#figure-item-popularity")}
"""Name of a picture → the first and the last element of the page that it shows."""
WIDTH, SCALE, COLOURS, MARGIN = 1120, 1.5, 256, 20


def pictures(page_file: Path) -> Iterator[tuple[str, bytes]]:
    """Name and PNG of each part of the page."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
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
        browser.close()


if __name__ == "__main__":
    images = Path(__file__).parent / "images"
    with tempfile.TemporaryDirectory() as folder:
        run(STUDY, out=folder)
        for name, png in pictures(Path(folder) / "report.html"):
            picture = Image.open(io.BytesIO(png)).convert("RGB")
            few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            few.save(images / f"{name}.png", optimize=True)
