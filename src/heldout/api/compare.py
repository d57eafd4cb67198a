"""Compare two systems by their values per user, or aggregate and compare again the scores of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from heldout.analysis.paired_scores import LENGTH, USER, PairedRules, compare_user_scores
from heldout.api.results import Results
from heldout.catalogue import make
from heldout.errors import InputError, NotApplicableError, ResultsError, SpecError, UnknownNameError
from heldout.experiment.gather import ANALYSED, gather
from heldout.study.comparison import make_comparison
from heldout.words import listed

if TYPE_CHECKING:
    from heldout.api.arguments import Metrics, Spec, Specs


def compare(
    scores_a: Any,
    scores_b: Any = None,
    *,
    test: Specs = "permutation",
    metric: str | None = None,
    aggregate: Spec = "mean",
    undefined: Spec = "zero",
    coverage: Spec = "zero",
    level: float = 0.05,
    seed: int = 1,
) -> pl.DataFrame:
    """Compare two systems user by user: a row for every metric, with difference a − b, its interval, effect size and p.

    Scores are frames of `measure`, `Results` of one system, arrays of a value per user in the same order, or dicts of
    metrics by user as pytrec_eval gives them. Both systems must have the same users. `test` is a significance test or a
    list of them; p is not corrected for the number of metrics. `low` and `high` end the interval of 1 − `level`, `effect` is
    Cohen's d of the differences.
    """
    if scores_b is None:
        raise SpecError(
            "there is one system to compare",
            where="scores_b",
            hint="give the scores of a second one, or compare all systems of a folder: ho.compare_results(folder)",
        )
    a, b = _user_frame(scores_a, "scores_a"), _user_frame(scores_b, "scores_b")
    metrics = _common_metrics(a, b, metric)
    comparison = make_comparison({"tests": test, "level": level}, None)
    if not comparison.tests:
        raise SpecError("no test is named", where="test", hint='such as test="permutation"')
    rules = PairedRules(
        tests=comparison.tests,
        aggregation=make("aggregation", aggregate),
        undefined=make("undefined", undefined),
        coverage=make("coverage", coverage),
        level=comparison.level,
        seed=seed,
    )
    return compare_user_scores(a, b, metrics, rules)


def _common_metrics(a: pl.DataFrame, b: pl.DataFrame, metric: str | None) -> list[str]:
    """The metrics that both systems were measured by, or the one that is named."""
    own_a, own_b = ([c for c in frame.columns if c not in (USER, LENGTH)] for frame in (a, b))
    if metric is not None:
        names = (metric, str(make("metric", metric))) if metric not in own_a else (metric,)
        for name in names:
            if name in own_a and name in own_b:
                return [name]
        raise UnknownNameError("metric of both systems", metric, [c for c in own_a if c in own_b])
    if set(own_a) != set(own_b):
        alone = [c for c in [*own_a, *own_b] if (c in own_a) != (c in own_b)]
        raise InputError(
            f"{listed(alone)} was measured of one system alone",
            hint="measure both by the same metrics, or name one: metric=…",
        )
    return own_a


def _user_frame(scores: Any, place: str) -> pl.DataFrame:
    """Values per user as a frame of `user_id`, metrics and perhaps `length`."""
    if isinstance(scores, Results):
        return _frame_of_results(scores, place)
    if isinstance(scores, Mapping):
        if not scores or not all(isinstance(values, Mapping) for values in scores.values()):
            raise InputError("a dict of scores holds for each user a dict of values by metric", file=place)
        return pl.DataFrame([{USER: user, **values} for user, values in scores.items()])
    if isinstance(scores, list | tuple | np.ndarray | pl.Series):
        values = np.asarray(scores)
        if values.ndim != 1 or values.dtype.kind not in "fiub" or not len(values):
            raise InputError(
                f"an array of {values.dtype} and shape {values.shape}; a number per user is expected", file=place
            )
        return pl.DataFrame({USER: np.arange(len(values)), "value": values.astype(np.float64)})
    return _frame_of_table(scores, place)


def _frame_of_table(table: Any, place: str) -> pl.DataFrame:
    import narwhals as nw

    try:
        frame = pl.DataFrame(nw.from_native(table, eager_only=True).to_polars())
    except TypeError:
        raise InputError(
            f"scores of type {type(table).__name__}",
            file=place,
            hint="give a frame of ho.measure, Results of one system, or an array",
        ) from None
    if USER not in frame.columns:
        raise InputError(f"there is no column {USER}; found {', '.join(frame.columns)}", file=place)
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
            hint='read results.comparisons, or compare them otherwise: results.compare(tests="wilcoxon")',
        )
    if per_user[USER].n_unique() < len(per_user):
        raise NotApplicableError("users are measured more than once (folds or settings)", where=place)
    metrics = dict.fromkeys(setting.metric for setting in results.facts.settings)
    return per_user.select(USER, *metrics, LENGTH)


def compare_results(
    results: str | Path | Results,
    *,
    metrics: Metrics | None = None,
    objectives: Specs | None = None,
    aggregate: Specs | None = None,
    undefined: Specs | None = None,
    coverage: Specs | None = None,
    tests: Specs | None = None,
    correction: Spec | None = None,
    level: float | None = None,
    baseline: str | None = None,
    folds: str | None = None,
    group: str | None = None,
    seed: int | None = None,
) -> Results:
    """Aggregate and compare again what a run left in a folder, or what it gave: nothing is fitted or scored anew.

    What is not named stays as in the run. `folds` is "average" or "pooled", `group` "evaluation", "development" or "all".
    """
    from heldout.experiment.reload import advise_again, kept_analysis, kept_outcome

    choices = {
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
    analysis = kept_analysis(outcome, choices)
    protocol = [choice for choice in before.choices if choice.stage not in ANALYSED]
    facts = gather(analysis, advise_again(analysis, outcome), protocol)
    return Results(replace(facts, data=before.data, splits=before.splits), outcome)
