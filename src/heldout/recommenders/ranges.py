"""Where a search for hyper-parameters looks: declared with each recommender as its constant `ranges`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Between:
    """Numbers from `low` to `high`, both included; by ratio rather than step with `log`.

    A search gives both ends the type of the parameter, and tries whole numbers only if that is a whole number.
    """

    low: float
    high: float
    log: bool = False

    @property
    def whole(self) -> bool:
        """True if both ends are whole numbers by their type."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def __str__(self) -> str:
        return f"{self.low:g}…{self.high:g}{' (log)' if self.log else ''}"


@dataclass(frozen=True)
class Among:
    """One of a few values."""

    options: tuple[Any, ...]

    def __str__(self) -> str:
        return ", ".join(str(o) for o in self.options)


Range = Between | Among
Ranges = Mapping[str, Range]


def between(low: float, high: float, *, log: bool = False) -> Between:
    """Numbers from `low` to `high`: `between(10, 200, log=True)`."""
    return Between(low, high, log)


def among(*options: Any) -> Among:
    """One of these values: `among("cosine", "jaccard")`."""
    return Among(options)
