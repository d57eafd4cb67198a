"""What is reviewed: a study, the keys as they were written, and what was measured, where that is known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from heldout.experiment.failed_systems import LeftOut
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.review.lint.measured import Measured
from heldout.splits.splitter import Splitter
from heldout.study.spec import Study

IN_TIME = ("temporal", "replay", "random_time")
"""Splits that follow time, for all users or for each."""
FIXED = ("given", "saved")
"""Splits whose rule is not known here."""


@dataclass(frozen=True)
class Subject:
    """A study under review."""

    study: Study
    given: Mapping[str, Any] | None = None
    """The keys as the user wrote them; None where only results are at hand."""
    measured: Measured | None = None
    seeds: tuple[int, ...] = ()
    """The seeds of a multiverse; empty where the study is not one."""
    left_out: tuple[LeftOut, ...] | None = None
    """Systems that failed; None where nothing was run."""

    def writes(self, key: str) -> bool:
        """Whether the study file states the key; True where that is not known."""
        return self.given is None or self.given.get(key) is not None

    @property
    def only_results(self) -> bool:
        """Whether what was written is not known."""
        return self.given is None

    @cached_property
    def ranked(self) -> tuple[Metric, ...]:
        """The metrics that say which list is better, without rating errors and diagnostics."""
        return tuple(m for m in self.study.measure if m.direction == "higher")

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """The cut-offs of the metrics that say which list is better, ascending."""
        return tuple(sorted({d for m in self.ranked if (d := depth_of(m)) is not None}))

    @cached_property
    def random_splits(self) -> tuple[Splitter, ...]:
        """The splits that draw test ratings at random, whatever their time."""
        return tuple(s for s in self.study.split if inner_split(s).key not in (*IN_TIME, *FIXED))

    def now(self, stage: str) -> str:
        """The options of a stage as a study file writes them: `target = "TestRatings"`."""
        return f"{stage} = {toml(self._options(stage))}"

    def replace(self, stage: str, by: Sequence[str | list[str]] | str, *, more: str = "") -> str:
        """What to write instead, or to add where the key is not written."""
        wanted = f"{stage} = {toml([by] if isinstance(by, str) else list(by))}{more}"
        known = self.given is None or self.given.get(stage) is not None
        return f"replace {self.now(stage)} by {wanted}" if known else f"add {wanted}"

    def add(self, stage: str, *options: str) -> str:
        """The options there are, and these besides."""
        return self.replace(stage, [*self._options(stage), *options])

    def deeper(self, cutoffs: Sequence[int]) -> str:
        """How a multiverse looks at these cut-offs; empty where no table of cut-offs multiplies its metrics."""
        table = (self.given or {}).get("multiverse")
        if not self.seeds or (self.given is not None and not (isinstance(table, Mapping) and table.get("cutoffs"))):
            return ""
        return f"write cutoffs = {list(cutoffs)} in the table multiverse"

    def _options(self, stage: str) -> list[Any]:
        """The options of a stage: as they were written where that is known, otherwise in words of ours."""
        written = (self.given or {}).get(stage)
        listed = [written] if isinstance(written, str) else written
        if isinstance(listed, list) and all(isinstance(one, str) for one in listed):
            return list(listed)
        return [_text(v) for v in getattr(self.study, stage)]


def inner_split(split: Splitter) -> Splitter:
    """The split that divides the ratings of tested users: of `test_users` the one that follows."""
    then = getattr(split, "then", None)
    return inner_split(then) if isinstance(then, Splitter) else split


def grouped(metrics: Iterable[Metric], most: int = 6) -> str:
    """Metrics with their cut-offs together: `P@[5, 10], RR@10`; of very many the first and how many more."""
    depths: dict[str, list[str]] = {}
    for text in map(str, metrics):
        name, at, depth = text.rpartition("@")
        depths.setdefault(name if at else text, []).extend([depth] if at else [])
    told = [f"{n}@{d[0]}" if len(d) == 1 else f"{n}@[{', '.join(d)}]" if d else n for n, d in depths.items()]
    return ", ".join(told) if len(told) <= most else f"{', '.join(told[:most])} and {len(told) - most} more"


def _text(value: Any) -> Any:
    if isinstance(value, tuple):
        return [str(v) for v in value]
    return str(getattr(value, "name", value)) if not hasattr(value, "kind") else str(value)


def toml(options: Sequence[Any]) -> str:
    """Options as TOML: one as a text, several as a list."""
    plain = list(options)
    if len(plain) == 1 and isinstance(plain[0], str):
        return json.dumps(plain[0], ensure_ascii=False)
    return json.dumps(plain, ensure_ascii=False)
