"""Every target of the catalogue keeps the contract; and the contract can be broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.refusals import failing_check
from tests.targets.test_ranker import TARGETS

from heldout.catalogue import classes, make
from heldout.targets import ranker
from heldout.targets.ranker import Ranked, RankPlan
from heldout.testing import check_target

TEXTS = (*TARGETS, "UAR", "U1R(5)")
TRIED = {make("target", text).key for text in TEXTS}
OTHERS = [c.key for c in classes("target") if c.key not in TRIED and c.__module__.startswith("heldout.")]
"""Targets of the catalogue that no text above names, as they are by default."""


@pytest.mark.parametrize("text", [*TEXTS, *OTHERS])
def test_contract(text: str) -> None:
    check_target(make("target", text))


def _broken(way: str) -> Callable[..., Ranked]:
    times = {"called": 0}

    def broken(model: Any, plan: RankPlan, **options: Any) -> Ranked:
        ranked, scores = ranker.rank(model, plan, **options), model.scores
        key, ranks = next(iter(ranked))
        times["called"] += 1
        if way == "beyond":
            ranks = replace(ranks, rank=ranks.rank + 1000, above=ranks.above + 1000)
        if way == "candidates":
            ranks = replace(ranks, candidate=np.zeros_like(ranks.candidate) | (np.arange(len(ranks.rank)) > 0))
        if way == "training" and scores.max() == 20:
            ranks = replace(ranks, rank=ranks.rank + 1)
        if way == "threads" and times["called"] > 3:
            ranks = replace(ranks, rank=ranks.rank + 1)
        if way == "best" and scores.max() == 10:
            ranks = replace(ranks, rank=ranks.rank + 1)
        if way == "company" and len(plan.users) < 60:
            ranks = replace(ranks, rank=ranks.rank + 1)
        return Ranked({key: ranks})

    return broken


def test_each_fault_is_found_by_its_own_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """A target says what is ranked, and the ranker ranks: what breaks is put into the ranks themselves."""
    faults = ("beyond", "candidates", "training", "threads", "best", "company")
    checks = set()
    for fault in faults:
        monkeypatch.setattr("heldout.testing.targets.rank", _broken(fault))
        checks.add(failing_check(check_target, make("target", "AllItems")))
    assert len(checks) == len(faults)
