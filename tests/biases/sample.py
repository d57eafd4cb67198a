"""A small study of biases on simulated ratings."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from heldout import Study
from heldout.biases.analysis import bias_findings
from heldout.biases.findings import BiasFindings
from heldout.biases.measured import Bench
from heldout.biases.options import BiasOptions
from heldout.study.file import study_from

KEYS: dict[str, Any] = {
    "data": "simulate(users=90, items=60, ratings=1800)",
    "split": "ratio(train=0.7)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "ItemKNN(k=10)", "UserKNN(k=20)"],
    "metrics": ["nDCG@5"],
}
SIZES: dict[str, Any] = {
    "sampled": 9,
    "classes": 3,
    "removed": (0.0, 0.5),
    "lists": (10, 20),
    "class_counts": (1, 3),
    "heads": (0.0, 0.1),
    "shares": (0.1,),
    "alphas": (0.0, 1.5),
}

OPTIONS: dict[str, Any] = {
    "sampled": 9,
    "classes": 3,
    "sweeps": {
        "removed": SIZES["removed"],
        "lists": SIZES["lists"],
        "classes": SIZES["class_counts"],
        "head": SIZES["heads"],
        "uniform": SIZES["shares"],
        "skew": SIZES["alphas"],
    },
}
"""The same as parameters of `bias`."""


def small_study(**changes: Any) -> Study:
    return study_from(KEYS | changes)


@lru_cache(maxsize=1)
def small_findings() -> BiasFindings:
    return bias_findings(small_study(), BiasOptions(**SIZES), Bench())
