"""Costly parts of findings: computed when they are first read, written with the findings, and read back with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Self, TypeVar

Value = TypeVar("Value")


class Deferred(Generic[Value]):
    """A value that is computed when it is first read and kept from then on; its inputs are released then.

    `storage.codec` computes it to write it, and reads it back as a value that needs no computing.
    """

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

    def __repr__(self) -> str:
        return "Deferred"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deferred) and bool(self.value == other.value)

    __hash__ = None  # type: ignore[assignment]
