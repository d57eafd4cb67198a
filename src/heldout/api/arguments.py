"""Types of what verbs take, so that editors and type checkers know what may be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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
