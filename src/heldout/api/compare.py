"""Aggregate and compare again the scores of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from heldout.api.results import Results
from heldout.errors import ResultsError
from heldout.experiment.gather import ANALYSED, gather


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
