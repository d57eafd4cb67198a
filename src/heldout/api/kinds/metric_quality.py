"""Results of `meta`: which metrics can be trusted, by one trial of metrics for each protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heldout.analysis.choices import recorded_data
from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.metric_quality.findings import MetaFindings
from heldout.reports.metric_quality_views import MetricTrialReport

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Group


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

    def entries(self, results: Results[MetaFindings], trial: int = 0) -> Any:
        from heldout.reports.figures import METRIC_QUALITY, of_data_sets

        return (*METRIC_QUALITY, *of_data_sets(recorded_data(results.manifest))), results.findings.trials[trial]

    def draw(
        self, results: Results[MetaFindings], name: str, *, width: float | None = None, trial: int = 0, **options: Any
    ) -> Figure:
        from heldout.reports.figures import draw_figure

        entries, findings = self.entries(results, trial)
        return draw_figure(entries, findings, name, width=width, **options)

    def figure_options(self, results: Results[MetaFindings], name: str) -> list[str]:
        return [*super().figure_options(results, name), "trial"]

    def html(self, results: Results[MetaFindings]) -> str:
        from heldout.reports.page.metric_quality import to_html
        from heldout.review.reviewed_protocol import reviewed_protocol

        systems = results.findings.trials[0].systems
        return to_html(_report(results), reviewed_protocol(results.manifest, results.title, systems))

    def fragment(self, results: Results[MetaFindings]) -> str:
        from heldout.reports.page.metric_quality import html_fragment

        return str(html_fragment(_report(results)))

    def terminal(self, results: Results[MetaFindings], width: int | None = None, *, full: bool = False) -> Group:
        from heldout.reports.terminal.metric_quality import render

        return render(_report(results), width)

    def markdown(self, results: Results[MetaFindings]) -> str:
        from heldout.reports.markdown.metric_quality import to_markdown

        return to_markdown(_report(results))

    def latex(self, findings: MetaFindings, **options: Any) -> str:
        """Each metric at its best depth, or at every depth; `trial` is the place of the protocol."""
        from heldout.reports.latex.metric_quality import to_latex

        return to_latex(findings.trials[options.pop("trial", 0)], **{"every_depth": False, **options})


def _report(results: Results[MetaFindings]) -> MetricTrialReport:
    """What every form of the report is made from."""
    findings = results.findings
    return MetricTrialReport(title=results.title, trials=findings.trials, labels=tuple(findings.labels))


KIND = MetricKind()
