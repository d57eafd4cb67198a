"""MetaResults: what a trial of metrics found, as sentences, tables, pages and figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from heldout.analysis.choices import recorded_data
from heldout.api.finished_folder import read_finished
from heldout.api.page_view import PageView
from heldout.api.plots import MetricPlots, save_figure
from heldout.api.tables import Frames, Tables
from heldout.experiment.ledger import Ledger, parts_key, sealed
from heldout.json_codec import from_plain, to_plain
from heldout.metric_quality.findings import MetricFindings
from heldout.reports.metric_quality_views import MetricTrialReport

KIND = "meta"
TRIALS, REPORT = "meta.json", "report.html"


@dataclass(frozen=True, eq=False, kw_only=True)
class MetaResults:
    """What a trial of metrics found: one trial for each protocol, and tables over all of them."""

    trials: tuple[MetricFindings, ...]
    manifest: dict[str, Any]
    folder: Path | None = None
    """Where they are kept."""

    @classmethod
    def load(cls, folder: str | Path) -> MetaResults:
        """What a trial left in a folder."""
        manifest, trials = read_finished(
            folder,
            kind=KIND,
            name=TRIALS,
            read=lambda content: tuple(from_plain(MetricFindings, trial) for trial in content["trials"]),
            other="these are not the results of a trial of metrics",
            unfinished="the trial did not finish",
        )
        return cls(trials=trials, manifest=manifest, folder=Path(folder))

    @property
    def title(self) -> str:
        """Of the study."""
        return str(self.manifest["title"])

    @property
    def sentence(self) -> str:
        """Which metric can be trusted: of each protocol, where there are several."""
        return "\n".join(self.sentences)

    @property
    def sentences(self) -> list[str]:
        """Which metric can be trusted under each protocol."""
        if len(self.trials) == 1:
            return [self.trials[0].sentence]
        return [f"{label}: {trial.sentence}" for label, trial in zip(self.labels, self.trials, strict=True)]

    @property
    def labels(self) -> list[str]:
        """What tells the protocols apart."""
        names = [name for name in self.trials[0].protocol if len({trial.protocol[name] for trial in self.trials}) > 1]
        return [", ".join(trial.protocol[name] for name in names) for trial in self.trials]

    @property
    def table(self) -> pl.DataFrame:
        """One row per metric and depth with all figures, the best first."""
        return self._joined(lambda trial: trial.table)

    @property
    def sweeps(self) -> pl.DataFrame:
        """τ with the whole test set's order, per metric and share of the test ratings or items that is kept."""
        return self._joined(lambda trial: trial.sweeps)

    @property
    def agreement(self) -> pl.DataFrame:
        """τ-b, τ_AP and RBO between the orders of systems by any two metrics, and at any two depths."""
        return self._joined(lambda trial: trial.agreement_table)

    @property
    def power(self) -> pl.DataFrame:
        """Discriminative power of each metric, with its sorted p-values."""
        return self._joined(lambda trial: trial.power_table)

    @property
    def swaps(self) -> pl.DataFrame:
        """Swap rates by number of users and by the size of the difference."""
        return self._joined(lambda trial: trial.swap_table)

    @property
    def reliability(self) -> pl.DataFrame:
        """Variance components, Eρ² and Φ of each metric."""
        return self._joined(lambda trial: trial.reliability_table)

    def _joined(self, table: Callable[[MetricFindings], pl.DataFrame]) -> pl.DataFrame:
        """The tables of all protocols below one another; what tells these apart stands in columns before."""
        names = [name for name in self.trials[0].protocol if len({trial.protocol[name] for trial in self.trials}) > 1]
        frames = [
            table(trial).select(*(pl.lit(trial.protocol[name]).alias(name) for name in names), pl.all())
            for trial in self.trials
        ]
        return pl.concat(frames, how="vertical_relaxed")

    @property
    def report(self) -> MetricTrialReport:
        """What every form of the report is drawn from."""
        return MetricTrialReport(title=self.title, trials=self.trials, labels=tuple(self.labels))

    def to_html(self) -> str:
        """The report as one self-contained page."""
        from heldout.reports.page.metric_quality import to_html
        from heldout.review.reviewed_protocol import reviewed_protocol

        return to_html(self.report, reviewed_protocol(self.manifest, self.title, self.trials[0].systems))

    @property
    def tables(self) -> Tables:
        """Every table of the page, and the frames behind them: `tables["swaps"].to_csv()`."""
        frames: Frames = {
            "all-metrics": ("One row per protocol and metric", lambda: self.table),
            "all-sweeps": ("One row per metric, sweep and share of what is kept", lambda: self.sweeps),
            "all-agreement": ("One row per pair of metrics or depths", lambda: self.agreement),
            "all-power": ("One row per metric and pair of systems, by p", lambda: self.power),
            "all-swaps": ("One row per metric and size of the sample of users", lambda: self.swaps),
            "all-reliability": ("One row per metric: variance components", lambda: self.reliability),
        }
        return Tables(self.to_html(), frames)

    def to_markdown(self) -> str:
        """The sentence, all figures and what is not known."""
        from heldout.reports.markdown.metric_quality import to_markdown

        return to_markdown(self.report)

    def to_latex(self, trial: int = 0, *, every_depth: bool = False) -> str:
        """A table for papers: each metric at its best depth, or at every depth. `trial` is the place of the protocol."""
        from heldout.reports.latex.metric_quality import to_latex

        return to_latex(self.trials[trial], every_depth=every_depth)

    @property
    def plot(self) -> MetricPlots:
        """Figures by matplotlib: `plot("front")` or `plot.front()`; iterating gives the names."""
        from heldout.reports.figures import METRIC_QUALITY, of_data_sets

        entries = (*METRIC_QUALITY, *of_data_sets(recorded_data(self.manifest)))
        return MetricPlots(entries, self, self.to_html)

    def explore(self, *, height: int = 720) -> PageView:
        """The whole report inside a notebook, switches and all, in a frame of its own."""
        return PageView(self.to_html(), height)

    def save_plot(
        self,
        path: str | Path,
        kind: str = "front",
        at: int | str | None = None,
        *,
        trial: int = 0,
        width: float | None = None,
    ) -> None:
        """Write a figure of `plot` to a file (.pdf, .svg, .png), with fonts that publishers take."""
        save_figure(self.plot(kind, at, trial=trial, width=width), path)

    def save(self, folder: str | Path) -> None:
        """Write meta.json, the tables and report.html into the folder."""
        ledger, key = Ledger(folder), parts_key(self.manifest)
        with ledger.writing():
            for name in ("table", "sweeps", "agreement", "power", "swaps", "reliability"):
                ledger.save_table(f"{name}.parquet", getattr(self, name), key)
            trials = [to_plain(trial) for trial in self.trials]
            ledger.save_text(TRIALS, sealed(json.dumps({"trials": trials}, ensure_ascii=False), key))
            ledger.save_text(REPORT, self.to_html())

    def _repr_html_(self) -> str:
        from heldout.reports.page.metric_quality import html_fragment

        return str(html_fragment(self.report))

    def __repr__(self) -> str:
        from heldout.reports.terminal.metric_quality import render
        from heldout.reports.terminal.screen import printed

        return printed(render(self.report, 100), 100)
