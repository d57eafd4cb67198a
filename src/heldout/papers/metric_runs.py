"""How far metrics can be trusted by the systems of a paper: tables `metrics`, `sweeps`, `agreement` and `power`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from heldout.experiment.kept_stages import FolderStages, KeptRanks, NoStages
from heldout.experiment.ledger import Ledger
from heldout.metric_quality.findings import MetricFindings
from heldout.metric_quality.options import MetricOptions, metrics_at
from heldout.metric_quality.study_analysis import Repeats, study_findings
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
        tried = [str(metric) for metric in metrics_at(self.metrics, self.depths)]
        study = bench.study(data, keys, metrics=tried)
        here = {**self.options, **(self.simulated_options if bench.simulated else {})}
        options = MetricOptions(**here, seed=study.seed)

        def compute() -> list[MetricFindings]:
            ledger = None if bench.fits is None else Ledger(bench.fits)
            return study_findings(
                study,
                options=options,
                repeats=Repeats(),
                store=KeptRanks(ledger, None),
                stages=NoStages() if ledger is None else FolderStages(ledger),
                block=bench.block,
                progress=bench.tell,
            )

        [quality] = bench.kept("metric trial", [*identity(study), asdict(options)], MetricFindings, compute)
        return metric_tables(quality)


def metric_tables(quality: MetricFindings) -> MeasuredTables:
    """What a trial says, as the tables that rules see."""
    tables = {
        "metrics": quality.table,
        "sweeps": quality.sweeps,
        "agreement": quality.agreement_table,
        "power": quality.power_table,
    }
    return MeasuredTables(tables, quality.left_out)
