"""Results of every kind, small, each made once for all tests that look at all of them."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.biases.sample import small_findings
from tests.reports.metric_trial import trial
from tests.reports.reproduced import reproduced

import heldout as ho

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
        varied = {**STUDY, "metrics": ["P@5", "RR", "nDCG@5"], "target": ["AllItems", "TestItems"], "compare": ["t"]}
        return ho.multiverse(varied, progress=False)
    if kind == "meta":
        return ho.MetaResults(trials=(trial(),), manifest={"title": "Metrics"})
    if kind == "bias":
        return ho.BiasResults(findings=small_findings(), manifest={"title": "Biases"})
    if kind == "truth":
        return ho.truth({**STUDY, "metrics": ["P@5"], "compare": ["t"]}, draws=2, protocols=["AI-AR"], progress=False)
    if kind == "profile":
        return ho.profile(STUDY["data"], ["core(3)"])
    return ho.ReproductionResults(record=reproduced(), manifest={"title": "Papers"})
