"""Seconds of compilation."""

from __future__ import annotations

from types import SimpleNamespace

from heldout.kernels.compile_time import COMPILING, CompileTime


def test_nothing_was_compiled_before_numba_is_loaded() -> None:
    assert CompileTime().seconds == 0.0 and not CompileTime().running
    assert CompileTime(SimpleNamespace(done=False)).seconds == 0.0
    assert CompileTime(SimpleNamespace(done=True, duration=3.5)).seconds == 3.5


def test_numba_tells_of_every_compilation_once() -> None:
    import numba
    from numba.core import event

    import heldout.kernels.jit  # noqa: F401 (it sets the timer)

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
