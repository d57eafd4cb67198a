"""The page of a multiverse of 20 systems × 5,000 universes: its size, its first paint, and how soon a switch answers.

Values are drawn. A browser opens the page as a file; a switch is timed by the page's own clock, from the change of the
control to the frame in which the browser has drawn what follows from it.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.harness import Found, Limit
from heldout.reports.multiverse import document
from heldout.reports.multiverse_tables import MultiverseReport
from heldout.reports.render import html
from heldout.universes.analysis import multiverse_findings
from heldout.universes.explored import explored_universes
from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.universes import Universes

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
TURN = """([place, option]) => new Promise((resolve) => {
    const control = document.querySelector(`.explorer fieldset[data-switch="${place}"]`), begun = performance.now();
    const list = control.querySelector("select"), node = list || control.querySelectorAll("input")[option];
    if (list) list.value = String(option); else node.checked = true;
    node.dispatchEvent(new Event("change", { bubbles: true }));
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun), 0));
})"""
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


def run() -> Found:
    from playwright.sync_api import sync_playwright

    universes = grid()
    begun = time.process_time()
    shown = explored_universes(universes, level=LEVEL)
    selecting = time.process_time() - begun
    findings = multiverse_findings(universes, level=LEVEL)
    report = MultiverseReport(findings=findings, title="Twenty systems", explore=lambda: shown)
    begun = time.process_time()
    text = html.page(document(report))
    drawing = time.process_time() - begun
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "report.html"
        path.write_text(text, encoding="utf-8")
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"), args=["--no-sandbox"]
        )
        paints, turns = [], []
        for _ in range(5):
            page = browser.new_page()
            page.goto(path.as_uri())
            page.wait_for_selector("html.drawn", state="attached")
            paints.append(page.evaluate(PAINT) / 1000)
            page.close()
        page = browser.new_page()
        page.goto(path.as_uri())
        page.wait_for_selector("html.drawn", state="attached")
        for place, levels in enumerate(LEVELS.values()):
            for option in (*range(1, len(levels)), 0):
                turns.append(page.evaluate(TURN, [place, option]) / 1000)
        browser.close()
    return Found(
        {
            "choosing what the page shows": [selecting],
            "writing the page": [drawing],
            "first paint": paints,
            "a switch answers": turns,
        },
        limits=[
            Limit("size of the page", len(text.encode()) / 1e6, 3, "MB"),
            Limit("first paint, median", 1000 * statistics.median(paints), 1000, "ms"),
            Limit("a switch answers, median", 1000 * statistics.median(turns), 100, "ms"),
            Limit("a switch answers, slowest", 1000 * max(turns), 100, "ms"),
        ],
        notes=[
            f"{len(universes):,} universes × {SYSTEMS} systems, {len(shown.explored.codes):,} in the page",
            "Chromium, one machine",
        ],
    )
