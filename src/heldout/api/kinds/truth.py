"""Results of `truth`: how protocols, metrics and estimators do against what users truly think."""

from __future__ import annotations

from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.biases.truth.findings import TruthFindings
from heldout.biases.truth.sentences import truth_answer


class TruthKind(Kind[TruthFindings]):
    """Protocols against the truth."""

    name = "truth"
    label = "Held against the truth"
    file = "truth.json"
    findings = TruthFindings
    main = "all-rows"
    stored = (
        StoredFrame(file="table", name="all-rows", title="One row per estimator", attribute="table"),
        StoredFrame(
            file="pairs",
            name="all-pairs",
            title="One row per metric and pair of systems",
            attribute="pair_table",
        ),
        StoredFrame(
            file="values",
            name="all-values",
            title="One row per estimator and system",
            attribute="value_table",
        ),
    )
    unfinished = "not all draws were made"
    report = "heldout.reports.truth"

    def verdict(self, results: Results[TruthFindings]) -> str:
        findings = results.findings
        return f"{truth_answer(findings)} {findings.sentence}"

    def sentences(self, results: Results[TruthFindings]) -> list[str]:
        return list(results.findings.sentences)

    def left_out(self, results: Results[TruthFindings]) -> list[str]:
        return list(results.findings.left_out)


KIND = TruthKind()
