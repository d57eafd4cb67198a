"""Words for sentences about components: numbers, shares and citations as a paper writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def cite(keys: Sequence[str]) -> str:
    """A citation, with the blank before it; empty where nothing is cited."""
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


def lowered(summary: str) -> str:
    """The first sentence of a docstring within another sentence: "the number of training ratings of an item"."""
    text = summary.strip().rstrip(".")
    keeps = re.match(r"[A-Z]{2}|[A-Z]\w+'s |[a-z]*[A-Z]\w*[A-Z]", text)
    return text if keeps or not text else text[0].lower() + text[1:]
