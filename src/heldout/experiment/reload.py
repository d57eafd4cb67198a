"""Results of an earlier run: their scores, and the analysis to aggregate and compare them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from heldout.catalogue import make
from heldout.errors import ResultsError, SpecError
from heldout.experiment.guessed_relevance import about_guess
from heldout.experiment.ledger import Ledger, read_manifest
from heldout.experiment.notices import about_scores
from heldout.experiment.outcome import Outcome, too_many_values
from heldout.study.analysis import DEFAULT_TITLE, Analysis, entry_of, make_analysis
from heldout.study.comparison import COMPARE_KEYS
from heldout.study.record import recorded_study
from heldout.targets.target import Target

CHOICES = (*("metrics", "objectives", "aggregate", "undefined", "coverage"), *COMPARE_KEYS, "seed")
"""What may be chosen anew for scores that exist already."""


def finished_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a folder; ResultsError if the work on it did not finish."""
    manifest = read_manifest(folder)
    if not manifest.get("complete", True):
        raise ResultsError(
            "the run did not finish", where=str(folder), hint="run the same command again: it goes on where it stopped"
        )
    return manifest


def kept_outcome(folder: str | Path) -> Outcome:
    """All scores of a finished run."""
    manifest = finished_manifest(folder)
    parts = manifest.get("parts")
    if not parts and "streamed" in manifest:
        raise too_many_values().within(str(folder))
    if not isinstance(parts, Mapping) or not parts:
        raise ResultsError("no scores were kept there", where=str(folder), hint="name the folder of a run")
    ledger = Ledger(folder)
    return Outcome(parts=tuple(ledger.load(str(key)) for key in parts.values()), manifest=manifest)


def kept_analysis(outcome: Outcome, choices: Mapping[str, Any]) -> Analysis:
    """The analysis of the run, with `choices` (see `CHOICES`) in the place of those that the run made."""
    record, systems = outcome.manifest.get("study", {}), outcome.systems()
    chosen = {key: value for key, value in choices.items() if value is not None}
    compare = {key: value for key, value in record.get("compare", {}).items() if key in COMPARE_KEYS}
    if compare.get("baseline") not in systems:
        compare["baseline"] = None  # it failed, and has no scores
    keys = {key: record[key] for key in ("aggregate", "undefined", "coverage", "task") if key in record}
    keys |= {"title": outcome.manifest.get("title", DEFAULT_TITLE), "seed": int(outcome.manifest.get("seed", 1))}
    keys |= {key: value for key, value in chosen.items() if key not in COMPARE_KEYS}
    keys |= {"compare": {**compare, **{key: chosen[key] for key in COMPARE_KEYS if key in chosen}}}
    measured = list(dict.fromkeys(m for part in outcome.parts for scores in part.scores for m in scores.metrics))
    if "metrics" not in chosen:
        entries = [text for text in record.get("metrics", []) if str(make("metric", entry_of(text)[0])) in measured]
        # An aggregation that is chosen now holds for all metrics.
        keys["metrics"] = [entry_of(text)[0] for text in entries] if "aggregate" in chosen else entries
    analysis = make_analysis(keys, systems=systems, targets=_targets(outcome))
    for metric in analysis.metrics:
        if str(metric) not in measured:
            ranking = [text for text in measured if make("metric", text).direction != "none"]
            raise SpecError(
                "this metric was not measured in this run",
                where="metrics",
                found=str(metric),
                hint=f"measured: {', '.join(ranking)}",
            )
    if "objectives" not in chosen:
        texts = record.get("objectives", ())
        return replace(analysis, objectives=tuple(metric for metric in analysis.metrics if metric.full_text in texts))
    return analysis


def _targets(outcome: Outcome) -> list[Target]:
    return [make("target", text) for text in dict.fromkeys(protocol.target for protocol in outcome.protocols())]


def advise_again(analysis: Analysis, outcome: Outcome) -> Outcome:
    """The outcome with the notices that its scores call for under this analysis."""
    notices = list(about_scores(analysis, outcome.measured(), outcome.tested_users()))
    if "guessed" in outcome.manifest:
        protocol = recorded_study(outcome.manifest, outcome.systems())
        notices = [*about_guess(protocol, analysis.metrics, outcome.measured()), *notices]
    # Tables that weigh users are read again: the manifest says which, as they are now.
    digests = {a.full_text: digest for a in analysis.all_aggregations if (digest := a.source_digest())}
    inputs = {"inputs": {**outcome.manifest.get("inputs", {}), **digests}} if digests else {}
    manifest = {key: value for key, value in outcome.manifest.items() if key != "costs"} | inputs  # told by themselves
    reasons = outcome.manifest.get("left_out", ())
    left_out = tuple(reason for reason in reasons if any(_is_about(reason, str(m)) for m in analysis.metrics))
    return replace(outcome, notices=tuple(notices), manifest=manifest, left_out=left_out)


def _is_about(reason: str, metric: str) -> bool:
    return reason.startswith((f"{metric} ", f"{metric}:"))
