"""Seconds of compilation."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from heldout.kernels.compile_time import COMPILING, CompileTime


def test_nothing_was_compiled_before_numba_is_loaded() -> None:
    assert CompileTime().seconds == 0.0 and not CompileTime().running
    assert CompileTime(SimpleNamespace(seconds=3.5)).seconds == 3.5


def test_a_compilation_counts_while_it_lasts_and_one_within_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun at 10 s, another within it from 12 to 14 s, ended at 15 s: 1 s at 11 s, 5 s at the end."""
    from heldout.kernels import compiler

    now = [10.0]
    monkeypatch.setattr(compiler, "perf_counter", lambda: now[0])
    timer = compiler.CompileTimer()
    compiling = CompileTime(timer)
    timer.on_start(None)
    now[0] = 11.0
    assert compiling.running and compiling.seconds == 1.0
    for at, event in ((12.0, timer.on_start), (14.0, timer.on_end), (15.0, timer.on_end)):
        now[0] = at
        event(None)
    now[0] = 20.0
    assert not compiling.running and compiling.seconds == 5.0


def test_numba_tells_of_every_compilation_once() -> None:
    import numba
    from numba.core import event

    import heldout.kernels.compiler  # noqa: F401 (it sets the timer)

    class Watch(event.Listener):
        """Whether compilations were seen while they lasted."""

        seen = False

        def on_start(self, _: object) -> None:
            self.seen = self.seen or COMPILING.running

        def on_end(self, _: object) -> None: ...

    before, watch = COMPILING.seconds, Watch()
    event.register("numba:compile", watch)
    compiled = numba.njit(lambda x: x + 1)
    assert compiled(1) == 2
    event.unregister("numba:compile", watch)
    assert watch.seen and not COMPILING.running
    after = COMPILING.seconds
    assert after > before and compiled(2) == 3 and COMPILING.seconds == after
