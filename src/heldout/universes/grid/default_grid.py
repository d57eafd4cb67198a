"""The grid for users who name none: choices that papers of the field make, as far as the data allow them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heldout.data.read import read_log
from heldout.tables import Log
from heldout.targets.relevance.by_scale import WIDEST, guess_relevance

SEEDS = (1, 2, 3)
CUTOFFS = (5, 10, 20, 50, 100)
METRICS = ("P", "Recall", "nDCG", "AP", "RR", "HitRate")
SAMPLED = 100
"""Items that one relevant item competes with, where a catalogue holds more than twice as many."""


def default_keys(data: Any, systems: Sequence[str], **columns: Any) -> dict[str, Any]:
    """The keys of a study over the usual choices: splits, targets, relevance, metrics, aggregations and tests.

    Relevance is what the scale suggests (`by_scale`), and where ratings differ the user's own mean, or the user's highest
    fifth where that was suggested. Ratings of one value only are implicit feedback, with binary gains. Values beyond 20 and
    below 0 are no gains. Splits in time need times; where one rating of each user is hidden, users with no other stay in
    training; cut-offs stay below half the catalogue.
    """
    log = read_log(data, **columns)
    values = np.unique(log.value)
    items = log.item_id.n_unique()
    graded = len(values) > 1
    guess = guess_relevance(log.value).rule
    scale = graded and float(values[-1]) <= WIDEST
    relevance = [str(guess), *(["user_top(0.2)" if guess.relative else "user_mean"] if graded else [])]
    return {
        "title": "Does the conclusion survive the other choices?",
        "data": {"path": data, **columns} if columns else data,
        "split": _splits(log),
        "users": ["with_test"],
        "recommend": list(systems),
        "fallback": ["none", "popularity"],
        "relevance": relevance,
        "target": _targets(items, relevance[0], graded=graded),
        "metrics": list(METRICS),
        "aggregate": ["mean", "mean(weight=test)", "gmean"],
        "undefined": ["zero", "skip"],
        "coverage": ["zero", "intersection"],
        "compare": ["t", "sign"],
        "multiverse": {
            "seeds": list(SEEDS),
            "cutoffs": [n for n in CUTOFFS if 2 * n <= items] or [5],
            "gains": ["binary", "linear", "exp2"] if scale and values[0] >= 0 else ["binary"],
        },
    }


def _splits(log: Log) -> list[str]:
    random = ["ratio(train=0.5)", "ratio(train=0.8)", "ratio(train=0.8, by=user)"]
    short = ", short=train" if int(np.unique(log.user_id.to_numpy(), return_counts=True)[1].min()) < 2 else ""
    if log.time is None:
        return [*random, f"leave_out(1{short})"]
    return [*random, "temporal(at=0.8)", f"temporal(by=user, last=1{short})"]


def _targets(items: int, relevance: str, *, graded: bool) -> list[str]:
    """The targets that the catalogue allows; with one grade of ratings, a user's own test items are all alike."""
    targets = ["AllItems", "TestItems", *(["TestRatings"] if graded else [])]
    if items > 2 * SAMPLED:
        targets.append(f"OnePlusRandom({SAMPLED}, relevance={relevance})")
    return targets
