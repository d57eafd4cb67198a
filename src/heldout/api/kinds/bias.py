"""Results of `bias`: how popularity and sparsity change the values of a study's systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heldout.analysis.choices import recorded_data
from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.biases.findings import BiasFindings

if TYPE_CHECKING:
    from rich.console import Group


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
        return " ".join(results.findings.sentences[:2])

    def sentences(self, results: Results[BiasFindings]) -> list[str]:
        return list(results.findings.sentences)

    def left_out(self, results: Results[BiasFindings]) -> list[str]:
        return list(results.findings.left_out)

    def entries(self, results: Results[BiasFindings]) -> Any:
        from heldout.reports.figures import BIASES, of_data_sets

        return (*BIASES, *of_data_sets(recorded_data(results.manifest))), results.findings

    def html(self, results: Results[BiasFindings]) -> str:
        from heldout.reports.page.biases import to_html
        from heldout.review.reviewed_protocol import reviewed_protocol

        return to_html(results.findings, results.title, reviewed_protocol(results.manifest, results.title))

    def fragment(self, results: Results[BiasFindings]) -> str:
        from heldout.reports.page.biases import html_fragment

        return str(html_fragment(results.findings))

    def terminal(self, results: Results[BiasFindings], width: int | None = None, *, full: bool = False) -> Group:
        from heldout.reports.terminal.biases import render

        return render(results.findings, results.title, width)

    def markdown(self, results: Results[BiasFindings]) -> str:
        from heldout.reports.markdown.biases import to_markdown

        return to_markdown(results.findings, results.title)

    def latex(self, findings: BiasFindings, **options: Any) -> str:
        from heldout.reports.latex.biases import to_latex

        return to_latex(findings, **options)


KIND = BiasKind()
