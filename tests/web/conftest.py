"""A folder of results, and the pages over it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import heldout as ho

PORT, TOKEN = 8765, "the-token-of-the-tests"
STUDY: dict[str, Any] = {
    "title": "Three <script>alert(1)</script> on a small world",
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", {"name": "<b>Random</b>", "model": "Random"}],
    "relevance": "threshold(4)",
    "metrics": "nDCG(gain=binary)@5",
    "compare": ["t"],
}


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results that are made once."""
    folder = tmp_path_factory.mktemp("made")
    ho.run(STUDY, out=folder / "small")
    ho.run({**STUDY, "title": "Other split", "split": "ratio(train=0.5, by=user)"}, out=folder / "inner" / "other")
    ho.multiverse({**STUDY, "title": "All of them", "target": ["AllItems", "TestRatings"]}, out=folder / "universes")
    return folder


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    """A copy of them that a test may spoil."""
    return Path(shutil.copytree(made, tmp_path / "results"))


@pytest.fixture
def open_client(home: Path) -> Iterator[Callable[..., Any]]:
    """Opens the pages as a browser would: with the token, unless a test says otherwise."""
    pytest.importorskip("starlette", reason="the extra web is not installed")
    pytest.importorskip("httpx", reason="httpx is not installed")  # what older versions of starlette take; newer, httpx2
    from starlette.testclient import TestClient

    from heldout.web.app import application
    from heldout.web.served_folder import ServedFolder

    opened: list[Any] = []

    def client(*, token: bool = True, host: str = "127.0.0.1", asks: str = "", port: int = PORT) -> Any:
        app = application(ServedFolder(home), host=host, port=port, token=TOKEN)
        base = f"http://{asks or host}:{port}"
        browser = TestClient(app, base_url=base, headers={"origin": base})
        if token:
            browser.cookies.set(f"heldout-{port}", TOKEN)
        opened.append(browser.__enter__())
        return browser

    yield client
    for browser in opened:
        browser.__exit__(None, None, None)


@pytest.fixture
def client(open_client: Callable[..., Any]) -> Any:
    return open_client()
