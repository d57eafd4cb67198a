"""Results of `truth`: how protocols, metrics and estimators do against what users truly think."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from heldout.analysis.choices import recorded_data
from heldout.api.kinds.kind import Kind, StoredFrame, recorded_protocol
from heldout.api.results import Results
from heldout.biases.truth.findings import TruthFindings
from heldout.biases.truth.sentences import truth_answer

if TYPE_CHECKING:
    from heldout.reports.document import Builders, Chart, Document


class TruthKind(Kind[TruthFindings]):
    """Protocols against the truth."""

    name = "truth"
    file = "truth.json"
    findings = TruthFindings
    main = "all-rows"
    stored = (
        StoredFrame(file="table", name="all-rows", title="One row per estimator", of=lambda findings: findings.table),
        StoredFrame(
            file="pairs",
            name="all-pairs",
            title="One row per metric and pair of systems",
            of=lambda findings: findings.pair_table,
        ),
        StoredFrame(
            file="values",
            name="all-values",
            title="One row per estimator and system",
            of=lambda findings: findings.value_table,
        ),
    )
    other = "these are not results of heldout truth"
    unfinished = "not all draws were made"

    def verdict(self, results: Results[TruthFindings]) -> str:
        findings = results.findings
        return f"{truth_answer(findings)} {findings.sentence}"

    def sentences(self, results: Results[TruthFindings]) -> list[str]:
        return list(results.findings.sentences)

    def left_out(self, results: Results[TruthFindings]) -> list[str]:
        return list(results.findings.left_out)

    def document(self, results: Results[TruthFindings], *, reviewed: bool = True) -> Document:
        from heldout.reports import truth
        from heldout.review.reviewed_protocol import reviewed_protocol

        protocol = reviewed_protocol(results.manifest, results.title) if reviewed else None
        return truth.document(
            results.findings,
            title=results.title,
            facts=protocol.facts if protocol else recorded_protocol(results.manifest),
            review=protocol.review if protocol else None,
        )

    def tables(self, results: Results[TruthFindings]) -> Sequence[Callable[[], Builders]]:
        from heldout.reports import profile, protocol, truth

        def of_protocol() -> Builders:
            facts = recorded_protocol(results.manifest)
            return {**protocol.tables(facts), **profile.data_tables(facts.data)} if facts else {}

        return partial(truth.tables, results.findings), of_protocol

    def charts(self, results: Results[TruthFindings]) -> Mapping[str, Callable[..., Chart | None]]:
        from heldout.reports import truth
        from heldout.reports.charts import data

        return {**truth.charts(results.findings), **data.charts(recorded_data(results.manifest))}


KIND = TruthKind()
