"""Kernels: interpreted while they have done little work, and compiled by numba after that.

Compiling a kernel takes as long as some hundred thousand steps of Python, and loading numba as long as some ten thousand. So
a small study compiles little, and a small evaluation may not load numba at all. Both ways give the same bytes.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., object])

STEPS_BEFORE_COMPILING = 400_000
"""Steps of a kernel, over all calls of a process, that are interpreted before it is compiled."""
STEPS_BEFORE_LOADING = 10_000
"""The same if its compiled code is on disk, and numba is loaded."""
STEPS_BEFORE_NUMBA = 50_000
"""The same if its compiled code is on disk, and numba is not loaded yet."""
NEVER_INTERPRETED = 1 << 62
"""Steps of a call that must not be interpreted, and so of a kernel that is compiled from then on."""
_REORDERING = {"reassoc", "contract", "nsz"}
_lock = threading.RLock()
_interpreter = threading.local()


class Kernel:
    """A function for callers in Python; kernels that call each other are bound when they are compiled.

    To numba, a locked array is of another type than one that may be written to, and each mixture of them is compiled anew,
    which takes seconds. So all are handed over as if they might be written to: what a kernel writes to is what it is for.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        interpreted: bool = True,
        small: Callable[..., Any] | None = None,
        steps: Callable[..., int] | None = None,
        **options: Any,
    ) -> None:
        functools.update_wrapper(self, function)
        self.function, self.options = function, options
        self.interpreted = self.interpretable = interpreted and "fastmath" not in options
        self._small, self._steps = small or function, 0
        self._steps_of = steps
        self._names = function.__code__.co_varnames[: function.__code__.co_argcount]

    def __call__(self, *arguments: Any) -> Any:
        if getattr(_interpreter, "running", False):
            return self._small(*arguments)
        if self.interpreted:
            self._steps += self.steps(*arguments)
            self.interpreted = self._steps <= self._limit()
        work = self.interpret if self.interpreted else self.compiled
        return work(*[_unlocked(argument) for argument in arguments])

    def steps(self, *arguments: Any) -> int:
        """About how many steps a call takes."""
        if self._steps_of is None:
            return elements(*arguments)
        return self._steps_of(**dict(zip(self._names, arguments, strict=True)))

    def interpret(self, *arguments: Any) -> Any:
        """What the compiled function returns and writes, by the interpreter."""
        _interpreter.running = True
        try:
            with np.errstate(all="ignore"):  # unsigned numbers wrap around on purpose
                return _plain(self._small(*arguments))
        finally:
            _interpreter.running = False

    @functools.cached_property
    def compiled(self) -> Any:
        """The function as numba compiles it."""
        with _lock:
            if "compiled" not in vars(self):
                from heldout.kernels import compiler

                vars(self)["compiled"] = compiler.compiled(self.function, **self.options)
            return vars(self)["compiled"]

    def _limit(self) -> int:
        if not self._is_on_disk:
            return STEPS_BEFORE_COMPILING
        return STEPS_BEFORE_LOADING if "numba" in sys.modules else STEPS_BEFORE_NUMBA

    @functools.cached_property
    def _is_on_disk(self) -> bool:
        name = f"{Path(self.function.__code__.co_filename).stem}.{self.function.__qualname__}-"
        return any(file.startswith(name) for file in _compiled_files())

    @property
    def _numba_type_(self) -> Any:
        return self.compiled._numba_type_


@functools.cache
def _compiled_files() -> tuple[str, ...]:
    """The names of files that numba may have compiled kernels in, as far as that is known without loading numba."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    places = list(Path(named).glob("kernels_*")) if named else [Path(__file__).parent / "__pycache__"]
    if not named:  # what the compiler takes if the installation is read-only
        places += Path(os.environ.get("XDG_CACHE_HOME") or f"{os.environ.get('HOME', '')}/.cache", "heldout").glob(
            "kernels_*"
        )
    return tuple(file.name for place in places if place.is_dir() for file in place.iterdir() if file.suffix == ".nbc")


def elements(*arguments: Any) -> int:
    """How many numbers the arguments hold: about as many steps as a kernel makes that passes over them once."""
    return sum(
        argument.size if isinstance(argument, np.ndarray) else elements(*argument)
        for argument in arguments
        if isinstance(argument, np.ndarray | tuple)
    )


def entries_of(ptr: NDArray[np.int64], rows: NDArray[Any]) -> int:
    """How many entries some rows of a sparse matrix have in all."""
    return int((ptr[rows + 1] - ptr[rows]).sum())


def work_of_rows(start: int, stop: int, ptr: NDArray[np.int64], idx: NDArray[np.int32], other_ptr: NDArray[np.int64]) -> int:
    """How many products rows start…stop−1 of a sparse matrix make with another: each entry meets a whole row of that."""
    return entries_of(other_ptr, idx[ptr[start] : ptr[stop]])


def _plain(result: Any) -> Any:
    """Numbers of numpy as those of Python, as compiled code returns them: they would count on in their own width."""
    if type(result) is tuple:
        return tuple([_plain(part) for part in result])
    return result.item() if isinstance(result, np.generic) else result


class _Address:
    """The memory of an array, for an array over it that is not locked."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array
        self.__array_interface__ = {**array.__array_interface__, "data": (array.__array_interface__["data"][0], False)}


def _unlocked(argument: Any) -> Any:
    if type(argument) is tuple:
        return tuple([_unlocked(part) for part in argument])
    if type(argument) is not np.ndarray or argument.flags.writeable:
        return argument
    view = argument.view()
    try:
        view.setflags(write=True)
    except ValueError:  # what it is a view of is locked itself, or in a file
        return np.asarray(_Address(argument))
    return view


def kernel(function: F | None = None, **options: Any) -> Any:
    """Interpret a kernel while its work is small, then compile it.

    - `steps` estimates the work of a call from its arguments, by name, if that is not the number of their elements.
    - `small` does in numpy what the kernel does, and is interpreted instead of it.
    - `interpreted=False`: numpy would not give the same bytes, because of logarithms, BLAS or sums in another order.
    - `masked` is compiled instead on processors that add under a mask.
    """
    return functools.partial(kernel, **options) if function is None else Kernel(function, **options)


def reordering_kernel(function: F) -> F:
    """A kernel whose float sums may be reordered for speed; its result still does not depend on threads."""
    return cast(F, Kernel(function, fastmath=_REORDERING))


def part(function: F) -> F:
    """A kernel that becomes part of the code of each that calls it: what reorders sums and is called must be one.

    Code that is called instead exists once for each caller, and a process takes any of the copies that it has: another one
    where kernels were compiled than where they were read from disk. Such copies may add in another order.
    """
    return cast(F, Kernel(function, interpreted=False, forceinline=True))


def reordering_part(function: F) -> F:
    """As `part`, with float sums that may be reordered."""
    return cast(F, Kernel(function, fastmath=_REORDERING, forceinline=True))


def by_type(function: Callable[..., Any]) -> Callable[[F], F]:
    """Tell numba how to compile a plain function: the decorated one is given the types and returns what to compile."""

    def note(choose: F) -> F:
        BY_TYPE.append((function, choose))
        return choose

    return note


BY_TYPE: list[tuple[Callable[..., Any], Callable[..., Any]]] = []
"""What `by_type` noted and numba does not know yet."""
