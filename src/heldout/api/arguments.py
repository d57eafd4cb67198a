"""What verbs take: types, so that editors and type checkers know what may be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from heldout.catalogue import Component
from heldout.study.spec import Study

Spec = str | Component | type[Component]
"""A component, its class, or its text form: "nDCG(gain=exp2)@10"."""
Specs = Spec | Sequence[Spec]
"""Options of a decision: one component or several."""
Metrics = Spec | Mapping[str, Any] | Sequence[Spec | Mapping[str, Any]]
"""Metrics; a table {"metric": "HLU", "aggregate": "pooled"} has an aggregation of its own."""
Comparison = Specs | Mapping[str, Any]
"""Significance tests, or the keys of a study's table `compare`."""
StudyLike = str | Path | Mapping[str, Any] | Study
"""A study file, its keys, or a Study."""
BadRows = Literal["error", "skip"]
"""What becomes of rows that cannot be read."""
EngineName = Literal["here", "ray"]
"""Where systems are fitted: in this process, or side by side by Ray."""
Pooling = Literal["average", "pooled"]
"""Whether a user's folds are averaged first."""
UserGroup = Literal["evaluation", "development", "all"]
"""Which users of a split with two groups of them are averaged."""


def several(specs: Any) -> list[Any]:
    """One component or several as a list; text forms, components and tables are one."""
    return list(specs) if isinstance(specs, Sequence) and not isinstance(specs, str) else [specs]
