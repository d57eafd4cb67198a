"""Seconds of compilation."""

from __future__ import annotations

from types import SimpleNamespace

from heldout.kernels.compile_time import COMPILING, CompileTime


def test_nothing_was_compiled_before_numba_is_loaded() -> None:
    assert CompileTime().seconds == 0.0
    assert CompileTime(SimpleNamespace(done=False)).seconds == 0.0
    assert CompileTime(SimpleNamespace(done=True, duration=3.5)).seconds == 3.5


def test_numba_tells_of_every_compilation_once() -> None:
    import numba

    import heldout.kernels.jit  # noqa: F401 (it sets the timer)

    before = COMPILING.seconds
    compiled = numba.njit(lambda x: x + 1)
    assert compiled(1) == 2
    after = COMPILING.seconds
    assert after > before and compiled(2) == 3 and COMPILING.seconds == after
