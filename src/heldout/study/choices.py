"""The choices of a study under review: what they are, how they were written, and how another choice would be written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.study.spec import OF_RUNS, Study


@dataclass(frozen=True)
class Choices:
    """A study and the keys of its file."""

    study: Study
    keys: Mapping[str, Any] | None = None
    """The keys as the user wrote them; None where that is not known, as of results."""

    @cached_property
    def ranked(self) -> tuple[Metric, ...]:
        """The metrics that say which list is better, without rating errors and diagnostics."""
        return tuple(m for m in self.study.metrics if m.direction == "higher")

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """The cut-offs of the metrics that say which list is better, ascending."""
        return tuple(sorted({d for m in self.ranked if (d := depth_of(m)) is not None}))

    def writes(self, key: str) -> bool:
        """Whether the study file states the key; True where that is not known."""
        return self.keys is None or self.keys.get(key) is not None

    def now(self, stage: str) -> str:
        """The options of a stage as a study file writes them: `target = "TestRatings"`."""
        return f"{stage} = {toml(self._options(stage))}"

    def replace(self, stage: str, by: Sequence[str | list[str]] | str) -> str:
        """The lines of the study file to remove (-) and to add (+), or options if lists were judged."""
        wanted = [by] if isinstance(by, str) else list(by)
        if not self.study.split and stage in _OPTIONS:
            return f"- {_options(stage, self._options(stage))}\n+ {_options(stage, wanted)}"
        if not self.writes(stage):
            return f"+ {stage} = {toml(wanted)}"
        if stage == "compare" and not isinstance((self.keys or {}).get(stage), (str, list)):
            return f"  [compare]\n- tests = {toml(self._options(stage))}\n+ tests = {toml(wanted)}"
        return f"- {self.now(stage)}\n+ {stage} = {toml(wanted)}"

    def add(self, stage: str, *options: str) -> str:
        """The options there are, and these besides."""
        return self.replace(stage, [*self._options(stage), *options])

    def _options(self, stage: str) -> list[Any]:
        """The options of a stage: as they were written where that is known, otherwise their text forms."""
        written = (self.keys or {}).get(stage)
        listed = [written] if isinstance(written, str) else written
        if isinstance(listed, list) and all(isinstance(option, str) for option in listed):
            return list(listed)
        return [_text(v) for v in (self.study.compare.tests if stage == "compare" else getattr(self.study, stage))]


_OPTIONS = {stage: f"--{stage}" for stage in (*OF_RUNS, "aggregate", "undefined", "coverage")}
_OPTIONS |= {"metrics": "-m", "compare": "--test"}
"""Stage → option of `heldout evaluate`."""


def _options(stage: str, values: Sequence[Any]) -> str:
    return " ".join(f"{_OPTIONS[stage]} {shlex.quote(str(value))}" for value in values)


def grouped(metrics: Iterable[Metric], most: int = 6) -> str:
    """Metrics with their cut-offs together: `P@[5, 10], RR@10`; of very many the first and how many more."""
    depths: dict[str, list[str]] = {}
    for text in map(str, metrics):
        name, at, depth = text.rpartition("@")
        depths.setdefault(name if at else text, []).extend([depth] if at else [])
    texts = [f"{n}@{d[0]}" if len(d) == 1 else f"{n}@[{', '.join(d)}]" if d else n for n, d in depths.items()]
    return ", ".join(texts) if len(texts) <= most else f"{', '.join(texts[:most])} and {len(texts) - most} more"


def toml(options: Sequence[Any]) -> str:
    """Options as TOML: one as a text, several as a list."""
    plain = list(options)
    if len(plain) == 1 and isinstance(plain[0], str):
        return json.dumps(plain[0], ensure_ascii=False)
    return json.dumps(plain, ensure_ascii=False)


def _text(value: Any) -> Any:
    if isinstance(value, tuple):
        return [str(v) for v in value]
    return str(getattr(value, "name", value)) if not hasattr(value, "kind") else str(value)
