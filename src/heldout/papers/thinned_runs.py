"""Systems by several metrics when test ratings are removed: table `removed`, a row per share, metric and system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from heldout.biases.measured import Bench, systems_on, values_of
from heldout.biases.sweeps import thinned
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared
from heldout.experiment.preflight import checked_folds
from heldout.papers.bench import PaperBench, identity
from heldout.papers.data_sets import NeededData
from heldout.papers.paper import MeasuredTables
from heldout.study.spec import Study


@dataclass(frozen=True, kw_only=True)
class ThinnedValue:
    """A system's value with a share of the test ratings removed."""

    removed: float
    metric: str
    system: str
    value: float
    low: float
    """Of its interval over users."""
    high: float


@dataclass(frozen=True, kw_only=True)
class ThinnedRun:
    """The first fold of one study, of one target, with fewer and fewer test ratings."""

    keys: Mapping[str, Any]
    """As study files have them, but for data."""
    removed: tuple[float, ...]
    simulated: Mapping[str, Any] = field(default_factory=dict)
    """Keys that are others on simulated data, which are small."""

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Measure, or take the values from the folder of the bench."""
        keys = {**self.keys, **(self.simulated if bench.simulated else {})}
        study = bench.study(data, keys)
        rows = bench.kept("thinned", [*identity(study), *self.removed], ThinnedValue, lambda: self._values(study, bench))
        return MeasuredTables({"removed": pl.DataFrame([asdict(row) for row in rows])})

    def _values(self, study: Study, bench: PaperBench) -> list[ThinnedValue]:
        fold = next(iter(checked_folds(study, Prepared([], []), Clock())))
        folds = [thinned(fold, removed, study.seed) for removed in self.removed]
        rows: list[ThinnedValue] = []
        for number, system in enumerate(systems_on(study, fold, Bench(block=bench.block))):
            bench.tell(system.name, number, len(study.recommend))
            for removed, at in zip(self.removed, system.on(folds, study), strict=True):
                values = values_of(study, [at.scores(study.target, study.metrics)], [system.name])
                rows += [
                    ThinnedValue(
                        removed=removed, metric=row.metric, system=row.system, value=row.value, low=row.low, high=row.high
                    )
                    for row in values
                ]
        return rows
