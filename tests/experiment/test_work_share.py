"""The share of the work that is done, by a clock that is set by hand."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from heldout.experiment.work_share import STEPS, WorkBar, WorkShare
from heldout.kernels import compile_time


class Watch:
    """A clock that is set by hand."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_slow_system_counts_for_more() -> None:
    """Two folds of a system of 1 s and one of 9 s: after the first fold half of 20 s is done, before it 1 of 1 + 3 · 1."""
    watch = Watch()
    work = WorkShare({"quick": 2, "slow": 2}, now=watch)
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
    work = WorkShare({"draw": 4}, now=watch)
    for seconds, expected in ((9.0, 9 / 36), (3.0, 12 / 18), (3.0, 15 / 18)):
        watch.seconds += seconds
        work.finish("draw")
        assert work.share() == pytest.approx(expected)


def test_compilation_counts_for_no_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    """2 s of A and 20 s of compilation on the way: A and B are half each, and not 22 to 2."""
    seconds, timer = [0.0], SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(compile_time, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(compile_time.COMPILING, "timer", timer)
    work = WorkShare({"A": 2, "B": 2})
    seconds[0], timer.seconds = 22.0, 20.0
    work.finish("A")
    seconds[0] = 24.0
    work.finish("B")
    assert work.share() == pytest.approx(1 / 2)


def test_it_never_goes_back() -> None:
    watch = Watch()
    work = WorkShare({"quick": 1, "slow": 1}, now=watch)
    watch.seconds += 1
    work.finish("quick")
    assert work.share("slow", 0.9) == pytest.approx(1.9 / 2)
    assert work.share("slow", 0.1) == pytest.approx(1.9 / 2)


def test_units_that_were_loaded_took_no_work() -> None:
    watch = Watch()
    work = WorkShare({"a": 2, "b": 2}, now=watch)
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
    work = WorkShare(dict.fromkeys(minutes, 1), weights=minutes, now=watch)
    assert work.share("x", 0.5) == pytest.approx(1.5 / 9)
    watch.seconds += 6
    work.finish("x")
    assert work.share() == pytest.approx(6 / 18)


def test_of_work_side_by_side_counts_what_each_took_where_it_ran() -> None:
    """Two processes: both fits arrive after 8 s, having taken 2 and 8 s; two of each system are half of the work."""
    watch = Watch()
    work = WorkShare({"quick": 2, "slow": 2}, now=watch)
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
