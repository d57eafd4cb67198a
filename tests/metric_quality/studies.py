"""Small studies by which metrics are tried in tests."""

from __future__ import annotations

from typing import Any

from heldout import Study
from heldout.study.file import study_from

KEYS: dict[str, Any] = {
    "data": "simulate(users=80, items=60, ratings=1500)",
    "split": "ratio(train=0.6, by=user)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "Random", "UserKNN(k=5)", "UserKNN(k=30)", "ItemKNN(k=10)"],
    "metrics": ["P@5", "nDCG@5", "nDCG@20"],
}


def small_study(**changes: Any) -> Study:
    return study_from(KEYS | changes)
