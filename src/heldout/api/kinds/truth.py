"""Results of `truth`: how protocols, metrics and estimators do against what users truly think."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heldout.analysis.choices import recorded_data
from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.biases.truth.findings import TruthFindings
from heldout.reports.truth_views import TruthReport

if TYPE_CHECKING:
    from rich.console import Group


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
        return results.findings.sentence

    def sentences(self, results: Results[TruthFindings]) -> list[str]:
        return list(results.findings.sentences)

    def left_out(self, results: Results[TruthFindings]) -> list[str]:
        return list(results.findings.left_out)

    def entries(self, results: Results[TruthFindings]) -> Any:
        from heldout.reports.figures import TRUTH, of_data_sets

        return (*TRUTH, *of_data_sets(recorded_data(results.manifest))), results.findings

    def html(self, results: Results[TruthFindings]) -> str:
        from heldout.reports.page.truth import to_html
        from heldout.review.reviewed_protocol import reviewed_protocol

        return to_html(_report(results), reviewed_protocol(results.manifest, results.title))

    def fragment(self, results: Results[TruthFindings]) -> str:
        from heldout.reports.page.truth import html_fragment

        return str(html_fragment(_report(results)))

    def terminal(self, results: Results[TruthFindings], width: int | None = None, *, full: bool = False) -> Group:
        from heldout.reports.terminal.truth import render

        return render(_report(results), width)

    def markdown(self, results: Results[TruthFindings]) -> str:
        from heldout.reports.markdown.truth import to_markdown

        return to_markdown(_report(results))

    def latex(self, findings: TruthFindings, **options: Any) -> str:
        from heldout.reports.latex.truth import to_latex

        return to_latex(findings, **options)


def _report(results: Results[TruthFindings]) -> TruthReport:
    """What every form of the report is made from."""
    return TruthReport(title=results.title, findings=results.findings)


KIND = TruthKind()
