"""`python -m heldout` is the command."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def test_the_module_is_the_command() -> None:
    ended = subprocess.run([sys.executable, "-m", "heldout", "lisst"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "No such command 'lisst'" in ended.stderr
    assert re.search(r"Did you mean .*'list'", ended.stderr)  # versions of Click differ in how many they suggest


PLUGIN = "from pathlib import Path\nPath('loaded').touch()\nraise SystemExit('loaded')\n"


def test_nothing_is_loaded_from_the_current_folder(tmp_path: Path) -> None:
    """A stranger's folder may hold entry points, and modules with the names of dependencies."""
    package = tmp_path / "strange-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: strange\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[heldout.metrics]\nStrange = strange:Strange\n")
    for module in ("strange", "typer", "polars"):
        (tmp_path / f"{module}.py").write_text(PLUGIN)
    command = [sys.executable, "-m", "heldout", "describe", "RR"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "") and "RR" in ended.stdout
    assert not (tmp_path / "loaded").exists()
