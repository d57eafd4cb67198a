"""The stages of a study: the kind of their options, their defaults, and options from what a key holds."""

from __future__ import annotations

from typing import Any

from heldout.catalogue import make_all
from heldout.errors import SpecError, for_each

PRIMARY_METRIC = "nDCG(gain=binary)@10"
"""What run, evaluate, measure and tune take where no metric is named."""
DEFAULT_TESTS = ("t", "permutation")
DEFAULTS: dict[str, Any] = {
    "filters": [[]],
    "users": ["with_test"],
    "fallback": "none",
    "relevance": "by_scale",
    "target": "AllItems",
    "unrated": "zero",
    "ties": "item",
    "metrics": [PRIMARY_METRIC],
    "aggregate": "mean",
    "undefined": "zero",
    "coverage": "zero",
    "compare": list(DEFAULT_TESTS),
}
KINDS_OF_STAGE = {
    "data": "reader",
    "filters": "filter",
    "split": "split",
    "users": "users",
    "fallback": "fallback",
    "relevance": "relevance",
    "target": "target",
    "unrated": "unrated",
    "ties": "ties",
    "metrics": "metric",
    "aggregate": "aggregation",
    "undefined": "undefined",
    "coverage": "coverage",
}


def listed(value: Any) -> list[Any]:
    """The entries of a key that may hold one or a list of them."""
    return list(value) if isinstance(value, list | tuple) else [value]


def make_options(kind: str, value: Any) -> tuple[Any, ...]:
    """The components of a kind that a key names, each once; all that is wrong is said at once."""
    components = [
        component for several in for_each(lambda text: make_all(kind, text), listed(value)) for component in several
    ]
    if not components:
        raise SpecError(found=[], expected="at least one option")
    return tuple(dict.fromkeys(components))
