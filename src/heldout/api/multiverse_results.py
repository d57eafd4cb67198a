"""MultiverseResults: what a multiverse found, as sentences, a table of universes, pages and figures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from heldout.analysis.choices import recorded_data
from heldout.api.page_view import PageView
from heldout.api.plots import MultiverseFigure, MultiversePlots, save_figure
from heldout.api.tables import Tables
from heldout.catalogue.notices import title_of
from heldout.errors import ResultsError
from heldout.experiment.guessed_relevance import about_kept_guess
from heldout.experiment.ledger import Ledger, kind_words, other_version, parts_key, read_manifest, read_sealed, sealed
from heldout.reports.multiverse_views import MultiverseReport
from heldout.study.record import recorded_study
from heldout.universes.explored import ExploredUniverses, explored_universes
from heldout.universes.findings import MultiverseFindings
from heldout.universes.universes import Universes

TABLE, FINDINGS, REPORT = "universes.parquet", "multiverse.json", "report.html"


@dataclass(frozen=True, eq=False, kw_only=True)
class MultiverseResults:
    """What a multiverse found: sentences to read, the table of universes to work with, and the report."""

    findings: MultiverseFindings
    title: str
    manifest: dict[str, Any]
    table: pl.DataFrame | None = None
    folder: Path | None = None
    """Where they were loaded from."""
    left_out: tuple[str, ...] = field(default=())
    """Options that did not apply somewhere, and so made no universe there."""
    shown: ExploredUniverses | None = None
    """The universes that the page shows one by one; taken from the table where they are not given."""

    @classmethod
    def load(cls, folder: str | Path) -> MultiverseResults:
        """The results that a multiverse left in a folder."""
        manifest = read_manifest(folder)
        if manifest.get("kind") != "multiverse":
            words = f"these are the results of {kind_words(manifest)}"
            raise ResultsError(words, where=str(folder), hint="use ho.load or heldout report")
        path = Path(folder) / FINDINGS
        try:
            findings_read, key = read_sealed(path)
        except FileNotFoundError:
            raise _unfinished(folder) from None
        if not manifest.get("complete") or key != parts_key(manifest):
            raise _unfinished(folder)
        try:
            findings = MultiverseFindings.from_dict(findings_read)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise other_version(path, error) from None
        left_out = tuple(manifest.get("left_out", ()))
        return cls(
            findings=findings,
            title=str(manifest.get("title", "")),
            manifest=manifest,
            folder=Path(folder),
            left_out=left_out,
        )

    @cached_property
    def universes(self) -> pl.DataFrame:
        """One row per universe and pair of systems: what was chosen, the values, difference, effect, p and winner."""
        if self.table is not None:
            return self.table
        if self.folder is None:
            raise ResultsError("these results hold no table of universes", hint="load them from the folder of a run")
        return Ledger(self.folder).load_table(TABLE, parts_key(self.manifest))

    @property
    def sentences(self) -> list[str]:
        """For every pair of systems, whether its conclusion survives."""
        return [pair.stability.sentence for pair in self.findings.pairs]

    @property
    def failed(self) -> dict[str, str]:
        """Cells of systems that failed, with the reason; their universes have no value of them."""
        return dict(self.manifest.get("failed", {}))

    @property
    def notices(self) -> list[str]:
        """Coded warnings about method, such as that the relevance rule was guessed."""
        notices = about_kept_guess(recorded_study(self.manifest)) if "guessed" in self.manifest else ()
        return [f"{n.code} {title_of(n.code)}: {n.message}" for n in notices]

    @property
    def report(self) -> MultiverseReport:
        """What every form of the report is drawn from."""
        return MultiverseReport(
            findings=self.findings, title=self.title, failed=self.failed, left_out=self.left_out, notices=self.notices
        )

    @cached_property
    def explored(self) -> ExploredUniverses:
        """The universes one by one, as the page shows them."""
        if self.shown is not None:
            return self.shown
        return explored_universes(Universes.from_polars(self.universes), level=self.findings.level)

    def to_html(self) -> str:
        """The report as one self-contained page."""
        from heldout.reports.page.multiverse import to_html
        from heldout.review.reviewed_protocol import reviewed_protocol

        protocol = reviewed_protocol(self.manifest, self.title)
        return to_html(replace(self.report, explored=self.explored, protocol=protocol))

    @property
    def tables(self) -> Tables:
        """Every table of the page, and the universes: `tables["grid"].to_latex()`."""
        return Tables(self.to_html(), {"universes": ("One row per universe and pair of systems", lambda: self.universes)})

    def to_markdown(self) -> str:
        """The findings as Markdown."""
        from heldout.reports.markdown.multiverse import to_markdown

        return to_markdown(self.report)

    @property
    def plot(self) -> MultiversePlots:
        """Figures by matplotlib: `plot("speccurve")` or `plot.speccurve()`; iterating gives the names."""
        from heldout.reports.figures import MULTIVERSE, margin_curve, of_data_sets

        entries = MULTIVERSE
        if self.shown is not None or self.table is not None or self.folder is not None:
            entries = (*MULTIVERSE, margin_curve(lambda _: self.explored.explored))
        entries = (*entries, *of_data_sets(recorded_data(self.manifest)))
        return MultiversePlots(entries, self.findings, self.to_html)

    def explore(self, *, height: int = 720) -> PageView:
        """The whole report inside a notebook, switches and all, in a frame of its own."""
        return PageView(self.to_html(), height)

    def save_plot(
        self,
        path: str | Path,
        kind: MultiverseFigure = "speccurve",
        *,
        pair: int | tuple[str, str] | None = None,
        width: float | None = None,
    ) -> None:
        """Write a figure of `plot` to a file (.pdf, .svg, .png), with fonts that publishers take."""
        save_figure(self.plot(kind, pair=pair, width=width), path)

    def save(self, folder: str | Path) -> None:
        """Write multiverse.json and report.html into the results folder."""
        ledger = Ledger(folder)
        with ledger.writing():
            ledger.save_text(FINDINGS, sealed(self.findings.to_json(), parts_key(self.manifest)))
            ledger.save_text(REPORT, self.to_html())

    def _repr_html_(self) -> str:
        from heldout.reports.page.multiverse import html_fragment

        return str(html_fragment(self.report))

    def __repr__(self) -> str:
        from heldout.reports.terminal.multiverse import render
        from heldout.reports.terminal.screen import printed

        return printed(render(self.report, 100), 100)


def _unfinished(folder: str | Path) -> ResultsError:
    return ResultsError(
        "the run did not finish", where=str(folder), hint="run the same multiverse again: it goes on where it stopped"
    )
