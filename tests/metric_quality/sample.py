"""A small trial of metrics on simulated ratings, and rows written by hand."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from heldout.metric_quality.analysis import metric_findings
from heldout.metric_quality.findings import MetricFindings, MetricRow
from heldout.metric_quality.judged_systems import judged_systems
from heldout.metric_quality.options import MetricOptions
from heldout.study.file import study_from

SYSTEMS = ["Popularity", "Random", "UserKNN(k=5)", "UserKNN(k=30)", "ItemKNN(k=10)", "EASE(l2=50)"]
METRICS = ["P", "nDCG", "RR", "bpref"]


def row(metric: str, **figures: Any) -> MetricRow:
    """A row of one metric with some figures, all others being of no matter."""
    usual: dict[str, Any] = dict.fromkeys(MetricRow.__dataclass_fields__, 0.5)
    name, _, depth = metric.partition("@")
    return MetricRow(**{**usual, "metric": metric, "name": name, "depth": int(depth) if depth else None, **figures})


@lru_cache(maxsize=1)
def small_trial() -> MetricFindings:
    """Six systems, four metrics at 5, 10 and 20, and one of whole lists."""
    study = study_from(
        {
            "data": "simulate(users=80, items=60, ratings=1600)",
            "split": "ratio(train=0.6)",
            "recommend": SYSTEMS,
            "metrics": [f"{metric}@{n}" for metric in METRICS for n in (5, 10, 20)] + ["AUC"],
        }
    )
    options = MetricOptions(shares=(1.0, 0.8, 0.4, 0.1), item_shares=(1.0, 0.9, 0.8), samples=10, flips=1000)
    return metric_findings(next(judged_systems(study)), undefined_as_zero=True, options=options)
