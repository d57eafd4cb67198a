"""Results of `meta`: which metrics can be trusted, by one trial of metrics for each protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from heldout.analysis.choices import recorded_data
from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.metric_quality.findings import MetaFindings

if TYPE_CHECKING:
    from heldout.reports.document import Builders, Chart, Document


class MetricKind(Kind[MetaFindings]):
    """Trials of metrics."""

    name = "meta"
    file = "meta.json"
    key = "trials"
    findings = MetaFindings
    main = "all-metrics"
    stored = (
        StoredFrame(
            file="table", name="all-metrics", title="One row per protocol and metric", of=lambda findings: findings.table
        ),
        StoredFrame(
            file="sweeps",
            name="all-sweeps",
            title="One row per metric, sweep and share of what is kept",
            of=lambda findings: findings.sweeps,
        ),
        StoredFrame(
            file="agreement",
            name="all-agreement",
            title="One row per pair of metrics or depths",
            of=lambda findings: findings.agreement,
        ),
        StoredFrame(
            file="power",
            name="all-power",
            title="One row per metric and pair of systems, by p",
            of=lambda findings: findings.power,
        ),
        StoredFrame(
            file="swaps",
            name="all-swaps",
            title="One row per metric and size of the sample of users",
            of=lambda findings: findings.swaps,
        ),
        StoredFrame(
            file="reliability",
            name="all-reliability",
            title="One row per metric: variance components",
            of=lambda findings: findings.reliability,
        ),
    )
    other = "these are not the results of a trial of metrics"
    unfinished = "the trial did not finish"

    def encode(self, findings: MetaFindings) -> Any:
        return super().encode(findings)["trials"]

    def decode(self, content: Any) -> MetaFindings:
        return super().decode({"trials": content})

    def verdict(self, results: Results[MetaFindings]) -> str:
        return "\n".join(self.sentences(results))

    def sentences(self, results: Results[MetaFindings]) -> list[str]:
        return results.findings.sentences

    def document(self, results: Results[MetaFindings], *, reviewed: bool = True) -> Document:
        from heldout.reports import metric_quality
        from heldout.review.reviewed_protocol import reviewed_protocol

        systems = results.findings.trials[0].systems
        protocol = reviewed_protocol(results.manifest, results.title, systems) if reviewed else None
        return metric_quality.document(results.findings, title=results.title, protocol=protocol)

    def tables(self, results: Results[MetaFindings]) -> Sequence[Callable[[], Builders]]:
        from heldout.reports import metric_quality, profile, protocol
        from heldout.review.reviewed_protocol import reviewed_protocol

        def of_protocol() -> Builders:
            reviewed = reviewed_protocol(results.manifest, results.title, results.findings.trials[0].systems)
            return {**protocol.tables(reviewed.facts), **profile.data_tables(reviewed.facts.data)} if reviewed else {}

        return partial(metric_quality.tables, results.findings), of_protocol

    def charts(self, results: Results[MetaFindings]) -> Mapping[str, Callable[..., Chart | None]]:
        from heldout.reports import metric_quality
        from heldout.reports.charts import data

        return {**metric_quality.charts(results.findings), **data.charts(recorded_data(results.manifest))}


KIND = MetricKind()
