"""Where tasks run: an engine takes callables and gives their results in order. It knows nothing of recommenders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

R = TypeVar("R")
T = TypeVar("T")


class Engine(Protocol):
    """What every engine promises: the same results in the same order, wherever the work is done.

    A task is a callable of its own without arguments. It returns what it made or raises; an exception reaches the caller
    when the task's turn comes. Engines beyond this process send tasks that are `Sendable` and run all others here.
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
    """A task raised in another process, its process died too often, or it cannot be sent there."""

    def __init__(self, reason: str, *, details: str = "", unsendable: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.details = reason, details
        self.unsendable = unsendable
        """Whether something of the task cannot be sent to another process, so that nothing of it was run."""


@dataclass(eq=False)
class Shared(Generic[T]):
    """An argument of many tasks: it is sent once, and every process of a node reads the same copy of its arrays."""

    value: T


@dataclass(frozen=True, kw_only=True)
class Sendable(Generic[R]):
    """A task that can be done here or in another process, to the same result."""

    here: Callable[[], R]
    function: Callable[..., Any]
    """What another process calls: a function of a module."""
    arguments: Mapping[str, Any]
    """What it is called with; a `Shared` argument reaches it as its value."""
    then: Callable[[Any], Sequence[Sendable[Any]] | None] | None = None
    """Tasks that follow from the answer, such as users to rank by a fitted model; `received` then takes their results.

    If it gives None, the answer is what `received` takes.
    """
    received: Callable[[Any], R]
    """What becomes of the answer, here and when the task's turn comes."""
    failed: Callable[[TaskFailedError], R]
    """What becomes of a task that raised there, whose process died too often, or that could not be sent."""
    resources: Mapping[str, float] = field(default_factory=dict)
    """What it needs of a node: `num_cpus`, `num_gpus`, `memory` in bytes; one CPU if nothing is said."""

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
