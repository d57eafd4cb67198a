"""Seconds of each stage add up."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from heldout.experiment.clock import Clock, PeakMemory

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory in use is read from /proc, on Linux")


def test_time_is_added_also_where_work_fails() -> None:
    clock = Clock({"fit": 1.0})
    assert clock.time("fit", lambda: time.sleep(0.01)) is None
    assert 1.01 <= clock.seconds["fit"] < 2
    with pytest.raises(ZeroDivisionError):
        clock.time("rank", lambda: 1 // 0)
    assert clock.seconds["rank"] > 0


def test_clocks_of_other_processes_are_added() -> None:
    clock = Clock({"fit": 1.0})
    clock.add(Clock({"fit": 0.25, "rank": 0.12345}, memory=7))
    clock.add(Clock(memory=5))
    assert clock.memory == 7
    assert clock.rounded() == {"fit": 1.25, "rank": 0.123}


def test_compilation_is_no_cost_of_the_stage_in_which_it_happens() -> None:
    import numba

    import heldout.kernels.compiler  # noqa: F401 (it listens to numba)

    @numba.njit
    def inner(x: float) -> float:
        return x + 1

    @numba.njit
    def outer(x: float) -> float:
        return inner(x) * 2

    clock = Clock()
    assert clock.time("fit", lambda: outer(1.0)) == 4.0
    assert clock.seconds["compile"] > clock.seconds["fit"] > 0
    before = clock.seconds["compile"]
    clock.time("fit", lambda: outer(2.0))
    assert clock.seconds["compile"] == before  # it was compiled already


@on_linux
def test_a_block_that_is_held_for_a_while_is_seen() -> None:
    """In a process of its own: here, what other tests left may be given back meanwhile, and hide the block."""
    program = """
import time, numpy as np
from heldout.experiment.clock import PeakMemory, highest, in_use
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


@on_linux
def test_it_is_told_where_the_block_raises_too() -> None:
    peak = PeakMemory()
    with pytest.raises(ValueError, match="inside"), peak:
        raise ValueError("inside")
    assert peak.bytes is not None and peak.bytes > 1_000_000
