"""How far the work is, and what the rest will take."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from heldout.data.file_reading import FileReading, file_reading
from heldout.kernels.compile_time import CompileTime
from heldout.reports.work_state import WorkState, file_words, seconds_left, time_left


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


def test_a_file_that_is_read_says_how_far_it_is() -> None:
    """Of 200 MB, 20 are parsed when the clock is at 50 s, and 40 more 5 s later: 140 take 17.5 s, 3 s later 14.5."""
    reading = FileReading(name="ratings.csv", size=200_000_000)
    assert file_words(reading, 2.0) == "ratings.csv, 200 MB, no estimate yet"
    reading.advance(20_000_000, lambda: 50.0)
    assert file_words(reading, 51.0) == "10% of ratings.csv (200 MB)"  # the first block loads the parser, too
    reading.advance(60_000_000, lambda: 55.0)
    assert file_words(reading, 55.0) == "30% of ratings.csv (200 MB), about 18 s more"
    assert file_words(reading, 58.0) == "30% of ratings.csv (200 MB), about 14 s more"
    assert file_words(FileReading(name="pipe", size=None), 1.0) == "pipe"
    assert file_words(FileReading(name="u.user", size=900), 1.0) == "u.user"
    strange = file_words(FileReading(name="a\x1b[31m" + "b" * 80, size=None), 1.0)
    assert "\x1b" not in strange and len(strange) <= 30


def test_the_bar_of_every_verb_names_the_file_that_is_read(tmp_path: Path) -> None:
    work = WorkState(lambda: 0.0, CompileTime())
    work.tell("reading and splitting", 0, 0)
    with file_reading(tmp_path / "ratings.dat"):
        assert work.estimate == "ratings.dat"
    assert work.estimate == ""
