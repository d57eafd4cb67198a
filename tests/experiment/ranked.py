"""A study of many choices, prepared, and ranks compared to the last bit."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from tests.experiment.conftest import STUDY

from heldout import Study
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Fold, Prepared, split_folds
from heldout.study.spec import make_study
from heldout.tables import Rankings
from heldout.targets.ranker import Ranks

MANY = {
    **STUDY,
    "target": [
        "AllItems",
        "targets(candidates=test, head=0.1)",
        "OnePlusRandom(10)",
        "P1R(5, percentiles=3)",
        "TestRatings",
    ],
    "fallback": ["none", "popularity"],
    "ties": ["item", "expected"],
    "relevance": ["threshold(4)", "threshold(5)"],
    "recommend": ["UserKNN(k=5)"],
}


def prepared(keys: dict[str, Any]) -> tuple[Study, Fold]:
    study = make_study(keys)
    return study, next(next(split_folds(study, Prepared(), Clock()))[1])


def same(ours: Ranks, theirs: Ranks) -> bool:
    for one in fields(Ranks):
        a, b = getattr(ours, one.name), getattr(theirs, one.name)
        if isinstance(a, Rankings) and isinstance(b, Rankings):
            if a.digest != b.digest:
                return False
        elif isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            if a.dtype != b.dtype or a.tobytes() != b.tobytes():
                return False
        elif a != b:
            return False
    return True
