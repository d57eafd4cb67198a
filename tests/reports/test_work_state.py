"""How far the work is, and what the rest will take."""

from __future__ import annotations

from heldout.reports.work_state import WorkState, time_left


def test_the_rest_takes_as_long_as_what_is_done() -> None:
    assert time_left(25, 100, 60.0) == "about 3 min 0 s left"  # 3/4 of the work at 60 s a quarter
    assert time_left(50, 100, 7.0) == "about 7 s left"
    assert time_left(1, 100, 60.0) == "" and time_left(100, 100, 60.0) == "" and time_left(0, 0, 9.0) == ""
    assert time_left(50, 100, 1.0) == ""  # too early to say
    assert time_left(999, 1000, 10.0) == "about 1 s left"


def test_work_never_goes_back_and_a_stage_alone_leaves_it() -> None:
    work = WorkState()
    work.tell("reading", 0, 0)
    assert (work.stage, work.estimate) == ("reading", "")
    work.tell("EASE", 5, 10)
    work.tell("Popularity", 2, 10)
    assert (work.done, work.estimate) == (5, "50%")
    work.tell("comparing", 0, 0)
    assert (work.stage, work.done, work.total) == ("comparing", 5, 10)
