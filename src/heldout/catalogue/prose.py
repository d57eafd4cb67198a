"""Words for sentences about components: numbers, shares and citations as a paper writes them."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Sequence
from typing import Any

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def cite(keys: Sequence[str]) -> str:
    """A citation, with the blank before it; empty if nothing is cited."""
    return f" [{'; '.join(f'@{key}' for key in keys)}]" if keys else ""


def number_word(n: int) -> str:
    """A number in prose: twelve, 13."""
    return _NUMBERS[n] if n < len(_NUMBERS) else f"{n:,}"


def plural(n: int, noun: str) -> str:
    """One rating, two ratings, 20 ratings."""
    return f"{number_word(n)} {noun}{'' if n == 1 else 's'}"


def at_least(n: int, noun: str) -> str:
    """At least one test rating; at least 5 test ratings."""
    return f"at least one {noun}" if n == 1 else f"at least {n} {noun}s"


def share(value: float) -> str:
    """A share in words of a paper: 80%, 12.5%."""
    return f"{100 * value:.4g}%"


DOCSTRINGS_LEFT_OUT = sys.flags.optimize > 1
"""True if Python runs under -OO."""
NO_DOCSTRING = (
    "Definitions need docstrings, which Python leaves out under -OO."
    if DOCSTRINGS_LEFT_OUT
    else "Its code has no docstring that defines it."
)
"""Stands in the place of a definition that is not there."""


def docstring_of(code: Any) -> str:
    """The docstring of a class or function without its indentation, or a sentence that says that there is none."""
    return inspect.cleandoc(code.__doc__) if code.__doc__ else NO_DOCSTRING


def lowered(summary: str) -> str:
    """The first sentence of a docstring within another sentence: "the number of training ratings of an item"."""
    text = summary.strip().rstrip(".")
    keeps = re.match(r"[A-Z]{2}|[A-Z]\w+'s |[a-z]*[A-Z]\w*[A-Z]", text)
    return text if keeps or not text else text[0].lower() + text[1:]
