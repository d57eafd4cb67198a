"""TruthResults: how protocols did against the truth, as sentences, tables, pages and figures."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import polars as pl

from heldout.analysis.choices import recorded_data
from heldout.api.finished_folder import FinishedResults
from heldout.api.plots import TruthPlots, save_figure
from heldout.biases.truth.findings import TruthFindings
from heldout.reports.truth_views import TruthReport


class TruthResults(FinishedResults[TruthFindings]):
    """How every protocol, metric and estimator did against the truth."""

    kind = "truth"
    kept = MappingProxyType(
        {
            "table": "One row per estimator",
            "pairs": "One row per metric and pair of systems",
            "values": "One row per estimator and system",
        }
    )
    findings_class = TruthFindings
    other = "these are not results of heldout truth"
    unfinished = "not all draws were made"

    @property
    def sentence(self) -> str:
        """Which protocol would most often have chosen the truly better system."""
        return self.findings.sentence

    @property
    def sentences(self) -> list[str]:
        """The answer, and what else the figures say."""
        return list(self.findings.sentences)

    @property
    def table(self) -> pl.DataFrame:
        """One row per estimator, the one most often right first."""
        return self.findings.table

    @property
    def pairs(self) -> pl.DataFrame:
        """One row per metric and pair of systems: the true difference, and how often it was seen."""
        return self.findings.pair_table

    @property
    def values(self) -> pl.DataFrame:
        """One row per estimator and system: the mean estimate beside the mean truth."""
        return self.findings.value_table

    @property
    def report(self) -> TruthReport:
        """What every form of the report is drawn from."""
        return TruthReport(title=self.title, findings=self.findings)

    def to_html(self) -> str:
        """The report as one self-contained page."""
        from heldout.reports.page.truth import to_html
        from heldout.review.reviewed_protocol import reviewed_protocol

        return to_html(self.report, reviewed_protocol(self.manifest, self.title))

    def to_markdown(self) -> str:
        """The sentences, all figures and what is not known."""
        from heldout.reports.markdown.truth import to_markdown

        return to_markdown(self.report)

    def to_latex(self) -> str:
        """A table for papers: each protocol with the metric by which it was right most often."""
        from heldout.reports.latex.truth import to_latex

        return to_latex(self.findings)

    @property
    def plot(self) -> TruthPlots:
        """Figures by matplotlib: `plot("right")` or `plot.right()`; iterating gives the names."""
        from heldout.reports.figures import TRUTH, of_data_sets

        entries = (*TRUTH, *of_data_sets(recorded_data(self.manifest)))
        return TruthPlots(entries, self.findings, self.to_html)

    def save_plot(self, path: str | Path, kind: str = "right", *, width: float | None = None) -> None:
        """Write a figure of `plot` to a file (.pdf, .svg, .png), with fonts that publishers take."""
        save_figure(self.plot(kind, width=width), path)

    def _repr_html_(self) -> str:
        from heldout.reports.page.truth import html_fragment

        return str(html_fragment(self.report))

    def __repr__(self) -> str:
        from heldout.reports.terminal.screen import printed
        from heldout.reports.terminal.truth import render

        return printed(render(self.report, 100), 100)
