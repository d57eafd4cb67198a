"""What was run: the metrics of 21 systems on trial, and the systems themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from heldout.papers.metric_runs import MetricRun
from heldout.papers.rating_counts import RatingCounts
from heldout.papers.study_runs import RepeatedStudy, StudyRuns
from heldout.papers.valcarce2018.systems import SYSTEMS

METRICS = ("P", "Recall", "AP", "nDCG", "RR", "bpref", "infAP")
"""In the order of Table 3; MAP is our AP, MRR our RR."""
DEPTHS = (5, *range(10, 101, 10))
DEEP = 100
SHALLOW = (5, 10)
FEW = {name: SYSTEMS[name] for name in ("Pop", "Random", "RM1", "KLD", "RW")} | {"PureSVD": "PureSVD(factors=5)"}
"""Systems of simulated data."""


def _named(models: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "model": model} for name, model in models.items()]


KEYS: dict[str, Any] = {
    "split": "authors' split",
    "recommend": _named(SYSTEMS),
    "relevance": "threshold(4)",
    "target": "AllItems",
    "undefined": "zero",
    "coverage": "zero",
    "compare": "none",
}
SIMULATED = {"recommend": _named(FEW)}
TRIAL = MetricRun(
    keys=KEYS,
    metrics=METRICS,
    depths=DEPTHS,
    options={"sampling": "user", "popularity": "train"},
    simulated=SIMULATED,
    simulated_options={"samples": 3, "flips": 200, "shares": (1.0, 0.5, 0.05), "item_shares": (1.0, 0.9, 0.8)},
)
FURTHER_TRIAL = replace(TRIAL, keys=KEYS | {"split": "ratio(train=0.8, by=user)"})
"""On data of which no split was published: four fifths of the ratings of each user train."""
LISTS = StudyRuns({"systems": RepeatedStudy(KEYS | {"metrics": [f"nDCG@{DEEP}"]}, simulated=SIMULATED)})
COUNTS = RatingCounts(positive=4)
