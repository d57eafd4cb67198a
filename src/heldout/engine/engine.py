"""Where tasks run: an engine takes callables and gives their results in order. It knows nothing of recommenders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

R = TypeVar("R")


class Engine(Protocol):
    """What every engine promises: the same results in the same order, wherever the work is done.

    A task is a callable of its own without arguments. It returns what it made or raises; an exception reaches the caller
    when the task's turn comes. Engines in other processes need callables that can be sent there.
    """

    def run(self, tasks: Iterable[Callable[[], R]]) -> Iterator[R]:
        """Run the tasks and yield their results in the order given."""
        ...

    def describe(self) -> dict[str, Any]:
        """What the manifest says of the engine."""
        ...


class InProcess:
    """One task after another in this process; kernels inside a task use all threads."""

    def run(self, tasks: Iterable[Callable[[], R]]) -> Iterator[R]:
        """Run the tasks one by one."""
        for task in tasks:
            yield task()

    def describe(self) -> dict[str, Any]:
        """What the manifest says of the engine."""
        return {"engine": "in process"}
