"""Results of `bias`: how popularity and sparsity change the values of a study's systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from heldout.analysis.choices import recorded_data
from heldout.api.kinds.kind import Kind, StoredFrame, recorded_protocol
from heldout.api.results import Results
from heldout.biases.findings import BiasFindings
from heldout.biases.sentences import bias_answer

if TYPE_CHECKING:
    from heldout.reports.document import Builders, Chart, Document


class BiasKind(Kind[BiasFindings]):
    """The biases of a study."""

    name = "bias"
    file = "bias.json"
    findings = BiasFindings
    main = "all-rows"
    stored = (
        StoredFrame(
            file="table",
            name="all-rows",
            title="One row per protocol, metric and system",
            of=lambda findings: findings.table,
        ),
        StoredFrame(
            file="changes", name="all-changes", title="One row per protocol and metric", of=lambda findings: findings.changes
        ),
        StoredFrame(
            file="pairs",
            name="all-pairs",
            title="One row per protocol, metric and pair of systems",
            of=lambda findings: findings.pairs,
        ),
        StoredFrame(
            file="expected",
            name="all-expected",
            title="One row per protocol and system: expected and measured precision",
            of=lambda findings: findings.expected,
        ),
        StoredFrame(
            file="sweeps",
            name="all-sweeps",
            title="One row per sweep, place, protocol and system",
            of=lambda findings: findings.sweeps,
        ),
    )
    other = "these are not the biases of a study"
    unfinished = "the study of biases did not finish"

    def verdict(self, results: Results[BiasFindings]) -> str:
        findings = results.findings
        return " ".join((bias_answer(findings), *findings.sentences[:2]))

    def sentences(self, results: Results[BiasFindings]) -> list[str]:
        return list(results.findings.sentences)

    def left_out(self, results: Results[BiasFindings]) -> list[str]:
        return list(results.findings.left_out)

    def document(self, results: Results[BiasFindings], *, reviewed: bool = True) -> Document:
        from heldout.reports import biases
        from heldout.review.reviewed_protocol import reviewed_protocol

        protocol = reviewed_protocol(results.manifest, results.title) if reviewed else None
        return biases.document(
            results.findings,
            title=results.title,
            facts=protocol.facts if protocol else recorded_protocol(results.manifest),
            review=protocol.review if protocol else None,
        )

    def tables(self, results: Results[BiasFindings]) -> Sequence[Callable[[], Builders]]:
        from heldout.reports import biases, profile, protocol

        def of_protocol() -> Builders:
            facts = recorded_protocol(results.manifest)
            return {**protocol.tables(facts), **profile.data_tables(facts.data)} if facts else {}

        return partial(biases.tables, results.findings), of_protocol

    def charts(self, results: Results[BiasFindings]) -> Mapping[str, Callable[..., Chart | None]]:
        from heldout.reports import biases
        from heldout.reports.charts import data

        return {**biases.charts(results.findings), **data.charts(recorded_data(results.manifest))}


KIND = BiasKind()
