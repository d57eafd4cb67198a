"""BiasResults: what was found about the biases of a study, as sentences, tables, pages and figures."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import polars as pl

from heldout.analysis.choices import recorded_data
from heldout.api.finished_folder import FinishedResults
from heldout.api.plots import BiasPlots, save_figure
from heldout.biases.findings import BiasFindings


class BiasResults(FinishedResults[BiasFindings]):
    """What popularity and sparsity do to the values of a study's systems."""

    kind = "bias"
    kept = MappingProxyType(
        {
            "table": "One row per protocol, metric and system",
            "changes": "One row per protocol and metric",
            "pairs": "One row per protocol, metric and pair of systems",
            "expected": "One row per protocol and system: expected and measured precision",
            "sweeps": "One row per sweep, place, protocol and system",
        }
    )
    findings_class = BiasFindings
    other = "these are not the biases of a study"
    unfinished = "the study of biases did not finish"

    @property
    def sentence(self) -> str:
        """How much of the study's ranking is popularity."""
        return " ".join(self.findings.sentences[:2])

    @property
    def sentences(self) -> list[str]:
        """Everything that is said, the most important first."""
        return list(self.findings.sentences)

    @property
    def table(self) -> pl.DataFrame:
        """One row per protocol, metric and system."""
        return self.findings.table

    @property
    def changes(self) -> pl.DataFrame:
        """One row per protocol and metric: τ with the study's order, pairs reversed and significance lost."""
        return self.findings.changes

    @property
    def pairs(self) -> pl.DataFrame:
        """One row per protocol, metric and pair of systems."""
        return self.findings.pairs

    @property
    def expected(self) -> pl.DataFrame:
        """One row per protocol and system: precision in closed form, given the split, and measured."""
        return self.findings.expected

    @property
    def sweeps(self) -> pl.DataFrame:
        """One row per sweep, place, protocol and system."""
        return self.findings.sweeps

    def to_html(self) -> str:
        """The report as one self-contained page."""
        from heldout.reports.page.biases import to_html
        from heldout.review.reviewed_protocol import reviewed_protocol

        return to_html(self.findings, self.title, reviewed_protocol(self.manifest, self.title))

    def to_markdown(self) -> str:
        """The sentences, the tables and what is not known."""
        from heldout.reports.markdown.biases import to_markdown

        return to_markdown(self.findings, self.title)

    def to_latex(self) -> str:
        """A table for papers: every system under every protocol."""
        from heldout.reports.latex.biases import to_latex

        return to_latex(self.findings)

    @property
    def plot(self) -> BiasPlots:
        """Figures by matplotlib: `plot("protocols")` or `plot.protocols()`; iterating gives the names."""
        from heldout.reports.figures import BIASES, of_data_sets

        entries = (*BIASES, *of_data_sets(recorded_data(self.manifest)))
        return BiasPlots(entries, self.findings, self.to_html)

    def save_plot(
        self, path: str | Path, kind: str = "protocols", *, protocol: str | None = None, width: float | None = None
    ) -> None:
        """Write a figure of `plot` to a file (.pdf, .svg, .png), with fonts that publishers take."""
        save_figure(self.plot(kind, protocol=protocol, width=width), path)

    def _repr_html_(self) -> str:
        from heldout.reports.page.biases import html_fragment

        return str(html_fragment(self.findings))

    def __repr__(self) -> str:
        from heldout.reports.terminal.biases import render
        from heldout.reports.terminal.screen import printed

        return printed(render(self.findings, self.title, 100), 100)
