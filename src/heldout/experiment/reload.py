"""Results of an earlier run: their scores, and the analysis to aggregate and compare them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from heldout.aggregations.aggregation import Aggregation
from heldout.catalogue import make, make_all
from heldout.errors import HeldoutError, ResultsError, SpecError
from heldout.experiment.guessed_relevance import about_guess
from heldout.experiment.ledger import Ledger, read_manifest
from heldout.experiment.notices import about_scores
from heldout.experiment.outcome import Outcome
from heldout.metrics.metric import Metric
from heldout.study.analysis import DEFAULT_TITLE, Analysis, make_objectives
from heldout.study.comparison import KEYS, Comparison, make_comparison, refuse_inapplicable
from heldout.study.measures import OwnAggregations, make_measures
from heldout.study.record import recorded_study
from heldout.study.spec import DEFAULTS, KINDS_OF_STAGE

CHOICES = (*("metrics", "objectives", "aggregate", "undefined", "coverage"), *KEYS, "seed")
"""What may be chosen anew for scores that exist already."""


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


def kept_analysis(outcome: Outcome, choices: Mapping[str, Any]) -> Analysis:
    """The analysis of the run, with `choices` (see `CHOICES`) in the place of those that the run made."""
    record = outcome.manifest.get("study", {})
    aggregate, undefined, coverage = (
        _options(stage, choices.get(stage), record.get(stage)) for stage in ("aggregate", "undefined", "coverage")
    )
    metrics, own_aggregate = _metrics(outcome, choices.get("metrics"), record, aggregate)
    if choices.get("aggregate") is not None and choices.get("metrics") is None:
        own_aggregate = ()  # the new aggregation holds for all metrics
    seed = choices.get("seed")
    analysis = Analysis(
        measure=metrics,
        aggregate=aggregate,
        undefined=undefined,
        coverage=coverage,
        compare=_comparison(outcome.systems(), choices, record.get("compare", {})),
        task=str(record.get("task", "some_good_items")),
        seed=int(outcome.manifest.get("seed", 1) if seed is None else seed),
        title=str(outcome.manifest.get("title", DEFAULT_TITLE)),
        objectives=_objectives(choices.get("objectives"), record, metrics),
        own_aggregate=own_aggregate,
    )
    if len(outcome.systems()) > 1:
        targets = [make("target", text) for text in dict.fromkeys(protocol.target for protocol in outcome.protocols())]
        try:
            refuse_inapplicable(analysis.compare, analysis.all_aggregations, targets)
        except HeldoutError as error:
            raise error.within("compare") from None
    return analysis


def advise_again(analysis: Analysis, outcome: Outcome) -> Outcome:
    """The outcome with the notices that its scores call for under this analysis."""
    notices = list(about_scores(analysis, outcome))
    if "guessed" in outcome.manifest:
        protocol = recorded_study(outcome.manifest, outcome.systems())
        notices = [*about_guess(protocol, analysis.measure, outcome), *notices]
    # Tables that weigh users are read again: the manifest says which, as they are now.
    digests = {a.full_text: digest for a in analysis.all_aggregations if (digest := a.source_digest())}
    inputs = {"inputs": {**outcome.manifest.get("inputs", {}), **digests}} if digests else {}
    reasons = outcome.manifest.get("left_out", ())
    left_out = tuple(reason for reason in reasons if any(_is_about(reason, str(m)) for m in analysis.measure))
    return replace(outcome, notices=tuple(notices), manifest={**outcome.manifest, **inputs}, left_out=left_out)


def _is_about(reason: str, metric: str) -> bool:
    return reason.startswith((f"{metric} ", f"{metric}:"))


def _comparison(systems: Sequence[str], choices: Mapping[str, Any], record: Mapping[str, Any]) -> Comparison:
    table = {key: record[key] for key in KEYS if key in record}
    if table.get("baseline") not in systems:
        table["baseline"] = None  # it failed, and has no scores
    table |= {key: choices[key] for key in KEYS if choices.get(key) is not None}
    try:
        return make_comparison(table, systems)
    except HeldoutError as error:
        raise error.within("compare") from None


def _options(stage: str, choice: Any, recorded: Any) -> tuple[Any, ...]:
    value = choice if choice is not None else recorded if recorded is not None else DEFAULTS[stage]
    listed = value if isinstance(value, list | tuple) else [value]
    try:
        return tuple(dict.fromkeys(option for text in listed for option in make_all(KINDS_OF_STAGE[stage], text)))
    except HeldoutError as error:
        raise error.within(stage) from None


def _objectives(choice: Any, record: Mapping[str, Any], metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The objectives named here, or those of the run that are still among the metrics."""
    if choice is not None:
        return make_objectives(choice, metrics)
    texts = record.get("objectives", ())
    return tuple(metric for metric in metrics if metric.full_text in texts)


def _metrics(
    outcome: Outcome, choice: Any, record: Mapping[str, Any], aggregate: Sequence[Aggregation]
) -> tuple[tuple[Metric, ...], OwnAggregations]:
    """The metrics that are named here, which must be among those that were measured, and their own aggregations."""
    measured = list(dict.fromkeys(m for part in outcome.parts for scores in part.scores for m in scores.metrics))
    listed = record.get("measure", []) if choice is None else choice if isinstance(choice, list | tuple) else [choice]
    metrics, own = make_measures(listed, aggregate)
    if choice is None:  # some were left out of the run
        metrics = tuple(metric for metric in metrics if str(metric) in measured)
    for metric in metrics:
        if str(metric) not in measured:
            ranking = [text for text in measured if make("metric", text).direction != "none"]
            hint = f"measured: {', '.join(ranking)}"
            raise SpecError(f"{metric} was not measured in this run", where="measure", hint=hint)
    return metrics, tuple((metric, aggregations) for metric, aggregations in own if metric in metrics)
