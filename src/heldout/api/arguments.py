"""What verbs take: types, so that editors and type checkers know what may be written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar

from heldout.catalogue import Component
from heldout.errors import SpecError, UnknownNameError
from heldout.study.spec import Study

P = ParamSpec("P")
R = TypeVar("R")

Spec = str | Component | type[Component]
"""A component, its class, or its text form: "nDCG(gain=exp2)@10"."""
Specs = Spec | Sequence[Spec]
"""Options of a decision: one component or several."""
Metrics = Spec | Mapping[str, Any] | Sequence[Spec | Mapping[str, Any]]
"""Metrics; a table {"metric": "HLU", "aggregate": "pooled"} has an aggregation of its own."""
StudyLike = str | Path | Mapping[str, Any] | Study
"""A study file, its keys, or a Study."""
BadRows = Literal["error", "skip"]
"""What becomes of rows that cannot be read."""
EngineName = Literal["here", "ray"]
"""Where systems are fitted: in this process, or side by side by Ray."""
Pooling = Literal["average", "pooled"]
"""True if a user's folds are averaged first."""
UserGroup = Literal["evaluation", "development", "all"]
"""Which users of a split with two groups of them are averaged."""


class ComparisonTable(TypedDict, total=False):
    """How systems are compared: the keys of a study's table `compare`."""

    tests: Specs
    """Significance tests; t and permutation if not given, "none" for none."""
    correction: Spec
    """The correction for many comparisons; holm if not given."""
    level: float
    """The level of significance; 0.05 if not given."""
    baseline: str | None
    """The one system that others are compared with; all pairs if not given."""
    folds: Pooling
    group: UserGroup


Comparison = Specs | ComparisonTable
"""Significance tests, or the table `compare` of a study."""


class TrialTable(TypedDict, total=False):
    """How metrics are tried: the keys of a study's table `meta`."""

    rule: Sequence[str] | None
    samples: int | None
    shares: Sequence[float] | None
    item_shares: Sequence[float] | None
    sampling: Literal["all", "user"] | None
    popularity: Literal["all", "train"] | None
    flips: int | None
    level: float | None


class Streaming(TypedDict, total=False):
    """How users are judged in pieces."""

    scratch: str | Path | None
    """The folder in which rows are sorted by user; the system's temporary folder if not given."""
    storage: Mapping[str, str] | None
    """What polars needs to know of an object store: {"aws_region": "eu-west-1"}."""


def moved(**instead: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse parameters that a function had, each with what to write instead."""

    def refusing(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for name in kwargs:
                if name in instead:
                    raise SpecError(
                        f"{function.__name__} has no parameter '{name}'", where=name, hint=f"write {instead[name]}"
                    )
            return function(*args, **kwargs)

        return checked

    return refusing


def streaming(stream: bool | Streaming | None) -> tuple[bool | None, Streaming]:
    """True if users are judged in pieces (None: as the files ask for), and how."""
    if stream is None or isinstance(stream, bool):
        return stream, {}
    for name in stream:
        if name not in Streaming.__annotations__:
            raise UnknownNameError("option", name, list(Streaming.__annotations__), where="stream")
    return True, stream


def several(specs: Any) -> list[Any]:
    """One component or several as a list; text forms, components and tables are one."""
    return list(specs) if isinstance(specs, Sequence) and not isinstance(specs, str) else [specs]
