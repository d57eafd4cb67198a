"""The Python interface: run a study, evaluate runs, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from heldout.errors import MissingExtraError, ResultsError, UnknownNameError
from heldout.report.facts import Facts
from heldout.report.gather import gather
from heldout.study.evaluate import evaluate_runs
from heldout.study.file import read_study, study_from
from heldout.study.ledger import Ledger, read_manifest
from heldout.study.outcome import Outcome
from heldout.study.run import Progress, run_study
from heldout.study.spec import Study


@dataclass(frozen=True, eq=False)
class Results:
    """What was found: facts to read, tables to work with, and the forms in which to show them."""

    facts: Facts
    outcome: Outcome | None = None

    @classmethod
    def load(cls, folder: str | Path) -> Results:
        """The results that a run left in a folder."""
        read_manifest(folder)
        path = Path(folder) / "facts.json"
        try:
            return cls(Facts.from_dict(json.loads(path.read_text(encoding="utf-8"))))
        except FileNotFoundError:
            raise ResultsError(
                "the run did not finish (facts.json is missing)",
                where=str(folder),
                hint="run the same study again: it goes on where it stopped",
            ) from None
        except (ValueError, KeyError, TypeError) as error:
            raise ResultsError(f"facts.json is damaged ({error})", where=str(folder), hint="run the study again") from None

    @property
    def verdict(self) -> str:
        """Who wins, and whether that holds in the other settings."""
        return self.facts.verdict.sentence

    @cached_property
    def leaderboard(self) -> pl.DataFrame:
        """One row per setting and system."""
        settings = {s.id: s for s in self.facts.settings}
        rows = []
        for row in self.facts.leaderboard:
            setting = settings[row.setting]
            rows.append(
                {
                    "setting": setting.label,
                    **setting.choices,
                    "metric": setting.metric,
                    "aggregate": setting.aggregate,
                    "coverage_rule": setting.coverage,
                    **{k: v for k, v in asdict(row).items() if k != "setting"},
                }
            )
        return pl.DataFrame(rows, infer_schema_length=None)

    @cached_property
    def comparisons(self) -> pl.DataFrame:
        """One row per setting, test and pair of systems."""
        labels = {s.id: s.label for s in self.facts.settings}
        rows = [{**asdict(row), "setting": labels[row.setting]} for row in self.facts.comparisons]
        return pl.DataFrame(rows, infer_schema_length=None)

    def per_user(self) -> pl.DataFrame:
        """One row per system, protocol, fold and user."""
        if self.outcome is None:
            raise ResultsError("values per user are in the folder's scores/*.parquet", hint="read them with polars")
        return self.outcome.per_user()

    def to_polars(self) -> pl.DataFrame:
        """The leaderboard as a polars frame."""
        return self.leaderboard

    def to_pandas(self) -> Any:
        """The leaderboard as a pandas frame."""
        try:
            return self.leaderboard.to_pandas()
        except ModuleNotFoundError:
            raise MissingExtraError("pandas and pyarrow", "pandas", "a pandas frame") from None

    def to_latex(self, **options: Any) -> str:
        """The leaderboard as a LaTeX table (booktabs)."""
        from heldout.report.latex import to_latex

        return to_latex(self.facts, **options)

    def to_html(self) -> str:
        """The whole report as one self-contained page."""
        from heldout.report.html import to_html

        return to_html(self.facts)

    def save(self, folder: str | Path) -> None:
        """Write facts.json and report.html into a results folder."""
        ledger = Ledger(folder)
        if not (Path(folder) / "manifest.json").exists():
            ledger.write_manifest(self.facts.manifest)
        ledger.write_text("facts.json", json.dumps(self.facts.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")
        ledger.write_text("report.html", self.to_html())

    def plot(self, kind: str = "leaderboard", **options: Any) -> Any:
        """A matplotlib figure: "leaderboard", "differences" or "settings"."""
        from heldout.report import plots

        kinds = {
            "leaderboard": plots.leaderboard_plot,
            "differences": plots.difference_plot,
            "settings": plots.settings_plot,
        }
        if kind not in kinds:
            raise UnknownNameError("plot", kind, kinds)
        return kinds[kind](self.facts, **options)

    def _repr_html_(self) -> str:
        from heldout.report.html import html_fragment

        return html_fragment(self.facts)

    def __repr__(self) -> str:
        from rich.console import Console

        from heldout.report.terminal import render

        console = Console(width=100, no_color=True, highlight=False)
        with console.capture() as captured:
            console.print(render(self.facts, 100))
        return captured.get()


def run(
    study: str | Path | Mapping[str, Any] | Study,
    *,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    block: int = 4096,
    progress: Progress | None = None,
) -> Results:
    """Run a study: a TOML file, its keys as a dictionary, or a Study.

    `models` adds systems of your own: name → object with `fit(train)` and `score(users)`, or a function. With `out`, results
    and the report are kept there, and a run that was stopped goes on.
    """
    if isinstance(study, Mapping):
        study = study_from(study, models=models)
    elif not isinstance(study, Study):
        study = read_study(study, models=models)
    outcome = run_study(study, out=out, threads_used=threads, block=block, progress=progress)
    if progress is not None:
        progress("comparing", 0, 0)
    results = Results(gather(study, outcome), outcome)
    if out is not None:
        results.save(out)
    return results


def evaluate(
    qrels: Any,
    runs: Mapping[str, Any],
    metrics: Sequence[Any] = ("nDCG@10",),
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Results:
    """Judge runs that any system produced: `evaluate(test, {"A": frame, "B": "b.parquet"}, ["nDCG@10"])`.

    Judgements and runs are paths, frames (polars, pandas, pyarrow, DuckDB) or tuples of arrays. Options: train, relevance,
    unrated, ties, aggregate, undefined, coverage, compare, seed, title.
    """
    if progress is not None:
        progress("reading and judging", 0, 0)
    study, outcome = evaluate_runs(qrels, runs, list(metrics), **options)
    if progress is not None:
        progress("comparing", 0, 0)
    return Results(gather(study, outcome), outcome)
