"""What runs in a process of Ray's: a task, with a sign of life every few seconds."""

from __future__ import annotations

import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from heldout import __version__, threads

KEPT = 2
"""Shared arguments that a process keeps, so that what was derived from them is not derived again."""
_kept: OrderedDict[str, Any] = OrderedDict()


@dataclass(frozen=True)
class SignOfLife:
    """The task runs, on this node; yielded when it begins, and every few seconds."""

    node: str


@dataclass(frozen=True)
class OtherVersions:
    """The node has other versions than the process that sent the task, so nothing was run."""

    node: str
    versions: dict[str, str]


@dataclass(frozen=True)
class Answer:
    """What the task gave."""

    value: Any


@dataclass(frozen=True, kw_only=True)
class Raised:
    """What the task raised."""

    reason: str
    details: str
    unsendable: bool = False
    """Whether its arguments could not be read here, so that nothing was run."""


@dataclass(frozen=True)
class SharedReference:
    """A shared argument on its way: where Ray's object store has it."""

    reference: Any


def versions() -> dict[str, str]:
    """What must be the same everywhere for the bytes to be the same."""
    import numpy

    return {"heldout": __version__, "numpy": numpy.__version__}


def perform(
    function: Callable[..., Any], arguments: Mapping[str, Any], *, expected: dict[str, str], every: float
) -> Iterator[SignOfLife | OtherVersions | Answer | Raised]:
    """Do a task on as many threads as Ray grants CPUs; the last thing yielded is its answer, or what it raised."""
    import ray

    context = ray.get_runtime_context()
    alive = SignOfLife(context.get_node_id())
    yield alive
    if versions() != expected:  # a node that joined late
        yield OtherVersions(alive.node, versions())
        return
    cpus = max(1, int(context.get_assigned_resources().get("CPU", 1)))
    outcome: list[Answer | Raised] = []
    finished = threading.Event()

    def work() -> None:
        values: dict[str, Any] | None = None
        try:
            values = {name: _value(value) for name, value in arguments.items()}
            with threads.using(min(cpus, threads.MOST)):
                outcome.append(Answer(function(**values)))
        except BaseException as error:
            outcome.append(raised(error, unsendable=values is None))
        finally:
            finished.set()

    threading.Thread(target=work, name="heldout-task", daemon=True).start()
    while not finished.wait(every):
        yield alive
    yield outcome[0]


def raised(error: BaseException, *, unsendable: bool = False) -> Raised:
    """An exception in words; what users can mend is told as it is."""
    message, kind = str(error).strip(), type(error).__name__
    reason = message if hasattr(error, "exit_code") else f"{kind}: {message}" if message else kind
    return Raised(reason=reason, details="".join(traceback.format_exception(error)), unsendable=unsendable)


def _value(argument: Any) -> Any:
    """The argument; a shared one is read from the object store unless this process has it still."""
    if not isinstance(argument, SharedReference):
        return argument
    import ray

    key = argument.reference.hex()
    if key not in _kept:
        _kept[key] = ray.get(argument.reference)
    _kept.move_to_end(key)
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    return _kept[key]
