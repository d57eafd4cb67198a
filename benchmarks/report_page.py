"""The demo's page and that of a multiverse of 20 systems × 5,000 universes: sizes, first paint, how soon a switch answers.

The multiverse's values are random. A browser opens its page as a file. A switch is timed by the page's own clock, from the
change of the control to the frame in which the browser has drawn what follows from it, and by the processor time of the
page's thread, which other work on the machine does not lengthen. The same is measured with the sources of the last commit
whose pages had hand-drawn charts, if this is a checkout with its history.
"""

from __future__ import annotations

import io
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.harness import Found, Limit, Ratio
from heldout.universes.analysis import multiverse_findings
from heldout.universes.explored import explored_universes
from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.universes import Universes

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SYSTEMS, LEVEL = 20, 0.05
LEVELS = {
    "split": [f"ratio(train={k / 10:g})" for k in range(5, 10)],
    "target": ["AllItems", "TestItems", "TestRatings", "OnePlusRandom(n=100)", "TrainingItems"],
    "metric": ["P", "Recall", "RR", "AP", "HitRate"],
    "cutoff": ["1", "5", "10", "20", "50"],
    "aggregate": ["mean", "gmean"],
    "coverage": ["zero", "intersection"],
    "test": ["t", "sign"],
}
TURN = """([selector, option]) => new Promise((resolve) => {
    const control = document.querySelector(selector), begun = performance.now();
    const list = control.querySelector("select"), node = list || control.querySelectorAll("input")[option];
    if (list) list.value = String(option); else node.checked = true;
    node.dispatchEvent(new Event("change", { bubbles: true }));
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun), 0));
})"""
HAND_DRAWN = "4a234e7c7d06778f72ebae745f8f32c473cad5ca"
"""The last commit whose pages had hand-drawn charts."""
WRITE_HAND_DRAWN = """
from pathlib import Path
from benchmarks.report_page import LEVEL, grid
from heldout.api.demo import STUDY
from heldout.api.run import run
from heldout.reports.multiverse_views import MultiverseReport
from heldout.reports.page.multiverse import to_html
from heldout.universes.analysis import multiverse_findings
from heldout.universes.explored import explored_universes
universes = grid()
findings, explored = multiverse_findings(universes, level=LEVEL), explored_universes(universes, level=LEVEL)
page = to_html(MultiverseReport(findings=findings, title="Twenty systems", explored=explored))
Path("multiverse.html").write_text(page, encoding="utf-8")
run(STUDY, out="demo")
"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


def grid() -> Universes:
    """Every combination of the levels, with values in which target and cut-off matter."""
    decisions = tuple(decision(name, LEVELS.get(name, ["given"])) for name in NAMES)
    places = [np.arange(len(own.levels)) for own in decisions]
    codes = np.stack(np.meshgrid(*places, indexing="ij"), axis=-1).reshape(-1, len(NAMES)).astype(np.int32)
    rng = np.random.default_rng(11)
    bend = rng.normal(0, 0.01, (len(NAMES), SYSTEMS))
    values = 0.3 + codes @ bend + rng.normal(0, 0.003, (len(codes), SYSTEMS))
    half = 0.008 + 0.004 * rng.random(values.shape)
    pairs = np.array(list(combinations(range(SYSTEMS), 2)), dtype=np.int32)
    difference = values[:, pairs[:, 0]] - values[:, pairs[:, 1]]
    p = np.exp(-np.abs(difference) / 0.004)
    return Universes(
        systems=tuple(f"System{k:02}(factors={10 * k + 10}, alpha=0.5)" for k in range(SYSTEMS)),
        decisions=decisions,
        codes=codes,
        pairs=pairs,
        values=values,
        users=np.full(values.shape, 5000, dtype=np.int32),
        other_users=np.zeros(len(codes), dtype=np.bool_),
        low=values - half,
        high=values + half,
        higher=np.ones(len(codes), dtype=np.bool_),
        difference=difference,
        effect=difference / 0.3,
        d=3 * difference,
        p=p,
        p_adjusted=np.minimum(1.0, 20 * p),
        winner=np.where(20 * p < LEVEL, np.sign(difference), 0).astype(np.int8),
        served=np.ones(difference.shape),
    )


def write_hand_drawn(folder: Path) -> bool:
    """Write both pages with the sources of the commit HAND_DRAWN; False if the history does not have it."""
    root = Path(__file__).resolve().parents[1]
    archive = subprocess.run(["git", "-C", root, "archive", HAND_DRAWN, "src"], capture_output=True, check=False)
    if archive.returncode != 0:
        return False
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as sources:
        sources.extractall(folder, filter="data")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "src"), str(root)])}
    subprocess.run([sys.executable, "-c", WRITE_HAND_DRAWN], cwd=folder, env=environment, check=True)
    return True


def timed(browser: Browser, path: Path, ready: str, selectors: list[str]) -> tuple[list[float], list[float], list[float]]:
    """Seconds to the first paint, five times, from each change of a switch to its frame, and of the processor for it."""
    paints, turns, busy = [], [], []
    for _ in range(5):
        page = browser.new_page()
        page.goto(path.as_uri())
        page.wait_for_selector(ready, state="attached")
        paints.append(page.evaluate(PAINT) / 1000)
        page.close()
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector(ready, state="attached")
    thread = page.context.new_cdp_session(page)
    thread.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked() -> float:
        metrics = thread.send("Performance.getMetrics")["metrics"]
        return next(float(own["value"]) for own in metrics if own["name"] == "TaskDuration")

    for selector, levels in zip(selectors, LEVELS.values(), strict=True):
        for option in (*range(1, len(levels)), 0):
            before = worked()
            turns.append(page.evaluate(TURN, [selector, option]) / 1000)
            busy.append(worked() - before)
    page.close()
    return paints, turns, busy


def megabytes(page: Path) -> float:
    """Size of a file in millions of bytes."""
    return page.stat().st_size / 1e6


def run() -> Found:
    from playwright.sync_api import sync_playwright

    from heldout.api.demo import STUDY
    from heldout.api.run import run as run_study
    from heldout.reports.multiverse import document
    from heldout.reports.multiverse_tables import MultiverseReport
    from heldout.reports.render import html

    universes = grid()
    begun = time.process_time()
    explored = explored_universes(universes, level=LEVEL)
    selecting = time.process_time() - begun
    findings = multiverse_findings(universes, level=LEVEL)
    report = MultiverseReport(findings=findings, title="Twenty systems", explore=lambda: explored)
    begun = time.process_time()
    text = html.page(document(report))
    writing = time.process_time() - begun
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        old, new = Path(name) / "old", Path(name) / "new"
        old.mkdir()
        run_study(STUDY, out=new / "demo")
        (new / "multiverse.html").write_text(text, encoding="utf-8")
        compared = write_hand_drawn(old)
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        places = [f'.explorer fieldset[data-switch="{place}"]' for place in range(len(LEVELS))]
        paints, turns, busy = timed(browser, new / "multiverse.html", "html.drawn", places)
        times = {"first paint": paints, "a switch answers": turns, "processor time of a switch": busy}
        limits = {"demo/report.html": 1.0, "multiverse.html": 3.0}
        if compared:
            names = [f'[data-switch="{name}"]' for name in LEVELS]
            old_paints, old_turns, old_busy = timed(browser, old / "multiverse.html", "html.explorable", names)
            times |= {"first paint, hand-drawn charts": old_paints, "a switch answers, hand-drawn charts": old_turns}
            times |= {"processor time of a switch, hand-drawn charts": old_busy}
            limits = {page: megabytes(old / page) for page in limits}
        browser.close()
        sizes = {page: megabytes(new / page) for page in limits}
    return Found(
        {"choosing what the page shows": [selecting], "writing the page": [writing], **times},
        ratios=[Ratio(what, f"{what}, hand-drawn charts") for what in ("first paint", "a switch answers") if compared],
        limits=[
            *(Limit(f"size of {page}", size, limits[page], "MB") for page, size in sizes.items()),
            Limit("first paint, median", 1000 * statistics.median(paints), 1000, "ms"),
            Limit("a switch answers, median", 1000 * statistics.median(turns), 100, "ms"),
            Limit("a switch answers, slowest", 1000 * max(turns), 100, "ms"),
            Limit("processor time of a switch, slowest", 1000 * max(busy), 100, "ms"),
        ],
        notes=[
            f"{len(universes):,} universes × {SYSTEMS} systems, {len(explored.explored.codes):,} in the page",
            "Chromium, one machine",
            *([] if compared else [f"not compared: the history does not have commit {HAND_DRAWN[:8]}"]),
        ],
    )
