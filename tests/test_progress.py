"""How far the work is, and what the rest will take, by a clock that is set by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from heldout.kernels import compile_time
from heldout.kernels.compile_time import CompileTime
from heldout.progress import STEPS, FileReading, WorkBar, WorkState, file_reading, seconds_left


class Watch:
    """A clock that is set by hand."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_slow_system_counts_for_more() -> None:
    """Two folds of a system of 1 s and one of 9 s: after the first fold half of 20 s is done, before it 1 of 1 + 3 · 1."""
    watch = Watch()
    work = WorkBar(None, {"quick": 2, "slow": 2}, now=watch)
    assert work.share() == 0.0
    for system, seconds, expected in (("quick", 1.0, 1 / 4), ("slow", 9.0, 10 / 20), ("quick", 1.0, 11 / 20)):
        watch.seconds += seconds
        work.finish(system)
        assert work.share() == pytest.approx(expected)
    assert work.share("slow", 0.5) == pytest.approx((11 + 4.5) / 20)
    watch.seconds += 9
    work.finish("slow")
    assert work.share() == 1.0


def test_the_first_unit_of_a_kind_says_nothing_of_the_others_once_there_is_another() -> None:
    """Four draws; the first loads kernels and takes 9 s, the second 3 s: two of 3 s are ahead, so 12 of 18 s are done."""
    watch = Watch()
    work = WorkBar(None, {"draw": 4}, now=watch)
    for seconds, expected in ((9.0, 9 / 36), (3.0, 12 / 18), (3.0, 15 / 18)):
        watch.seconds += seconds
        work.finish("draw")
        assert work.share() == pytest.approx(expected)


def test_compilation_counts_for_no_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    """2 s of A and 20 s of compilation on the way: A and B are half each, and not 22 to 2."""
    seconds, timer = [0.0], SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(compile_time, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(compile_time.COMPILING, "timer", timer)
    work = WorkBar(None, {"A": 2, "B": 2})
    seconds[0], timer.seconds = 22.0, 20.0
    work.finish("A")
    seconds[0] = 24.0
    work.finish("B")
    assert work.share() == pytest.approx(1 / 2)


def test_it_never_goes_back() -> None:
    watch = Watch()
    work = WorkBar(None, {"quick": 1, "slow": 1}, now=watch)
    watch.seconds += 1
    work.finish("quick")
    assert work.share("slow", 0.9) == pytest.approx(1.9 / 2)
    assert work.share("slow", 0.1) == pytest.approx(1.9 / 2)


def test_units_that_were_loaded_took_no_work() -> None:
    watch = Watch()
    work = WorkBar(None, {"a": 2, "b": 2}, now=watch)
    work.finish("a", loaded=True)
    assert work.share() == 0.0
    watch.seconds += 4
    work.finish("b")
    assert work.share() == pytest.approx(4 / 12)  # one more of a, taken for average, and one more of b
    work.finish("a", loaded=True)
    work.finish("b", loaded=True)
    assert work.share() == 1.0


def test_what_was_not_measured_weighs_what_is_said_by_what_was_measured() -> None:
    """An experiment of 3 minutes took 6 s; those of 1 and 5 minutes will take 2 and 10 s: 6 of 18 s are done."""
    watch = Watch()
    minutes = {"x": 3.0, "y": 1.0, "z": 5.0}
    work = WorkBar(None, dict.fromkeys(minutes, 1), weights=minutes, now=watch)
    assert work.share("x", 0.5) == pytest.approx(1.5 / 9)
    watch.seconds += 6
    work.finish("x")
    assert work.share() == pytest.approx(6 / 18)


def test_of_work_side_by_side_counts_what_each_took_where_it_ran() -> None:
    """Two processes: both fits arrive after 8 s, having taken 2 and 8 s; two of each system are half of the work."""
    watch = Watch()
    work = WorkBar(None, {"quick": 2, "slow": 2}, now=watch)
    watch.seconds += 8
    work.finish("quick", seconds=2.0)
    work.finish("slow", seconds=8.0)
    assert work.share() == pytest.approx(10 / 20)


def test_a_bar_tells_of_one_whole_and_ends_with_it() -> None:
    watch, calls = Watch(), list[tuple[str, int, int]]()
    bar = WorkBar(lambda *of: calls.append(of), {"A": 1, "B": 1}, now=watch)
    bar.stage("reading")
    bar.part("A", 0.5, stage="A")
    watch.seconds += 2
    bar.finish("A")
    bar.end()
    assert calls == [("reading", 0, STEPS), ("A", STEPS // 4, STEPS), ("A", STEPS // 2, STEPS), ("A", STEPS, STEPS)]
    WorkBar(None, {"A": 1}).finish("A")  # nobody watches


def test_of_work_in_rounds_nothing_is_said_before_one_is_done() -> None:
    """The slow unit comes first: 9 of 10 s of a round, which would be taken for half of it."""
    watch, calls = Watch(), list[tuple[str, int, int]]()
    bar = WorkBar(lambda *of: calls.append(of), {"slow": 2, "quick": 2}, in_rounds=True, now=watch)
    for kind, seconds in (("slow", 9), ("quick", 1), ("slow", 9), ("quick", 1)):
        watch.seconds += seconds
        bar.finish(kind, stage=kind)
    shares = [("slow", 0.0), ("quick", 10 / 20), ("slow", 19 / 20), ("quick", 1.0)]
    assert calls == [(kind, round(STEPS * share), STEPS) for kind, share in shares]


def test_the_rest_takes_as_long_as_what_is_done() -> None:
    assert seconds_left(25, 100, 60.0) == 180  # 3/4 of the work at 60 s a quarter
    assert seconds_left(50, 100, 7.0) == 7
    assert seconds_left(1, 100, 60.0) is None and seconds_left(100, 100, 60.0) is None and seconds_left(0, 0, 9.0) is None
    assert seconds_left(50, 100, 1.0) is None  # too early to say
    assert seconds_left(999, 1000, 10.0) == 1


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
    assert reading.words(2.0) == "ratings.csv, 200 MB, no estimate yet"
    reading.advance(20_000_000, lambda: 50.0)
    assert reading.words(51.0) == "10% of ratings.csv (200 MB)"  # the first block loads the parser, too
    reading.advance(60_000_000, lambda: 55.0)
    assert reading.words(55.0) == "30% of ratings.csv (200 MB), about 18 s more"
    assert reading.words(58.0) == "30% of ratings.csv (200 MB), about 14 s more"
    assert FileReading(name="pipe", size=None).words(1.0) == "pipe"
    assert FileReading(name="u.user", size=900).words(1.0) == "u.user"
    strange = FileReading(name="a\x1b[31m" + "b" * 80, size=None).words(1.0)
    assert "\x1b" not in strange and len(strange) <= 30


def test_the_bar_of_every_verb_names_the_file_that_is_read(tmp_path: Path) -> None:
    work = WorkState(lambda: 0.0, CompileTime())
    work.tell("reading and splitting", 0, 0)
    with file_reading(tmp_path / "ratings.dat"):
        assert work.estimate == "ratings.dat"
    assert work.estimate == ""
