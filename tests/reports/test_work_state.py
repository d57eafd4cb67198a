"""How far the work is, and what the rest will take."""

from __future__ import annotations

from types import SimpleNamespace

from heldout.kernels.compile_time import CompileTime
from heldout.reports.work_state import WorkState, seconds_left, time_left


def test_the_rest_takes_as_long_as_what_is_done() -> None:
    assert seconds_left(25, 100, 60.0) == 180  # 3/4 of the work at 60 s a quarter
    assert seconds_left(50, 100, 7.0) == 7
    assert seconds_left(1, 100, 60.0) is None and seconds_left(100, 100, 60.0) is None and seconds_left(0, 0, 9.0) is None
    assert seconds_left(50, 100, 1.0) is None  # too early to say
    assert seconds_left(999, 1000, 10.0) == 1
    assert time_left(180) == "about 3 min 0 s left" and time_left(None) == ""


def test_the_rest_gets_shorter_within_a_step_that_is_no_longer_than_those_before() -> None:
    """Two steps of 10 s of ten: 80 s are left, 73 after 7 s; a step that lasts 25 s is 15 s late, or 60 s by the rate."""
    seconds = [0.0]
    work = WorkState(lambda: seconds[0])
    work.tell("EASE", 0, 10)
    for done in (1, 2):
        seconds[0] = 10.0 * done
        work.tell("EASE", done, 10)
    for now, left in ((20.0, 80), (27.0, 73), (30.0, 70), (45.0, 70 + 15 * 4)):
        seconds[0] = now
        assert work.seconds_left == left
    work.tell("EASE", 3, 10)
    assert work.seconds_left == 105  # 45 s of three steps


def test_elapsed_and_estimate_follow_the_clock() -> None:
    """A quarter is done 30 s after the whole was known; reading took 10 s before, which do not come again."""
    seconds = [0.0]
    work = WorkState(lambda: seconds[0])
    work.tell("reading", 0, 0)
    seconds[0] = 10.0
    assert work.estimate == "10 s so far"
    work.tell("EASE", 0, 100)
    seconds[0] = 40.0
    work.tell("EASE", 25, 100)
    assert work.estimate == "25%, 40 s so far, about 1 min 30 s left" and work.record()["seconds_left"] == 90
    work.tell("comparing", 0, 0)
    assert work.estimate.startswith("25%, 40 s so far")


def test_compilation_is_part_of_what_was_spent_and_not_of_what_is_left() -> None:
    """A quarter takes 30 s, of which 24 compile what the other quarters use: these take 6 s each."""
    seconds, timer = [0.0], SimpleNamespace(seconds=0.0, depth=1)
    work = WorkState(lambda: seconds[0], CompileTime(timer))
    work.tell("EASE", 0, 100)
    seconds[0] = 10.0
    assert work.estimate == "0%, 10 s so far, compiling for the first run"
    seconds[0], timer.seconds, timer.depth = 30.0, 24.0, 0
    work.tell("EASE", 25, 100)
    assert work.estimate == "25%, 30 s so far, about 18 s left" and work.record()["seconds_left"] == 18


def test_work_never_goes_back_and_a_stage_alone_leaves_it() -> None:
    work = WorkState()
    work.tell("reading", 0, 0)
    assert (work.stage, work.estimate) == ("reading", "")
    work.tell("EASE", 5, 10)
    work.tell("Popularity", 2, 10)
    assert (work.done, work.estimate) == (5, "50%")
    work.tell("comparing", 0, 0)
    assert (work.stage, work.done, work.total) == ("comparing", 5, 10)
