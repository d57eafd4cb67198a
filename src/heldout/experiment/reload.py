"""Results that were kept, taken up again: their scores and what was asked, to aggregate and compare them anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from heldout.aggregations.aggregation import Aggregation
from heldout.catalogue import make, make_all
from heldout.data.memory import InMemory
from heldout.errors import HeldoutError, ResultsError, SpecError
from heldout.experiment.guessed_relevance import about_guess, kept_guess
from heldout.experiment.ledger import Ledger, read_manifest
from heldout.experiment.notices import about_scores
from heldout.experiment.outcome import Outcome
from heldout.metrics.metric import Metric
from heldout.study.analysis import make_objectives
from heldout.study.comparison import make_comparison, refuse_inapplicable
from heldout.study.measures import OwnAggregations, make_measures
from heldout.study.spec import Study


def kept_outcome(folder: str | Path) -> Outcome:
    """All scores of a finished run."""
    manifest = read_manifest(folder)
    if not manifest.get("complete", True):
        raise ResultsError(
            "the run did not finish", where=str(folder), hint="run the same study again: it goes on where it stopped"
        )
    parts = manifest.get("parts")
    if not isinstance(parts, Mapping) or not parts:
        raise ResultsError("no scores were kept there", where=str(folder), hint="name the folder of a run")
    ledger = Ledger(folder)
    return Outcome(tuple(ledger.load(str(key)) for key in parts.values()), manifest=manifest)


def kept_study(outcome: Outcome, asked: Mapping[str, Any]) -> Study:
    """What was asked in the run, with the choices from aggregation on replaced by those that are given here.

    `asked` may hold metrics, objectives, aggregate, undefined, coverage, tests, correction, level, baseline, folds, group
    and seed.
    """
    kept = outcome.manifest.get("study", {})
    compare = kept.get("compare", {})
    table = {key: compare[key] for key in ("tests", "correction", "level", "baseline", "folds", "group") if key in compare}
    table |= {key: asked[key] for key in table.keys() | {"folds", "group"} if asked.get(key) is not None}
    systems = outcome.systems()
    if table.get("baseline") not in (None, *systems) and asked.get("baseline") is None:
        table["baseline"] = None  # it failed, and is in no part
    made = {kind: _options(kind, asked.get(stage), kept.get(stage)) for stage, kind in _STAGES.items()}
    metrics, own = _metrics(outcome, asked.get("metrics"), kept, made["aggregation"])
    if asked.get("aggregate") is not None and asked.get("metrics") is None:
        own = ()  # what is asked for now holds for all metrics
    targets = tuple(dict.fromkeys(make("target", p.target) for p in outcome.protocols()))
    try:
        comparison = make_comparison(table, systems)
        if len(systems) > 1:
            refuse_inapplicable(comparison, [*made["aggregation"], *(a for _, found in own for a in found)], targets)
    except HeldoutError as error:
        raise error.within("compare") from None
    return Study(
        data=(InMemory(None, "kept results"),),
        filter=((),),
        users=((),),
        fallback=(make("fallback", "none"),),
        relevance=(),
        target=targets,
        unrated=(),
        ties=(),
        measure=metrics,
        aggregate=made["aggregation"],
        undefined=made["undefined"],
        coverage=made["coverage"],
        compare=comparison,
        task=str(kept.get("task", "some_good_items")),
        seed=int(asked["seed"] if asked.get("seed") is not None else outcome.manifest.get("seed", 1)),
        title=str(outcome.manifest.get("title", "Comparison of recommenders")),
        objectives=_objectives(asked.get("objectives"), kept, metrics),
        own_aggregate=own,
    )


def advise_again(study: Study, outcome: Outcome) -> Outcome:
    """The outcome with the notices that its scores call for under these choices."""
    guessed = replace(study, guess=kept_guess(outcome.manifest))
    notices = (*about_guess(guessed, outcome), *about_scores(study, outcome))
    # Tables that weigh users are read anew: the manifest says which, as they are now.
    read = {a.full_text: digest for a in study.all_aggregations if (digest := a.source_digest())}
    manifest = {**outcome.manifest, "inputs": {**outcome.manifest.get("inputs", {}), **read}} if read else outcome.manifest
    reasons = tuple(outcome.manifest.get("left_out", ()))
    told = tuple(reason for reason in reasons if any(_is_about(reason, str(metric)) for metric in study.measure))
    return Outcome(outcome.parts, outcome.data, outcome.splits, notices, manifest, left_out=told)


def _is_about(reason: str, metric: str) -> bool:
    return reason.startswith((f"{metric} ", f"{metric}:"))


_STAGES = {"aggregate": "aggregation", "undefined": "undefined", "coverage": "coverage"}


def _options(kind: str, asked: Any, kept: Any) -> tuple[Any, ...]:
    value = kept if asked is None else asked
    defaults = {"aggregation": "mean", "undefined": "zero", "coverage": "zero"}
    listed = [defaults[kind]] if value is None else value if isinstance(value, list | tuple) else [value]
    try:
        return tuple(dict.fromkeys(component for text in listed for component in make_all(kind, text)))
    except HeldoutError as error:
        raise error.within({v: k for k, v in _STAGES.items()}[kind]) from None


def _objectives(asked: Any, kept: Mapping[str, Any], metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The objectives named here, or those of the run that are still among the metrics."""
    if asked is not None:
        return make_objectives(asked, metrics)
    texts = kept.get("objectives", ())
    return tuple(m for m in metrics if m.full_text in texts)


def _metrics(
    outcome: Outcome, asked: Any, kept: Mapping[str, Any], aggregate: Sequence[Aggregation]
) -> tuple[tuple[Metric, ...], OwnAggregations]:
    """The metrics asked for, which must be among those that were measured, and their own aggregations."""
    measured = list(dict.fromkeys(m for part in outcome.parts for scores in part.scores for m in scores.metrics))
    named = kept.get("measure", []) if asked is None else asked if isinstance(asked, list | tuple) else [asked]
    made, own = make_measures(named, aggregate)
    if asked is None:  # some were left out of the run
        made = tuple(metric for metric in made if str(metric) in measured)
    for metric in made:
        if str(metric) not in measured:
            known = [m for m in measured if make("metric", m).direction != "none"]
            raise SpecError(f"{metric} was not measured in this run", where="measure", hint=f"measured: {', '.join(known)}")
    return made, tuple((metric, aggregations) for metric, aggregations in own if metric in made)
