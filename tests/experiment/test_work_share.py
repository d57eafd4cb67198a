"""The share of a study's work that is done."""

from __future__ import annotations

import pytest

from heldout.experiment.work_share import WorkShare


class Watch:
    """A clock that is set by hand."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_slow_system_counts_for_more() -> None:
    """Two folds of a system of 1 s and one of 9 s: after the first fold half of 20 s is done, before it 1 of 1 + 3 · 1."""
    watch = Watch()
    work = WorkShare(["quick", "slow"], 2, watch)
    assert work.share() == 0.0
    for system, seconds, expected in (("quick", 1.0, 1 / 4), ("slow", 9.0, 10 / 20), ("quick", 1.0, 11 / 20)):
        work.begin()
        watch.seconds += seconds
        work.finish(system, loaded=False)
        assert work.share() == pytest.approx(expected)
    assert work.share("slow", 0.5) == pytest.approx((11 + 4.5) / 20)
    work.begin()
    watch.seconds += 9
    work.finish("slow", loaded=False)
    assert work.share() == 1.0


def test_it_never_goes_back() -> None:
    watch = Watch()
    work = WorkShare(["quick", "slow"], 1, watch)
    work.begin()
    watch.seconds += 1
    work.finish("quick", loaded=False)
    assert work.share("slow", 0.9) == pytest.approx(1.9 / 2)
    assert work.share("slow", 0.1) == pytest.approx(1.9 / 2)


def test_cells_that_were_loaded_took_no_work() -> None:
    watch = Watch()
    work = WorkShare(["a", "b"], 2, watch)
    work.finish("a", loaded=True)
    assert work.share() == 0.0
    work.begin()
    watch.seconds += 4
    work.finish("b", loaded=False)
    assert work.share() == pytest.approx(4 / 12)  # one more of a, taken for average, and one more of b
    work.finish("a", loaded=True)
    work.finish("b", loaded=True)
    assert work.share() == 1.0
