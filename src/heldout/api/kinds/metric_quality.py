"""Results of `meta`: which metrics can be trusted, by one trial of metrics for each protocol."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.metric_quality.findings import MetaFindings


class MetricKind(Kind[MetaFindings]):
    """Trials of metrics."""

    name = "meta"
    label = "Metrics on trial"
    file = "meta.json"
    findings = MetaFindings
    main = "all-metrics"
    stored = (
        StoredFrame(file="table", name="all-metrics", title="One row per protocol and metric", attribute="table"),
        StoredFrame(
            file="sweeps",
            name="all-sweeps",
            title="One row per metric, sweep and share of what is kept",
            attribute="sweeps",
        ),
        StoredFrame(
            file="agreement",
            name="all-agreement",
            title="One row per pair of metrics or depths",
            attribute="agreement",
        ),
        StoredFrame(
            file="power",
            name="all-power",
            title="One row per metric and pair of systems, by p",
            attribute="power",
        ),
        StoredFrame(
            file="swaps",
            name="all-swaps",
            title="One row per metric and size of the sample of users",
            attribute="swaps",
        ),
        StoredFrame(
            file="reliability",
            name="all-reliability",
            title="One row per metric: variance components",
            attribute="reliability",
        ),
    )
    unfinished = "the trial did not finish"
    report = "heldout.reports.metric_quality"

    def systems(self, results: Results[MetaFindings]) -> Sequence[str]:
        return results.findings.trials[0].systems

    def verdict(self, results: Results[MetaFindings]) -> str:
        return "\n".join(self.sentences(results))

    def sentences(self, results: Results[MetaFindings]) -> list[str]:
        return results.findings.sentences


KIND = MetricKind()
