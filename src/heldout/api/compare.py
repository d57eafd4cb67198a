"""Compare two systems by their values per user, or aggregate and compare again the scores of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import polars as pl

from heldout.analysis.paired_scores import LENGTH, USER, PairedRules, compare_user_scores
from heldout.api.arguments import several
from heldout.api.kept_results import over_results
from heldout.api.results import Results
from heldout.catalogue import make, make_all
from heldout.data.frames import is_column, narwhals_table
from heldout.errors import InputError, NotApplicableError, ResultsError, SpecError, UnknownNameError
from heldout.study.comparison import make_comparison
from heldout.words import listed

if TYPE_CHECKING:
    from heldout.api.arguments import Metrics, Pooling, Spec, Specs, UserGroup

ITEM = "item_id"
ANALYSED = (
    *("metrics", "objectives", "aggregate", "undefined", "coverage"),
    *("compare", "correction", "level", "baseline", "folds", "group"),
)
"""The stages of an analysis, which scores can go through again with other choices."""
_UNMEASURED = "measure lists first, ho.measure(qrels, lists, metrics), or compare them by ho.evaluate(qrels, runs, metrics)"


@overload
def compare(
    scores_a: str | Path | Results,
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
) -> Results: ...


@overload
def compare(
    scores_a: Any,
    scores_b: Any,
    *,
    test: Specs | None = None,
    metrics: Metrics | None = None,
    aggregate: Spec | None = None,
    undefined: Spec | None = None,
    coverage: Spec | None = None,
    level: float | None = None,
    seed: int | None = None,
) -> pl.DataFrame: ...


@over_results
def compare(
    scores_a: Any,
    scores_b: Any = None,
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
) -> Results | pl.DataFrame:
    """Compare two systems user by user, `compare(scores_a, scores_b)`, or those of a results folder, `compare("results")`.

    **Two systems**: a row for every metric and test, with difference a − b, its interval (`low`, `high`), effect size
    (Cohen's d of the differences) and p. Scores are frames of `measure`, `Results` of one system, arrays of a value per user
    in the same order, or dicts of metrics by user as pytrec_eval gives them; both systems must have the same users. p is
    not corrected for the number of metrics.

    **A results folder, or `Results`**: its systems aggregated and compared again, as `heldout compare` does; nothing is
    fitted or scored anew, and what is not named stays as in the run.

    - `test`: significance tests; the permutation test of two systems if not given.
    - `metrics`: only these; of two systems, those that both were measured by if not given.
    - `aggregate`, `undefined`, `coverage`: how users become one number, and what an undefined value and a user without a
      list count as; of two systems, mean, zero and zero if not given.
    - `level`: the level of significance, 0.05 if not given.
    - Of a folder alone: `objectives` are descriptive metrics to compare by all the same, `correction` is that for many
      comparisons, `baseline` the one system that others are compared with, `folds` "average" or "pooled", `group`
      "evaluation", "development" or "all" users.
    """
    of_folder: dict[str, Any] = {"objectives": objectives, "correction": correction, "baseline": baseline}
    of_folder |= {"folds": folds, "group": group}
    if scores_b is None:
        if not isinstance(scores_a, str | Path | Results):
            raise SpecError(
                "there is nothing to compare with",
                where="scores_b",
                hint="write compare(scores_a, scores_b), two systems one after the other, or name a results folder alone; "
                "several systems at once: ho.evaluate(qrels, runs, metrics)",
            )
        shared = {"metrics": metrics, "aggregate": aggregate, "undefined": undefined, "coverage": coverage}
        return compare_again(scores_a, {**shared, **of_folder, "tests": test, "level": level, "seed": seed})
    needless = [name for name, value in of_folder.items() if value is not None]
    if needless:
        raise SpecError("two systems alone have no such option", where=needless[0], hint="leave it out")
    a, b = _user_frame(scores_a, "scores_a"), _user_frame(scores_b, "scores_b")
    comparison = make_comparison(
        {"tests": "permutation" if test is None else test, "level": 0.05 if level is None else level}, None
    )
    if not comparison.tests:
        raise SpecError("no test is named", where="test", hint='such as test="permutation"')
    rules = PairedRules(
        tests=comparison.tests,
        aggregation=make("aggregation", aggregate or "mean"),
        undefined=make("undefined", undefined or "zero"),
        coverage=make("coverage", coverage or "zero"),
        level=comparison.level,
        seed=1 if seed is None else seed,
    )
    return compare_user_scores(a, b, _common_metrics(a, b, metrics), rules)


def _common_metrics(a: pl.DataFrame, b: pl.DataFrame, wanted: Metrics | None) -> list[str]:
    """The metrics that both systems were measured by, or those that are named."""
    own_a, own_b = ([c for c in frame.columns if c not in (USER, LENGTH)] for frame in (a, b))
    if wanted is not None:
        common = [c for c in own_a if c in own_b]
        return [name for metric in several(wanted) for name in _names_of(metric, common)]
    if set(own_a) != set(own_b):
        alone = [c for c in [*own_a, *own_b] if (c in own_a) != (c in own_b)]
        raise InputError(
            f"{listed(alone)} was measured of one system alone",
            hint="measure both by the same metrics, or name some: metrics=…",
        )
    return own_a


def _names_of(metric: Any, columns: Sequence[str]) -> list[str]:
    """The columns of a metric, by the name of the column or by any spelling of the metric."""
    names = [metric] if metric in columns else [str(spelt) for spelt in make_all("metric", metric)]
    missing = [name for name in names if name not in columns]
    if missing:
        raise UnknownNameError("metric of both systems", missing[0], columns)
    return names


def _user_frame(scores: Any, place: str) -> pl.DataFrame:
    """Values per user as a frame of `user_id`, metrics and perhaps `length`."""
    if isinstance(scores, Results):
        return _frame_of_results(scores, place)
    if isinstance(scores, Mapping):
        if not scores or not all(isinstance(values, Mapping) for values in scores.values()):
            raise InputError("a dict of scores holds for each user a dict of values by metric", file=place)
        if any(values.keys() != next(iter(scores.values())).keys() for values in scores.values()):
            raise InputError("users have values by different names, as in a run or qrels", file=place, hint=_UNMEASURED)
        return pl.DataFrame([{USER: user, **values} for user, values in scores.items()])
    if isinstance(scores, list | tuple | np.ndarray) or is_column(scores):
        values = np.asarray(scores)
        if values.ndim != 1 or values.dtype.kind not in "fiub" or not len(values):
            raise InputError(
                f"an array of {values.dtype} and shape {values.shape}; a number per user is expected", file=place
            )
        return pl.DataFrame({USER: np.arange(len(values)), "value": values.astype(np.float64)})
    return _frame_of_table(scores, place)


def _frame_of_table(table: Any, place: str) -> pl.DataFrame:
    try:
        frame = pl.DataFrame(narwhals_table(table, place, eager_only=True).to_polars())
    except TypeError:
        raise InputError(
            f"scores of type {type(table).__name__}",
            file=place,
            hint="give a frame of ho.measure, Results of one system, or an array",
        ) from None
    if USER not in frame.columns:
        raise InputError(f"there is no column {USER}; found {', '.join(frame.columns)}", file=place)
    if ITEM in frame.columns:
        raise InputError(f"there is a column {ITEM}, as in lists", file=place, hint=_UNMEASURED)
    texts = [name for name, dtype in frame.schema.items() if name != USER and not dtype.is_numeric() and dtype != pl.Null]
    if texts:
        raise InputError("values that are no numbers", file=place, column=texts[0], hint="keep user_id, metrics and length")
    if len(frame.columns) == (2 if LENGTH in frame.columns else 1):
        raise InputError("there is no column of a metric", file=place)
    return frame


def _frame_of_results(results: Results, place: str) -> pl.DataFrame:
    per_user = results.per_user()
    systems = per_user["system"].unique(maintain_order=True).to_list()
    if len(systems) > 1:
        raise NotApplicableError(
            f"these results have {len(systems)} systems, which they compare themselves",
            where=place,
            hint='read results.comparisons, or compare them otherwise: results.compare(test="wilcoxon")',
        )
    if per_user[USER].n_unique() < len(per_user):
        raise NotApplicableError("users are measured more than once (folds or settings)", where=place)
    metrics = dict.fromkeys(setting.metric for setting in results.findings.settings)
    return per_user.select(USER, *metrics, LENGTH)


def compare_again(results: str | Path | Results, choices: Mapping[str, Any]) -> Results:
    """Results, or those of a folder, aggregated and compared under other choices; a choice of None stays as it was."""
    from heldout.experiment.reload import advise_again, kept_analysis, kept_outcome

    before = results.findings if isinstance(results, Results) else Results.load(results).findings
    if isinstance(results, Results) and results.outcome is not None:
        outcome = results.outcome
    else:
        folder = results.folder if isinstance(results, Results) else results
        if folder is None:
            raise ResultsError("these results hold no values per user", hint="load them from the folder of the run")
        outcome = kept_outcome(folder)
    analysis = kept_analysis(outcome, choices)
    protocol = [choice for choice in before.choices if choice.stage not in ANALYSED]
    findings = advise_again(analysis, outcome).findings(analysis, protocol)
    details = replace(findings.details, data=before.details.data)
    return Results(replace(findings, details=details, splits=before.splits, costs=before.costs), outcome)
