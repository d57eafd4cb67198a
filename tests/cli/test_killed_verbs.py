"""Every command that writes, watched while it writes, on a full disk, and stopped by kill -9 or Ctrl-C at HELDOUT_KILLS ÷ 3
moments: no file may be written in place at any moment.

See `tests/cli/killing_verbs.py`, which can also be run by itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.killing_verbs import CASES, RESULTS
from tests.heavy import heavy

MOMENTS = int(os.environ.get("HELDOUT_KILLS", "0")) // 3
FULL = len(CASES) - len(RESULTS)


@heavy
@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked and watched by means of Linux")
def test_the_earlier_file_or_the_complete_new_one_is_there(tmp_path: Path) -> None:
    pytest.importorskip("optuna", reason="a search needs optuna")
    asked = [sys.executable, "-m", "tests.cli.killing_verbs", str(tmp_path), str(MOMENTS), "7"]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[-1] == "0 wrong"
    assert sum(line.endswith(": right") for line in lines) == (MOMENTS + 1) * len(CASES) + FULL
