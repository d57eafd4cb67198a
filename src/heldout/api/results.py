"""Results: what a run or an evaluation found, as tables, pages and figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from heldout.analysis.findings import Findings
from heldout.api.page_view import PageView
from heldout.api.plots import StudyFigure, StudyPlots, save_figure
from heldout.api.tables import Frames, Tables
from heldout.errors import MissingExtraError, ResultsError
from heldout.experiment.outcome import Outcome

if TYPE_CHECKING:
    from heldout.api.arguments import Metrics, Pooling, Spec, Specs, UserGroup

_MEASURED = {
    "users": "users_averaged",
    "undefined": "users_undefined",
    "coverage": "coverage_at_n",
    "coverage_ranked": "coverage_ranked_at_n",
    "unrated": "unrated_at_n",
    "rho": "rho_at_n",
    "tied": "tied_at_n",
}
"""Columns of numbers whose own names are those of choices, or whose depth is that of the metric."""


@dataclass(frozen=True, eq=False)
class Results:
    """Results of a study: findings to read, tables to work with, and the forms in which to show them."""

    findings: Findings
    outcome: Outcome | None = None
    folder: Path | None = None
    """Where they were loaded from."""

    @classmethod
    def load(cls, folder: str | Path) -> Results:
        """The results that a run left in a folder."""
        from heldout.analysis.rows import PAIRS, pair_rows
        from heldout.experiment.costs import system_costs
        from heldout.experiment.ledger import Ledger, kind_words, other_version, parts_key, read_manifest, read_sealed

        manifest = read_manifest(folder)
        if manifest.get("kind"):
            words = f"these are the results of {kind_words(manifest)}"
            raise ResultsError(words, where=str(folder), hint="heldout report shows them")
        path = Path(folder) / "facts.json"
        try:
            findings, key = read_sealed(path)
        except FileNotFoundError:
            raise _unfinished(folder, "facts.json is missing") from None
        if not manifest.get("complete", True) or key != parts_key(manifest):
            raise _unfinished(folder, "facts.json is of an earlier one")
        try:
            costs = system_costs(manifest)
            if findings["comparisons"] == PAIRS:
                findings["comparisons"] = []
                pairs = Ledger(folder).load_table(PAIRS, key)
                return cls(
                    replace(Findings.from_dict(findings), comparisons=pair_rows(pairs), costs=costs), folder=Path(folder)
                )
            return cls(replace(Findings.from_dict(findings), costs=costs), folder=Path(folder))
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise other_version(path, error) from None

    @property
    def verdict(self) -> str:
        """Who wins, and whether that holds in the other settings."""
        return self.findings.verdict.sentence

    @cached_property
    def leaderboard(self) -> pl.DataFrame:
        """One row per setting and system: system, metric, value and interval first, then the setting and all else."""
        settings = {s.id: s for s in self.findings.settings}
        rows = []
        for row in self.findings.leaderboard:
            setting = settings[row.setting]
            first = {"system": row.system, "metric": setting.metric, "value": row.value, "low": row.low, "high": row.high}
            rows.append(
                {
                    **first,
                    "setting": setting.label,
                    **setting.choices,
                    "aggregate": setting.aggregate,
                    "undefined": setting.undefined,
                    "coverage": setting.coverage,
                    "descriptive": setting.descriptive,
                    **{_MEASURED.get(k, k): v for k, v in asdict(row).items() if k != "setting" and k not in first},
                }
            )
        return pl.DataFrame(rows, infer_schema_length=None)

    @cached_property
    def comparisons(self) -> pl.DataFrame:
        """One row per setting, test and pair of systems; tests without p-values add columns of what they give instead."""
        settings = {s.id: s for s in self.findings.settings}
        rows = []
        for row in self.findings.comparisons:
            setting = settings[row.setting]
            columns = {"setting": setting.label, "metric": setting.metric, **asdict(row), **row.figures}
            rows.append({name: value for name, value in {**columns, "setting": setting.label}.items() if name != "figures"})
        return pl.DataFrame(rows, infer_schema_length=None)

    def per_user(self) -> pl.DataFrame:
        """One row per system, protocol, fold and user."""
        if self.outcome is not None:
            return self.outcome.per_user()
        if self.folder is None:
            raise ResultsError("these results hold no values per user", hint="load them from the folder of a run")
        from heldout.experiment.reload import kept_outcome

        return kept_outcome(self.folder).per_user()

    @property
    def failed(self) -> dict[str, str]:
        """Cells of systems that failed, with the reason; such systems are left out of everything else."""
        return dict(self.findings.manifest.get("failed", {}))

    @property
    def left_out(self) -> list[str]:
        """Metrics that do not apply to some system, target or aggregation and have no value there, with the reason."""
        return [notice.message for notice in self.findings.notices if notice.code == "HO108"]

    @property
    def notices(self) -> list[str]:
        """Coded warnings about method."""
        return [f"{notice.code} {notice.title}: {notice.message}" for notice in self.findings.notices]

    @property
    def tables(self) -> Tables:
        """Every table of the page, and all settings' leaderboards and comparisons: `tables["pairs"].to_latex()`."""
        frames: Frames = {
            "all-leaderboards": ("One row per setting and system", lambda: self.leaderboard),
            "all-comparisons": ("One row per setting, test and pair of systems", lambda: self.comparisons),
        }
        return Tables(self.to_html(), frames)

    def at(self, setting: int) -> Results:
        """The same results, whose page, tables and figures begin with another setting."""

        return replace(self, findings=replace(self.findings, primary=self.findings.setting(setting).id))

    def to_polars(self) -> pl.DataFrame:
        """The leaderboard as a polars frame."""
        return self.leaderboard

    def to_pandas(self) -> Any:
        """The leaderboard as a pandas frame."""
        try:
            return self.leaderboard.to_pandas()
        except ModuleNotFoundError:
            raise MissingExtraError("pandas and pyarrow", "pandas", "a pandas frame") from None

    def to_latex(self, setting: int | Sequence[int] | None = None, *, label: str = "tab:leaderboard") -> str:
        """The leaderboard as a LaTeX table (booktabs): of the primary setting, or of those of these numbers."""
        from heldout.reports.latex.leaderboard import to_latex

        return to_latex(self.findings, setting, label=label)

    def pairs_to_latex(self, setting: int | None = None) -> str:
        """The comparisons of a setting, or of the first, as a LaTeX table (booktabs)."""
        from heldout.reports.latex.pairs import pairs_to_latex

        return pairs_to_latex(self.findings, setting)

    def to_csv(self) -> str:
        """The leaderboard as CSV for a spreadsheet, which will take no name for a formula."""
        from heldout.reports.csv_text import csv_text

        return csv_text(self.leaderboard)

    def comparisons_to_csv(self) -> str:
        """The comparisons as CSV for a spreadsheet, which will take no name for a formula."""
        from heldout.reports.csv_text import csv_text

        return csv_text(self.comparisons)

    def to_html(self) -> str:
        """The whole report as one self-contained page."""
        from heldout.reports.page.document import to_html
        from heldout.review.lint.review import lint_facts

        review = lint_facts(self.findings, self.findings.title) if "study" in self.findings.manifest else None
        return to_html(self.findings, review)

    def save(self, folder: str | Path) -> None:
        """Write facts.json, report.html and scores that are not there yet into a results folder.

        Very many comparisons (`rows.MOST_IN_JSON`) are written to comparisons.parquet instead of facts.json. A new
        folder's manifest says that it is complete once everything else is there.
        """
        from heldout.analysis.rows import MOST_IN_JSON, PAIRS, pair_frame
        from heldout.experiment.ledger import Ledger, parts_key, sealed

        listed = with_parts(self)
        findings, manifest = listed.findings, listed.findings.manifest
        ledger, key = Ledger(folder), parts_key(manifest)
        in_table = len(findings.comparisons) > MOST_IN_JSON
        measured = self.outcome.manifest if self.outcome is not None else {}  # what the run took is not among the findings
        scored = [part for part in self.outcome.parts if part.scores] if self.outcome is not None else []
        with ledger.writing():
            new = ledger.is_new_for(manifest)
            if new:
                ledger.write_manifest({**measured, **manifest, "complete": False})
            for part_key, part in zip(manifest["parts"].values(), scored, strict=True) if scored else ():
                if not ledger.has(part_key):
                    ledger.save(part_key, part)
            if in_table:
                ledger.save_table(PAIRS, pair_frame(findings.comparisons), key)
                findings = replace(findings, comparisons=())
            entries = findings.to_dict() | ({"comparisons": PAIRS} if in_table else {})
            ledger.save_text("facts.json", sealed(json.dumps(entries, ensure_ascii=False, allow_nan=False), key))
            ledger.save_text("report.html", listed.to_html())
            if new:
                ledger.write_manifest({**measured, **manifest})

    def compare(
        self,
        *,
        test: Specs | None = None,
        metrics: Metrics | None = None,
        objectives: Specs | None = None,
        aggregate: Specs | None = None,
        undefined: Specs | None = None,
        coverage: Specs | None = None,
        correction: Spec | None = None,
        level: float | None = None,
        baseline: str | None = None,
        folds: Pooling | None = None,
        group: UserGroup | None = None,
        seed: int | None = None,
    ) -> Results:
        """The same scores aggregated and compared otherwise; what is not named stays as it was."""
        from heldout.api.compare import compare

        return compare(
            self,
            test=test,
            metrics=metrics,
            objectives=objectives,
            aggregate=aggregate,
            undefined=undefined,
            coverage=coverage,
            correction=correction,
            level=level,
            baseline=baseline,
            folds=folds,
            group=group,
            seed=seed,
        )

    @property
    def plot(self) -> StudyPlots:
        """Figures by matplotlib: `plot("differences")` or `plot.differences()`; iterating gives the names."""
        from heldout.reports.figures import of_study

        return StudyPlots(of_study(self.findings), self.findings, self.to_html)

    def explore(self, *, height: int = 720) -> PageView:
        """The whole report inside a notebook, switches and all, in a frame of its own."""
        return PageView(self.to_html(), height)

    def save_plot(
        self,
        path: str | Path,
        kind: StudyFigure = "leaderboard",
        *,
        setting: int | None = None,
        test: str | None = None,
        width: float | None = None,
    ) -> None:
        """Write a figure of `plot` to a file (.pdf, .svg, .png), with fonts that publishers take."""
        save_figure(self.plot(kind, setting=setting, test=test, width=width), path)

    def _repr_html_(self) -> str:
        from heldout.reports.page.document import html_fragment

        return str(html_fragment(self.findings))

    def __repr__(self) -> str:
        from heldout.reports.terminal.screen import printed
        from heldout.reports.terminal.study import render

        return printed(render(self.findings, 100), 100)


def with_parts(results: Results) -> Results:
    """The same results, whose manifest lists every part of the scores by name and digest."""
    findings, outcome = results.findings, results.outcome
    if outcome is None or not outcome.parts or "parts" in findings.manifest:
        return results
    parts = {}
    for part in outcome.parts:
        if part.scores:
            first = part.scores[0]
            cell = (first.protocol.data, first.protocol.filter, first.protocol.split, str(first.fold), first.system)
            parts[" | ".join(cell)] = part.digest[:32]
    return replace(results, findings=replace(findings, manifest={**findings.manifest, "parts": parts}))


def _unfinished(folder: str | Path, why: str) -> ResultsError:
    return ResultsError(
        f"the run did not finish ({why})", where=str(folder), hint="run the same command again: it goes on where it stopped"
    )
