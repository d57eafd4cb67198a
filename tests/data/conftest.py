"""A server of files on this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

import pytest


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The folder that is served, and its address."""
    folder = tmp_path / "served"
    folder.mkdir()
    with HTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as http:
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        yield folder, f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()
