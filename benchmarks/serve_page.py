"""The first paint of `heldout serve` over 1,000 studies, by a server that has just been started."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from benchmarks.harness import Found, Limit

STUDIES = 1000
REPEATS = 5
STUDY: dict[str, Any] = {
    "data": "simulate(users=200, items=120, ratings=5000)",
    "split": "ratio(train=0.8, by=user)",
    "recommend": ["Popularity", "UserKNN(k=20)", "EASE(l2=100)", "Random"],
    "relevance": "threshold(4)",
    "target": ["AllItems", "TestRatings"],
    "metrics": ["nDCG(gain=binary)@10", "Recall@10"],
}
PAINT = """() => new Promise((resolve) => new PerformanceObserver((list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0]; if (paint) resolve(paint.startTime / 1000);
}).observe({ type: "paint", buffered: true }))"""


def run() -> Found:
    times: dict[str, list[float]] = {"first answer": [], "search through all of them, until the answer is whole": []}
    notes = []
    with tempfile.TemporaryDirectory(prefix="heldout-bench-") as temporary:
        home = Path(temporary) / "results"
        _fill(home)
        for _ in range(REPEATS):
            with _Server(home) as server:
                begin = time.perf_counter()
                first = server.get("/")
                times["first answer"].append(time.perf_counter() - begin)
                assert f"{STUDIES:,} studies" in first
                begin = time.perf_counter()
                while "still being read" in server.get("/?words=title"):
                    pass
                times["search through all of them, until the answer is whole"].append(time.perf_counter() - begin)
            painted = _painted(home)
            if painted is None:
                notes = ["no browser: only the server was measured"]
            else:
                times.setdefault("first paint in Chromium", []).append(painted)
    what = "first paint in Chromium" if "first paint in Chromium" in times else "first answer"
    limits = [Limit(f"{what}, the slowest of {REPEATS}", max(times[what]), 1.0, "s")]
    return Found(times, limits=limits, notes=notes, more={"studies": STUDIES})


def _fill(home: Path) -> None:
    """One study is run, and stands there under 1,000 names."""
    import heldout as ho

    ho.run({**STUDY, "title": "A title"}, out=home / "0000")
    for number in range(1, STUDIES):
        shutil.copytree(home / "0000", home / f"{number:04}")


class _Server:
    """The command in a process of its own."""

    def __init__(self, home: Path) -> None:
        command = [sys.executable, "-m", "heldout", "serve", str(home), "--port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        address = re.search(r"http://[^/]+", line)
        assert address, line
        self.address = address.group()

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path) as answer:
            return answer.read().decode()

    def __enter__(self) -> _Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()


def _painted(home: Path) -> float | None:
    """Seconds from the request to the first paint of the list, in a new browser and a new server; None without a browser."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return None
    if chromium is None:
        return None
    with _Server(home) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto("about:blank")
        page.goto(server.address)
        painted = float(page.evaluate(PAINT))
        browser.close()
    return painted
