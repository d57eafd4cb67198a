"""Where tasks run: an engine takes callables and gives their results in order. It knows nothing of recommenders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

R = TypeVar("R")


class Engine(Protocol):
    """What every engine promises: the same results in the same order, wherever the work is done.

    A task is a callable of its own without arguments. It returns what it made or raises; an exception reaches the caller
    when the task's turn comes. Engines in other processes send tasks that are `Sendable` and run all others here.
    """

    def run(self, tasks: Iterable[Callable[[], R]]) -> Iterator[R]:
        """Run the tasks and yield their results in the order given."""
        ...

    def describe(self) -> dict[str, Any]:
        """What the manifest says of the engine."""
        ...

    def close(self) -> None:
        """Nothing more will be run."""
        ...


class TaskFailedError(Exception):
    """A task raised in another process, or its process died."""

    def __init__(self, reason: str, details: str = "", raised: str = "") -> None:
        super().__init__(reason)
        self.reason, self.details = reason, details
        self.raised = raised
        """The name of the exception; empty where the process died."""


@dataclass(frozen=True, kw_only=True)
class Sendable(Generic[R]):
    """A task that can be done here or in another process, to the same result."""

    here: Callable[[], R]
    function: str
    """What another process calls: "package.module:name"."""
    arguments: dict[str, Any]
    """What it is called with: plain values that JSON can tell."""
    received: Callable[[Any], R]
    """What becomes of the other process's answer (plain values too), here and when the task's turn comes."""
    failed: Callable[[TaskFailedError], R]
    """What becomes of a task that raised there, or whose process died."""

    def __call__(self) -> R:
        """Do it here."""
        return self.here()


class InProcess:
    """One task after another in this process; kernels inside a task use all threads."""

    def run(self, tasks: Iterable[Callable[[], R]]) -> Iterator[R]:
        """Run the tasks one by one."""
        for task in tasks:
            yield task()

    def describe(self) -> dict[str, Any]:
        """What the manifest says of the engine."""
        return {"engine": "in process"}

    def close(self) -> None:
        """Nothing more will be run."""
