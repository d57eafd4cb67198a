"""A run that is killed, begun again, ends with the same bytes; HELDOUT_KILLS=200 tries so many moments, and more verbs.

See `tests/experiment/killing.py`, which can also be run by itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.heavy import sampled

KILLS = int(os.environ.get("HELDOUT_KILLS", "3"))
SHARES = {
    ("run", 1): KILLS // 2,
    ("multiverse", 1): KILLS // 4,
    ("run", 2): KILLS // 20,
    ("multiverse", 2): KILLS // 20,
    ("meta", 1): KILLS // 4,
    ("evaluate", 1): KILLS,
}
"""How many moments of each kind; on 2 threads with Ray, which takes seconds to start."""


@sampled
@pytest.mark.parametrize(("verb", "workers"), [share for share, kills in SHARES.items() if kills])
def test_killed_at_any_moment_the_final_bytes_are_the_same(verb: str, workers: int, tmp_path: Path) -> None:
    kills = SHARES[verb, workers]
    asked = [str(tmp_path), str(kills), str(workers), str(20 + workers), verb]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.experiment.killing", *asked], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[-1] == f"{kills} moments, 0 wrong"
    killed = sum("killed before operation" in line for line in lines)
    assert killed == kills if verb == "evaluate" else killed == kills - kills // 2
    assert verb != "evaluate" or "no folder" not in ran.stdout
