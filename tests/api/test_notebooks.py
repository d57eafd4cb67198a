"""Results, comparisons, universes, splits and profiles in notebooks: what Jupyter and marimo show of each."""

from __future__ import annotations

import html
import re
import shutil
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.heavy import heavy

pytestmark = heavy
CELLS = {
    "results": """
        import heldout as ho
        study = {"data": "simulate(users=40, items=20, ratings=300)", "split": "ratio(train=0.7)", "metrics": ["P@5", "RR"],
                 "relevance": "threshold(4)", "recommend": ["Popularity", "Random", "UserKNN(k=5)"], "compare": ["t"]}
        results = ho.run(study)
        results""",
    "comparison": "ho.compare(results)",
    "universes": """
        universes = ho.multiverse({**study, "target": ["AllItems", "TestItems"]})
        universes""",
    "split": "ho.split(study['data'], 'ratio(train=0.7)')",
    "profile": "ho.profile(study['data'], ['core(2)'])",
    "explorer": "results.explore(height=500)",
    "explorer of universes": "universes.explore(height=500)",
    "figure": "results.figures['leaderboard']",
    "figure of universes": "universes.figures['speccurve']",
}
"""What a person writes in each cell, by what it shows."""
TABLES = ("results", "comparison", "universes", "split", "profile")
FIGURES = ("figure", "figure of universes")
FRAMES = ("explorer", "explorer of universes", *FIGURES)


def source(cell: str) -> str:
    return textwrap.dedent(CELLS[cell]).strip()


def check(cell: str, data: dict[str, Any]) -> None:
    """What a notebook shows of a cell, by the type of its text, is rich and holds no script outside of a frame."""
    shown = str(data.get("text/html", ""))
    if cell in TABLES:
        assert "<table" in shown and "<script" not in shown and "<iframe" not in shown
    else:
        framed = re.search(r'<iframe [^>]*sandbox="allow-scripts allow-downloads"[^>]* srcdoc="([^"]*)"', shown)
        assert framed is not None and "<script" in html.unescape(framed.group(1))
    if cell in FIGURES:
        assert "application/vnd.vegalite.v6+json" in data


@pytest.fixture(scope="module")
def outputs() -> dict[str, list[Any]]:
    """What Jupyter shows of each cell."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: make test-notebooks")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed: make test-notebooks")
    from jupyter_client.manager import AsyncKernelManager
    from nbformat.v4 import new_code_cell, new_notebook

    class ThisPython(AsyncKernelManager):  # type: ignore[misc, unused-ignore]
        """A kernel of the Python that runs the tests, whatever is installed for the user."""

        def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
            return [sys.executable, "-m", "ipykernel_launcher", "-f", self.connection_file, *(extra_arguments or [])]

    notebook = new_notebook(cells=[new_code_cell(source(cell)) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=120, kernel_manager_class=ThisPython).execute()
    return {cell: run.outputs for cell, run in zip(CELLS, notebook.cells, strict=True)}


@pytest.mark.parametrize("cell", CELLS)
def test_jupyter(cell: str, outputs: dict[str, list[Any]]) -> None:
    results = [output for output in outputs[cell] if output["output_type"] == "execute_result"]
    assert len(results) == 1 and not [o for o in outputs[cell] if o["output_type"] in ("error", "stream")]
    check(cell, results[0]["data"])


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same cells as a notebook of marimo."""
    pytest.importorskip("marimo", reason="marimo is not installed: make test-notebooks")
    path = tmp_path_factory.mktemp("marimo") / "notebook.py"
    cells = [f"@app.cell\ndef _():\n{textwrap.indent(source(cell), '    ')}\n    return\n" for cell in CELLS]
    path.write_text("\n\n".join(["import marimo\n\napp = marimo.App()\n", *cells]))
    return path


@pytest.fixture
def address(app: Path) -> Iterator[str]:
    """The notebook as marimo serves it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "marimo", "run", str(app), "--headless", "--no-token", "--host", "127.0.0.1"]
    with (app.parent / "log").open("wb") as log:
        server = subprocess.Popen([*command, "-p", str(port)], stdout=log, stderr=log)
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until and socket.socket().connect_ex(("127.0.0.1", port)):
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def test_marimo(address: str) -> None:
    """In a browser, since it is marimo's page that decides what of HTML it shows."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium on this machine")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1100, "height": 3600})
        page.goto(address)
        page.wait_for_function("document.querySelectorAll('iframe[srcdoc]').length == 4", timeout=120_000)
        assert "Something went wrong" not in page.inner_text("body")
        assert page.locator("div.heldout table").count() == 4 and page.locator("table.dataframe").count() == 1
        for frame in [frame for frame in page.frames if frame != page.main_frame]:
            frame.wait_for_function("document.querySelectorAll('select, button, svg').length > 0", timeout=20_000)
        browser.close()
