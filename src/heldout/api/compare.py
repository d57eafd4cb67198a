"""Aggregate and compare the scores of a run again, or two systems by their values per user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from heldout.analysis.findings import Findings
from heldout.analysis.paired_scores import LENGTH, USER, PairedRules, compare_user_scores
from heldout.api.arguments import moved, several
from heldout.api.kept_results import over_results
from heldout.api.kinds.study import study_results, study_scores_of
from heldout.api.load import load_kind
from heldout.api.results import Results, require_kind
from heldout.catalogue import make, make_all
from heldout.data.frames import is_column, narwhals_table
from heldout.errors import InputError, NotApplicableError, SpecError, UnknownNameError
from heldout.study.comparison import COMPARE_KEYS, make_comparison

if TYPE_CHECKING:
    from heldout.api.arguments import Comparison, Metrics, Spec, Specs

ITEM = "item_id"
ANALYSED = (
    *("metrics", "objectives", "aggregate", "undefined", "coverage"),
    *("compare", "correction", "level", "baseline", "folds", "group"),
)
"""The stages of an analysis, which scores can go through again with other choices."""
_UNMEASURED = "measure lists first, ho.measure(qrels, lists, metrics), or compare them by ho.evaluate(qrels, runs, metrics)"


_IN_TABLE = 'ho.compare(results, {"%s": …}), as in the table compare of a study'
_OF_TWO_SYSTEMS = ("tests", "level")
"""Keys of the table `compare` that mean something if there are only two systems."""


_OF_USERS = "ho.compare_users(scores_a, scores_b)"


@moved(
    scores_a=_OF_USERS,
    scores_b=_OF_USERS,
    test='ho.compare(results, "wilcoxon"), or ho.compare(results, {"tests": "wilcoxon", "level": 0.01})',
    tests=_IN_TABLE % "tests",
    correction=_IN_TABLE % "correction",
    level=_IN_TABLE % "level",
    baseline=_IN_TABLE % "baseline",
    folds=_IN_TABLE % "folds",
    group=_IN_TABLE % "group",
)
@over_results
def compare(
    results: str | Path | Results[Findings],
    compare: Comparison | None = None,
    *,
    metrics: Metrics | None = None,
    objectives: Specs | None = None,
    aggregate: Specs | None = None,
    undefined: Specs | None = None,
    coverage: Specs | None = None,
    seed: int | None = None,
) -> Results[Findings]:
    """Aggregate and compare the systems of a results folder, or of `Results`, again: `compare("results", "wilcoxon")`.

    Nothing is fitted or scored again, and whatever is not given stays as in the run. Two systems by values per user, such
    as frames of `measure`, are compared by `compare_users`; runs by `evaluate`.

    - `compare`: significance tests, or the table of a study: `{"tests": ["t", "wilcoxon"], "correction": "holm",
      "level": 0.05, "baseline": "A", "folds": "average", "group": "evaluation"}`.
    - `metrics`: only these.
    - `objectives`: descriptive metrics, such as `ILD@10`, to compare by all the same.
    - `aggregate`, `undefined`, `coverage`: how users become one number, and what an undefined value and a user without a
      list count as.
    """
    if not isinstance(results, str | Path | Results) or isinstance(compare, Results):
        wrong = results if not isinstance(results, str | Path | Results) else compare
        raise SpecError(
            f"found a {type(wrong).__name__}, expected one results folder or Results, and how to compare its systems",
            where="compare",
            hint="two systems by values per user: ho.compare_users(scores_a, scores_b); several systems: "
            "ho.evaluate(qrels, runs, metrics)",
        )
    table = compare if isinstance(compare, Mapping) else {"tests": compare}
    unknown = next((key for key in table if key not in COMPARE_KEYS), None)
    if unknown is not None:
        raise UnknownNameError("key", str(unknown), COMPARE_KEYS, where="compare")
    others = {"metrics": metrics, "objectives": objectives, "aggregate": aggregate, "undefined": undefined}
    return _compared_again(results, {**others, "coverage": coverage, "seed": seed, **table})


def compare_users(
    scores_a: Any,
    scores_b: Any,
    compare: Comparison = "permutation",
    *,
    metrics: Metrics | None = None,
    aggregate: Spec = "mean",
    undefined: Spec = "zero",
    coverage: Spec = "zero",
    seed: int = 1,
) -> pl.DataFrame:
    """Compare two systems user by user: `compare_users(scores_a, scores_b, "wilcoxon")`.

    One row for every metric and test, with difference a − b, its interval (`low`, `high`), effect size (Cohen's d of the
    differences) and p, which is not corrected for the number of metrics. Scores are frames of `measure`, `Results` of one
    system, arrays of a value per user in the same order, or dicts of metrics by user as pytrec_eval gives them. Both
    systems must have the same users.

    - `compare`: significance tests, or a table with the keys `tests` and `level` (0.05 if not given).
    - `metrics`: only these; if not given, those that both were measured by.
    - `aggregate`, `undefined`, `coverage`: how users become one number, and what an undefined value (null) and a user
      without a list count as. `measure` gives null only with `undefined="skip"`, apart from errors, AUC and UROC.
    """
    table = {"tests": "permutation", **compare} if isinstance(compare, Mapping) else {"tests": compare}
    unused = next((key for key in table if key in COMPARE_KEYS and key not in _OF_TWO_SYSTEMS), None)
    if unused is not None:
        raise SpecError("two systems have no such option", where=f"compare.{unused}", hint="leave it out")
    a, b = _user_frame(scores_a, "scores_a"), _user_frame(scores_b, "scores_b")
    comparison = make_comparison(table, None)
    if not comparison.tests:
        raise SpecError("no test is named", where="compare", hint='such as compare="permutation"')
    rules = PairedRules(
        tests=comparison.tests,
        aggregation=make("aggregation", aggregate),
        undefined=make("undefined", undefined),
        coverage=make("coverage", coverage),
        level=comparison.level,
        seed=seed,
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
            "only one system was measured by these metrics",
            found=alone,
            hint="measure both by the same metrics, or name some: metrics=…",
        ).within("metrics")
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
        return _frame_of_results(require_kind(scores, Findings), place)
    if isinstance(scores, Mapping):
        if not scores or not all(isinstance(values, Mapping) for values in scores.values()):
            raise InputError("a dict of scores holds for each user a dict of values by metric", file=place)
        if any(values.keys() != next(iter(scores.values())).keys() for values in scores.values()):
            raise InputError(
                "users have values by different names, as in a run or qrels",
                file=place,
                expected="the same metrics for each user",
                hint=_UNMEASURED,
            )
        return pl.DataFrame([{USER: user, **values} for user, values in scores.items()])
    if isinstance(scores, list | tuple | np.ndarray) or is_column(scores):
        values = np.asarray(scores)
        if values.ndim != 1 or values.dtype.kind not in "fiub" or not len(values):
            raise InputError(
                file=place,
                found=f"an array of {values.dtype} and shape {values.shape}",
                expected="a number for each user",
            )
        return pl.DataFrame({USER: np.arange(len(values)), "value": values.astype(np.float64)})
    return _frame_of_table(scores, place)


def _frame_of_table(table: Any, place: str) -> pl.DataFrame:
    try:
        frame = pl.DataFrame(narwhals_table(table, place, eager_only=True).to_polars())
    except TypeError:
        raise InputError(
            file=place,
            found=type(table).__name__,
            expected="scores",
            hint="give a frame of ho.measure, Results of one system, or an array",
        ) from None
    if USER not in frame.columns:
        raise InputError("there is no such column", file=place, column=USER, found=frame.columns)
    if ITEM in frame.columns:
        raise InputError("these are lists", file=place, column=ITEM, expected="values of metrics", hint=_UNMEASURED)
    texts = [name for name, dtype in frame.schema.items() if name != USER and not dtype.is_numeric() and dtype != pl.Null]
    if texts:
        raise InputError("values that are no numbers", file=place, column=texts[0], hint="keep user_id, metrics and length")
    if len(frame.columns) == (2 if LENGTH in frame.columns else 1):
        raise InputError("there is no column of a metric", file=place)
    return frame


def _frame_of_results(results: Results[Findings], place: str) -> pl.DataFrame:
    per_user = results.per_user()
    systems = per_user["system"].unique(maintain_order=True).to_list()
    if len(systems) > 1:
        raise NotApplicableError(
            "these results compare their systems themselves",
            where=place,
            found=systems,
            expected="one system",
            hint='read results.tables["all-comparisons"], or compare them otherwise: ho.compare(results, "wilcoxon")',
        )
    if per_user[USER].n_unique() < len(per_user):
        raise NotApplicableError("users are measured more than once (folds or settings)", where=place)
    metrics = dict.fromkeys(setting.metric for setting in results.findings.settings)
    return per_user.select(USER, *metrics, LENGTH)


def _compared_again(subject: str | Path | Results[Findings], choices: Mapping[str, Any]) -> Results[Findings]:
    """Results, or those of a folder, aggregated and compared under other choices; a choice of None stays as it was."""
    from heldout.experiment.study_scores import advise_again, kept_analysis

    results = load_kind(subject, Findings)
    before, study_scores = results.findings, study_scores_of(results)
    analysis = kept_analysis(study_scores, choices)
    findings = advise_again(analysis, study_scores).findings(
        analysis, lambda: [choice for choice in before.choices if choice.stage not in ANALYSED]
    )
    details = replace(findings.details, data=before.details.data)
    return study_results(replace(findings, details=details, splits=before.splits, costs=before.costs), study_scores)
