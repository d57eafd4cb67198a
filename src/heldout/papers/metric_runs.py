"""How far metrics can be trusted by the systems of a paper: tables `metrics`, `sweeps`, `agreement` and `power`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import heldout as ho
from heldout.papers.bench import PaperBench, identity
from heldout.papers.data_sets import NeededData
from heldout.papers.paper import MeasuredTables


@dataclass(frozen=True, kw_only=True)
class MetricRun:
    """The metrics of one study, at several depths, tried by its systems."""

    keys: Mapping[str, Any]
    """As study files have them, but for data and metrics."""
    metrics: tuple[str, ...]
    depths: tuple[int, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    """How metrics are tried, where the paper's way is not the default."""
    simulated: Mapping[str, Any] = field(default_factory=dict)
    """Keys that are others on simulated data, which are small."""
    simulated_options: Mapping[str, Any] = field(default_factory=dict)
    """How metrics are tried there, where it differs from the paper's way."""

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Try the metrics, or take what the trial said from the folder of the bench."""
        keys = {**self.keys, **(self.simulated if bench.simulated else {})}
        tried = [f"{metric}@{depth}" for metric in self.metrics for depth in self.depths]
        study = bench.study(data, keys, metrics=tried)
        here: Any = {**self.options, **(self.simulated_options if bench.simulated else {})}

        def compute() -> list[ho.MetaFindings]:
            folder = bench.folder("meta")
            return [ho.meta(study, here, metrics=tried, out=folder, block=bench.block, progress=bench.tell).findings]

        depends_on = [*identity(study), json.dumps(here, sort_keys=True)]
        [findings] = bench.kept("metric trial", depends_on, ho.MetaFindings, compute)
        [trial] = findings.trials
        return MeasuredTables(
            {
                "metrics": trial.table,
                "sweeps": trial.sweeps,
                "agreement": trial.agreement_table,
                "power": trial.power_table,
            },
            trial.left_out,
        )
