"""Systems by several metrics on simulated ratings of the size of a data set, more and more skewed: table `skewed`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from heldout.biases.measured import Bench, systems_on, values_of
from heldout.biases.sweeps import without_tastes
from heldout.data.simulation_fit import fitted
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared
from heldout.experiment.preflight import checked_folds
from heldout.papers.bench import PaperBench, identity
from heldout.papers.data_sets import NeededData
from heldout.papers.paper import MeasuredTables
from heldout.study.file import study_from
from heldout.study.spec import Study


@dataclass(frozen=True, kw_only=True)
class SkewedValue:
    """A system's value at one skew."""

    alpha: float
    metric: str
    system: str
    value: float


@dataclass(frozen=True, kw_only=True)
class SkewedRun:
    """One study of one fold and one target, on simulated data as those of `heldout bias`, at each skew."""

    keys: Mapping[str, Any]
    """As study files have them, but for data."""
    alphas: tuple[float, ...]
    simulated: Mapping[str, Any] = field(default_factory=dict)
    """Keys that are others where simulated data stand in for the paper's, which are small."""

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Measure, or take the values from the folder of the bench."""
        keys = {**self.keys, **(self.simulated if bench.simulated else {})}
        study = bench.study(data, keys)

        def compute() -> list[SkewedValue]:
            like = fitted(bench.source(data).read().interactions("error"), seed=study.seed)
            rows: list[SkewedValue] = []
            for number, alpha in enumerate(self.alphas):
                bench.tell(f"α = {alpha:g}", number, len(self.alphas))
                here = study_from({**keys, "data": without_tastes(like, alpha)})
                rows += _values(here, alpha, bench)
            return rows

        rows = bench.kept("skewed", [*identity(study), *self.alphas], SkewedValue, compute)
        return MeasuredTables({"skewed": pl.DataFrame([asdict(row) for row in rows])})


def _values(study: Study, alpha: float, bench: PaperBench) -> list[SkewedValue]:
    fold = next(iter(checked_folds(study, Prepared([], []), Clock())))
    rows: list[SkewedValue] = []
    for system in systems_on(study, fold, Bench(block=bench.block)):
        values = values_of(study, [system.scores(study.target, study.metrics)], [system.name])
        rows += [SkewedValue(alpha=alpha, metric=row.metric, system=row.system, value=row.value) for row in values]
    return rows
