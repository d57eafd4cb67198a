"""The Python interface: run a study, evaluate runs, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from heldout.analysis.facts import Facts
from heldout.errors import MissingExtraError, ResultsError, UnknownNameError
from heldout.experiment.evaluate import OPTIONS, evaluate_runs
from heldout.experiment.gather import COMPARED, gather
from heldout.experiment.outcome import Outcome
from heldout.study.spec import PRIMARY_METRIC, Study

if TYPE_CHECKING:
    from heldout.experiment.run import Progress
    from heldout.study.tuned import Tuned

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
    """What was found: facts to read, tables to work with, and the forms in which to show them."""

    facts: Facts
    outcome: Outcome | None = None
    folder: Path | None = None
    """Where they were loaded from."""

    @classmethod
    def load(cls, folder: str | Path) -> Results:
        """The results that a run left in a folder."""
        from heldout.experiment.ledger import other_version, parts_key, read_manifest, read_sealed

        manifest = read_manifest(folder)
        if manifest.get("kind") == "multiverse":
            raise ResultsError(
                "these are the results of a multiverse", where=str(folder), hint="load them by MultiverseResults.load"
            )
        path = Path(folder) / "facts.json"
        try:
            facts, key = read_sealed(path)
        except FileNotFoundError:
            raise _unfinished(folder, "facts.json is missing") from None
        if not manifest.get("complete", True) or key != parts_key(manifest):
            raise _unfinished(folder, "facts.json is of an earlier one")
        try:
            return cls(Facts.from_dict(facts), folder=Path(folder))
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise other_version(path, error) from None

    @property
    def verdict(self) -> str:
        """Who wins, and whether that holds in the other settings."""
        return self.facts.verdict.sentence

    @cached_property
    def leaderboard(self) -> pl.DataFrame:
        """One row per setting and system: the choices of the setting under their stage words, then what was measured."""
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
                    "undefined": setting.undefined,
                    "coverage": setting.coverage,
                    "descriptive": setting.descriptive,
                    **{_MEASURED.get(k, k): v for k, v in asdict(row).items() if k != "setting"},
                }
            )
        return pl.DataFrame(rows, infer_schema_length=None)

    @cached_property
    def comparisons(self) -> pl.DataFrame:
        """One row per setting, test and pair of systems; tests without p-values add columns of what they give instead."""
        settings = {s.id: s for s in self.facts.settings}
        rows = []
        for row in self.facts.comparisons:
            setting = settings[row.setting]
            columns = {"setting": setting.label, "metric": setting.metric, **asdict(row), **row.figures}
            rows.append({name: value for name, value in {**columns, "setting": setting.label}.items() if name != "figures"})
        return pl.DataFrame(rows, infer_schema_length=None)

    def per_user(self) -> pl.DataFrame:
        """One row per system, protocol, fold and user."""
        if self.outcome is not None:
            return self.outcome.per_user()
        parts = self.facts.manifest.get("parts")
        if self.folder is None or not parts:
            raise ResultsError("these results hold no values per user", hint="load them from the folder of a run")
        from heldout.experiment.ledger import Ledger

        ledger = Ledger(self.folder)
        return Outcome(tuple(ledger.load(key) for key in parts.values())).per_user()

    @property
    def failed(self) -> dict[str, str]:
        """Cells of systems that failed, with the reason; such systems are left out of everything else."""
        return dict(self.facts.manifest.get("failed", {}))

    @property
    def left_out(self) -> list[str]:
        """Metrics that do not apply to some system, target or aggregation and have no value there, with the reason."""
        return [notice.message for notice in self.facts.notices if notice.code == "HO108"]

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
        from heldout.reports.latex.leaderboard import to_latex

        return to_latex(self.facts, **options)

    def to_html(self) -> str:
        """The whole report as one self-contained page."""
        from heldout.reports.page.document import to_html

        return to_html(self.facts)

    def save(self, folder: str | Path) -> None:
        """Write facts.json and report.html into a results folder."""
        from heldout.experiment.ledger import Ledger, parts_key, sealed

        ledger = Ledger(folder)
        with ledger.writing():
            if not (Path(folder) / "manifest.json").exists():
                ledger.write_manifest(self.facts.manifest)
            facts = json.dumps(self.facts.to_dict(), ensure_ascii=False, allow_nan=False)
            ledger.save_text("facts.json", sealed(facts, parts_key(self.facts.manifest)))
            ledger.save_text("report.html", self.to_html())

    def compare(self, **choices: Any) -> Results:
        """The same scores aggregated and compared otherwise: the choices of `compare_results`."""
        return compare_results(self, **choices)

    def plot(self, kind: str = "leaderboard", **options: Any) -> Any:
        """A matplotlib figure: "leaderboard", "differences", "settings", "critical_difference" or "curve"."""
        from heldout.reports.plots import study as plots
        from heldout.reports.plots.critical_difference import critical_difference_plot
        from heldout.reports.plots.curves import curve_plot

        kinds = {
            "leaderboard": plots.leaderboard_plot,
            "differences": plots.difference_plot,
            "settings": plots.settings_plot,
            "critical_difference": critical_difference_plot,
            "curve": curve_plot,
        }
        if kind not in kinds:
            raise UnknownNameError("plot", kind, kinds)
        return kinds[kind](self.facts, **options)

    def _repr_html_(self) -> str:
        from heldout.reports.page.document import html_fragment

        return html_fragment(self.facts)

    def __repr__(self) -> str:
        from heldout.reports.terminal.screen import printed
        from heldout.reports.terminal.study import render

        return printed(render(self.facts, 100), 100)


def _unfinished(folder: str | Path, why: str) -> ResultsError:
    return ResultsError(
        f"the run did not finish ({why})", where=str(folder), hint="run the same study again: it goes on where it stopped"
    )


def run(
    study: str | Path | Mapping[str, Any] | Study,
    *,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    block: int = 4096,
    progress: Progress | None = None,
    engine: str | None = None,
    workers: int | None = None,
    notify: Callable[[str], None] | None = None,
) -> Results:
    """Run a study: a TOML file, its keys as a dictionary, or a Study.

    `models` adds systems of your own: name → object with `fit(train)` and `score(users)`, or a function. With `out`, results
    and the report are kept there, and a run that was stopped goes on. `engine="processes"` fits systems side by side in
    `workers` processes. A system that fails is left out, and `Results.failed` says why; so is a metric where it does not
    apply, and `Results.left_out` says why. `notify` is told of the latter before anything is fitted.
    """
    from heldout.experiment.failure import remaining
    from heldout.experiment.ledger import Ledger
    from heldout.experiment.reuse import lasting
    from heldout.experiment.run import run_study
    from heldout.study.file import read_study, study_from

    if isinstance(study, Mapping):
        study = study_from(study, models=models)
    elif not isinstance(study, Study):
        study = read_study(study, models=models)
    options: dict[str, Any] = {"block": block, "progress": progress, "engine": engine, "workers": workers}
    options["notify"] = notify
    with Ledger(out).writing() if out is not None else nullcontext():
        outcome = run_study(study, out=out, threads_used=threads, **options)
        if progress is not None:
            progress("comparing", 0, 0)
        left = remaining(study.with_guess(outcome.guess), [failure.system for failure in outcome.failures])
        results = Results(gather(left, replace(outcome, manifest=lasting(outcome.manifest))), outcome)
        if out is not None:
            results.save(out)
    return results


def evaluate(
    qrels: Any,
    runs: Any,
    metrics: str | Sequence[Any] = (PRIMARY_METRIC,),
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Results:
    """Judge runs that any system produced: `evaluate(test, {"A": frame, "B": "b.parquet"}, ["P@10", "RR"])`.

    Judgements and runs are paths, frames (polars, pandas, pyarrow, DuckDB), tuples of arrays, dicts by user such as
    `{"u": {"x": 0.9}}` or `{"u": ["x", "y"]}`, or sparse matrices; `runs` may be a single one. Options: train, relevance,
    unrated, ties, aggregate, undefined, coverage, compare, objectives, seed, title; `scores` says what the runs' scores are
    ("order", "comparable" across users, or "ratings"), and `items` is a table of items for metrics that look at features.
    Where no metric is named it is `nDCG(gain=binary)@10`, as in `run` and `tune`; a written `nDCG@10` takes ratings as
    gains, as trec_eval does.
    """
    if progress is not None:
        progress("reading and judging", 0, 0)
    unknown = set(options) - set(OPTIONS)
    if unknown:
        raise UnknownNameError("option of evaluate", min(unknown), OPTIONS)
    study, outcome = evaluate_runs(qrels, runs, [metrics] if isinstance(metrics, str) else list(metrics), **options)
    if progress is not None:
        progress("comparing", 0, 0)
    return Results(gather(study, outcome), outcome)


def compare_results(
    results: str | Path | Results,
    *,
    metrics: Any = None,
    objectives: Any = None,
    aggregate: Any = None,
    undefined: Any = None,
    coverage: Any = None,
    tests: Any = None,
    correction: Any = None,
    level: float | None = None,
    baseline: str | None = None,
    folds: str | None = None,
    group: str | None = None,
    seed: int | None = None,
) -> Results:
    """Aggregate and compare again what a run left in a folder, or what it gave: nothing is fitted or scored anew.

    What is not named stays as in the run. `folds` is "average" or "pooled", `group` "evaluation", "development" or "all".
    """
    from heldout.experiment.reload import advise_again, kept_outcome, kept_study

    asked = {
        "metrics": metrics,
        "objectives": objectives,
        "aggregate": aggregate,
        "undefined": undefined,
        "coverage": coverage,
        "tests": tests,
        "correction": correction,
        "level": level,
        "baseline": baseline,
        "folds": folds,
        "group": group,
        "seed": seed,
    }
    before = results.facts if isinstance(results, Results) else Results.load(results).facts
    if isinstance(results, Results) and results.outcome is not None:
        outcome = results.outcome
    else:
        folder = results.folder if isinstance(results, Results) else results
        if folder is None:
            raise ResultsError("these results hold no values per user", hint="load them from the folder of the run")
        outcome = kept_outcome(folder)
    study = kept_study(outcome, asked)
    facts = gather(study, advise_again(study, outcome))
    anew = (*(c for c in before.choices if c.stage not in COMPARED), *(c for c in facts.choices if c.stage in COMPARED))
    facts = replace(facts, task=before.task, choices=anew, data=before.data, splits=before.splits)
    return Results(facts, outcome)


def power(
    results: str | Path | Results,
    effect: float,
    *,
    metric: Any = None,
    power: float = 0.8,
    level: float = 0.05,
    baseline: str | None = None,
) -> pl.DataFrame:
    """How many users a paired t test needs to find a difference of `effect`, pair by pair, from results at hand.

    One row per pair, in the first setting of the metric, which is named: the standard deviation of users' differences, the
    users needed, the users at hand and their power.
    """
    from heldout.significance.power import power_of, users_needed

    asked = None if metric is None else [metric]
    found = compare_results(results, metrics=asked, aggregate="mean", tests="t", correction="none", baseline=baseline)
    first = found.facts.settings[0]
    rows = []
    for pair in (p for p in found.facts.comparisons if p.setting == first.id):
        if not pair.effect:
            continue  # no user differs, or all by the same: there is nothing to plan with
        deviation = abs(pair.difference / pair.effect)
        rows.append(
            {
                "metric": first.metric,
                **{stage: first.choices.get(stage, "") for stage in ("split", "relevance", "target")},
                "a": pair.a,
                "b": pair.b,
                "deviation": deviation,
                "users_needed": users_needed(effect, deviation=deviation, power=power, level=level),
                "users": pair.users,
                "power": power_of(pair.users, effect, deviation=deviation, level=level),
            }
        )
    if not rows:
        raise ResultsError("no two systems differ in these results, so nothing is known of how differences spread")
    return pl.DataFrame(rows)


def tune(study: str | Path | Mapping[str, Any] | Study, model: Any, *, threads: int | None = None, **options: Any) -> Tuned:
    """Search for the parameters of a model under a study's protocol, on validation ratings carved out of train.

    `tune({"data": "ratings.csv", "split": "ratio(train=0.8)"}, "SLIM", metric="Recall@10", trials=30, out="tuned/slim")`.
    Options: metric, trials, ranges, validation, fold, out, progress; see `heldout.experiment.tune.tune`.
    """
    from heldout.experiment.tune import tune as search
    from heldout.study.file import read_keys, study_from

    if not isinstance(study, Study):
        folder = None if isinstance(study, Mapping) else Path(study).parent
        keys = dict(study) if isinstance(study, Mapping) else read_keys(study)
        # What the study compares is not what is tuned: its systems are left aside.
        study = study_from({**keys, "recommend": ["Random"], "compare": None}, folder=folder)
    return search(study, model, threads_used=threads, **options)


def recommendations(
    model: Any, data: Any, *, top: int = 100, out: str | Path | None = None, threads: int | None = None, **options: Any
) -> pl.DataFrame:
    """The best items of every user by a model: columns user_id, item_id, rank and score; with `out`, written there too.

    `model` is a text form, a recommender or a model of your own. Options: split, filters, fold, seed, progress.
    """
    from heldout.data.run_files import format_of, frame_of, write_run
    from heldout.experiment.recommend import recommend

    if out is not None:
        format_of(out)
    run = recommend(model, data, top=top, threads_used=threads, **options)
    if out is not None:
        write_run(run, out, tag=run.source)
    return frame_of(run)
