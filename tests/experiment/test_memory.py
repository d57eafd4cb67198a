"""Memory held meanwhile."""

from __future__ import annotations

import subprocess
import sys

import pytest

from heldout.experiment.memory import PeakMemory

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory in use is read from /proc, on Linux")


def test_a_block_that_is_held_for_a_while_is_seen() -> None:
    """In a process of its own: here, what other tests left may be given back meanwhile, and hide the block."""
    program = """
import time, numpy as np
from heldout.experiment.memory import PeakMemory, highest, in_use
before = in_use()
with PeakMemory() as peak:
    block = np.ones(40_000_000 // 8)
    time.sleep(0.1)
    del block
assert before is not None and peak.bytes is not None
assert before + 35_000_000 < peak.bytes <= highest(), (before, peak.bytes, highest())
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_it_is_told_where_the_block_raises_too() -> None:
    peak = PeakMemory()
    with pytest.raises(ValueError, match="inside"), peak:
        raise ValueError("inside")
    assert peak.bytes is not None and peak.bytes > 1_000_000
