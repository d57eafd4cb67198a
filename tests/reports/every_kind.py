"""Results of every kind, small, each made once for all tests that look at all of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from tests.biases.sample import small_findings
from tests.papers.reproduced import reproduced
from tests.reports.metric_trial import trial

import heldout as ho
from heldout.data.profile import DataSteps
from heldout.storage.deferred import Deferred

STUDY = {
    "data": "simulate(users=40, items=20, ratings=300)",
    "split": "ratio(train=0.7)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "Random", "UserKNN(k=5)"],
    "metrics": ["P@5", "CROC"],
    "compare": ["t", "friedman"],
}
KINDS = ("study", "multiverse", "meta", "bias", "truth", "reproduce", "profile")


@cache
def results_of(kind: str) -> Any:
    """The results of a kind."""
    if kind == "study":
        return ho.run(STUDY, progress=False)
    if kind == "multiverse":
        varied = {
            **STUDY,
            "filters": [["core(2)"]],
            "metrics": ["P@5", "RR", "nDCG@5"],
            "target": ["AllItems", "TestItems"],
            "compare": ["t"],
        }
        return ho.multiverse(varied, progress=False)
    if kind == "meta":
        findings = ho.MetaFindings(trials=(trial(),), profiles=profiles())
        return ho.Results(findings=findings, manifest=kept_manifest("meta", "Metrics"))
    if kind == "bias":
        findings = replace(small_findings(), profiles=profiles())
        return ho.Results(findings=findings, manifest=kept_manifest("bias", "Biases"))
    if kind == "truth":
        varied = {**STUDY, "filters": [["core(2)"]], "metrics": ["P@5"], "compare": ["t"]}
        return ho.truth(varied, draws=2, protocols=["AI-AR"], progress=False)
    if kind == "profile":
        return ho.profile(STUDY["data"], ["core(3)"])
    return ho.Results(
        findings=reproduced(), manifest={"kind": "reproduction", "title": "Papers", "versions": {"heldout": "1"}}
    )


def profiles() -> Deferred[tuple[DataSteps, ...]]:
    """The profiles of the study's data, as trials of it have them."""
    return Deferred.known(results_of("study").findings.data)


def kept_manifest(kind: str, title: str) -> dict[str, Any]:
    """A manifest with the protocol of the study, as trials of it keep one."""
    facts = results_of("study").findings
    entries = {key: facts.manifest[key] for key in ("seed", "study", "inputs", "versions", "machine")}
    return {"kind": kind, "title": title, **entries}
