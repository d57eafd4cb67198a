"""RecTools in an environment of its own: it cannot live beside numpy 2."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

import numpy as np

from benchmarks.harness import Seconds
from benchmarks.lists import RELEVANT, Lists

VENV = Path(__file__).resolve().parents[1] / ".venv-rectools"


class Unavailable(Exception):
    """RecTools could not be installed or started; says why."""


def ensure() -> Path:
    """The environment's Python; made and filled on first use."""
    python = VENV / "bin" / "python"
    if _works(python):
        return python
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "rectools"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise Unavailable(f"RecTools could not be installed in {VENV.name}: {last}")
    if not _works(python):
        raise Unavailable(f"RecTools was installed in {VENV.name}, but cannot be imported there")
    return python


def _works(python: Path) -> bool:
    if not python.exists():
        return False
    return subprocess.run([python, "-c", "import rectools.metrics"], capture_output=True, check=False).returncode == 0


class RecTools:
    """A process that calculates metrics with RecTools whenever called, and says how long that took."""

    def __init__(self, lists: Lists) -> None:
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "lists.npz"
        liked = lists.test.filter(lists.test["rating"] >= RELEVANT)
        np.savez(
            path,
            test_user=liked["user_id"],
            test_item=liked["item_id"],
            run_user=lists.run["user_id"],
            run_item=lists.run["item_id"],
            run_rank=lists.run["rank"],
        )
        script = Path(__file__).with_name("rectools_peer.py")
        self._process = subprocess.Popen(
            [ensure(), script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.version = self._answer()["version"]
        self.values: dict[str, float] = {}

    def __call__(self) -> Seconds:
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        answer = self._answer()
        self.values = answer["values"]
        return Seconds(answer["seconds"])

    def __enter__(self) -> RecTools:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()

    def _answer(self) -> dict[str, object]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise Unavailable("RecTools' process ended")
        return json.loads(line)
