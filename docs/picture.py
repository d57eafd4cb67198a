"""Take the picture of the README: the top of the report that `heldout demo` writes.

python docs/picture.py           needs playwright, Pillow and a Chromium
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from heldout.api.demo import STUDY
from heldout.api.run import run

PICTURE = Path(__file__).parent / "images" / "report.png"
WIDTH, SCALE, COLOURS = 1120, 1.5, 128


def taken(page_file: Path) -> bytes:
    """The page from its title to the end of the table of settings."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, device_scale_factor=SCALE)
        page.goto(page_file.as_uri())
        page.wait_for_selector("svg, canvas")
        page.wait_for_timeout(1000)
        table = page.locator("table").first.bounding_box()
        bottom = table["y"] + table["height"] + 12
        found = page.screenshot(full_page=True, clip={"x": 0, "y": 28, "width": WIDTH, "height": bottom - 28})
        browser.close()
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        run(STUDY, out=folder)
        picture = Image.open(io.BytesIO(taken(Path(folder) / "report.html"))).convert("RGB")
    PICTURE.parent.mkdir(exist_ok=True)
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
