"""ReproductionResults: published beside measured, as sentences, tables, pages and figures."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from heldout.api.finished_folder import read_finished
from heldout.api.page_view import PageView
from heldout.api.plots import PaperPlots, save_figure
from heldout.api.tables import Frames, Tables
from heldout.experiment.ledger import Ledger, parts_key, sealed
from heldout.json_codec import from_plain, to_plain
from heldout.papers.findings import ReproductionFindings
from heldout.writing import write_text

KIND = "reproduction"
RECORD, REPORT = "reproduction.json", "report.html"


@dataclass(frozen=True, eq=False, kw_only=True)
class ReproductionResults:
    """Tables, figures and claims of papers beside what was measured."""

    record: ReproductionFindings
    manifest: dict[str, Any]
    folder: Path | None = None
    """Where they are kept."""

    @classmethod
    def load(cls, folder: str | Path) -> ReproductionResults:
        """What `heldout reproduce` left in a folder."""
        manifest, record = read_finished(
            folder,
            kind=KIND,
            name=RECORD,
            read=lambda content: from_plain(ReproductionFindings, content["record"]),
            other="these are not results of heldout reproduce",
            unfinished="not all experiments were run",
        )
        return cls(record=record, manifest=manifest, folder=Path(folder))

    @property
    def sentence(self) -> str:
        """How many numbers agree and how many claims hold."""
        from heldout.papers.sentences import reproduction_sentence

        return reproduction_sentence(self.record)

    @property
    def table(self) -> pl.DataFrame:
        """One row per published number: what was measured, the difference, and where a further split lies."""
        return self.record.table

    @property
    def claims(self) -> pl.DataFrame:
        """One row per claim: the paper's words, the rule, the verdict and the figures that decide it."""
        return self.record.claim_table

    def to_html(self) -> str:
        """The report as one self-contained page."""
        from heldout.papers.published_choices import published_protocol
        from heldout.reports.page.reproduction import to_html
        from heldout.review.reviewed_papers import reviewed_papers

        references = [paper.reference for paper in self.record.papers]
        protocol = published_protocol(references, self.manifest)
        return to_html(self.record, protocol, reviewed_papers(self.record, self.manifest))

    @property
    def tables(self) -> Tables:
        """Every table of the page, and the frames behind them: `tables["all-claims"].to_csv()`."""
        frames: Frames = {
            "all-figures": ("One row per published number", lambda: self.table),
            "all-claims": ("One row per claim", lambda: self.claims),
        }
        return Tables(self.to_html(), frames)

    def to_markdown(self) -> str:
        """The page *Published beside measured*, without figures."""
        from heldout.reports.markdown.reproduction import to_markdown

        return to_markdown(self.record)

    @property
    def plot(self) -> PaperPlots:
        """Figures of papers by matplotlib, in the paper's form: `plot("fig-2")`; iterating gives the names."""
        from heldout.reports.figures import of_papers

        return PaperPlots(of_papers(self.record), self.record, self.to_html)

    def explore(self, *, height: int = 720) -> PageView:
        """The whole report inside a notebook, switches and all, in a frame of its own."""
        return PageView(self.to_html(), height)

    def save_plot(self, path: str | Path, figure: str, *, width: float | None = None) -> None:
        """Write a figure of `plot` to a file (.pdf, .svg, .png), with fonts that publishers take."""
        save_figure(self.plot(figure, width=width), path)

    def save_page(self, path: str | Path) -> None:
        """Write *Published beside measured* as Markdown, its figures as SVG into a folder of its name beside it."""
        from heldout.reports.markdown.reproduction import to_markdown

        page = Path(path)
        images = {name: f"{page.stem}/{name.replace('/', '-')}.svg" for name in self.plot}
        for name, image in images.items():
            (page.parent / image).parent.mkdir(parents=True, exist_ok=True)
            self.save_plot(page.parent / image, name)
        made_by = replace(self.record, command=f"{self.record.command} --page {page.name}")
        write_text(page, to_markdown(made_by, images))

    def save(self, folder: str | Path) -> None:
        """Write reproduction.json, the tables and report.html into the folder."""
        ledger, key = Ledger(folder), parts_key(self.manifest)
        with ledger.writing():
            for name in ("table", "claims"):
                ledger.save_table(f"{name}.parquet", getattr(self, name), key)
            ledger.save_text(RECORD, sealed(json.dumps({"record": to_plain(self.record)}, ensure_ascii=False), key))
            ledger.save_text(REPORT, self.to_html())

    def _repr_html_(self) -> str:
        from heldout.reports.page.reproduction import html_fragment

        return str(html_fragment(self.record))

    def __repr__(self) -> str:
        from heldout.reports.terminal.reproduction import render
        from heldout.reports.terminal.screen import printed

        return printed(render(self.record, 100), 100)
