"""Results of `bias`: how popularity and sparsity change the values of a study's systems."""

from __future__ import annotations

from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.biases.findings import BiasFindings
from heldout.biases.sentences import bias_answer


class BiasKind(Kind[BiasFindings]):
    """The biases of a study."""

    name = "bias"
    label = "Biases"
    file = "bias.json"
    findings = BiasFindings
    main = "all-rows"
    stored = (
        StoredFrame(
            file="table",
            name="all-rows",
            title="One row per protocol, metric and system",
            attribute="table",
        ),
        StoredFrame(file="changes", name="all-changes", title="One row per protocol and metric", attribute="changes"),
        StoredFrame(
            file="pairs",
            name="all-pairs",
            title="One row per protocol, metric and pair of systems",
            attribute="pairs",
        ),
        StoredFrame(
            file="expected",
            name="all-expected",
            title="One row per protocol and system: expected and measured precision",
            attribute="expected",
        ),
        StoredFrame(
            file="sweeps",
            name="all-sweeps",
            title="One row per sweep, place, protocol and system",
            attribute="sweeps",
        ),
    )
    unfinished = "the study of biases did not finish"
    report = "heldout.reports.biases"

    def verdict(self, results: Results[BiasFindings]) -> str:
        findings = results.findings
        return " ".join((bias_answer(findings), *findings.sentences[:2]))

    def sentences(self, results: Results[BiasFindings]) -> list[str]:
        return list(results.findings.sentences)

    def left_out(self, results: Results[BiasFindings]) -> list[str]:
        return list(results.findings.left_out)


KIND = BiasKind()
