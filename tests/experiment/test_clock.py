"""Seconds of each stage add up."""

from __future__ import annotations

import time

import pytest

from heldout.experiment.clock import Clock


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

    import heldout.kernels.jit  # noqa: F401 (it listens to numba)

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
