"""Values that are computed when they are first read, and a bound on the memory of their inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from heldout import threads

Value = TypeVar("Value")
PART_WAITING = 32
"""Inputs of values that nobody has read may take one part in so many of memory."""


class Deferred(Generic[Value]):
    """A value that is computed when it is first read and kept from then on; its inputs are released then."""

    def __init__(self, compute: Callable[[], Value]) -> None:
        self._compute: Callable[[], Value] | None = compute
        self._value: Value

    @classmethod
    def known(cls, value: Value) -> Self:
        """A value that needs no computing."""
        return cls(lambda: value)

    @property
    def value(self) -> Value:
        """The value; computed if nobody read it before."""
        compute = self._compute
        if compute is not None:
            self._value = compute()
            self._compute = None
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deferred) and bool(self.value == other.value)

    __hash__ = None  # type: ignore[assignment]


@dataclass
class Waiting:
    """Inputs that stay in memory for values that nobody has read yet."""

    nbytes: int = 0

    def keep(self, deferred: Deferred[Value], nbytes: int) -> Deferred[Value]:
        """The value as it is, or computed now if the inputs of all values would take more than a share of memory."""
        if (self.nbytes + nbytes) * PART_WAITING > threads.memory() > 0:
            return Deferred.known(deferred.value)
        self.nbytes += nbytes
        return deferred
