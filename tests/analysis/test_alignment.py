"""Folds: rules hold in each fold, before a user's values are averaged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import heldout as ho
from heldout.analysis.alignment import align
from heldout.analysis.part import Part
from heldout.analysis.settings import aggregate_settings
from heldout.catalogue import make
from heldout.experiment.outcome import Outcome
from heldout.study.file import study_from
from heldout.tables import ProtocolKey, Scores, Vocabulary

PROTOCOL = ProtocolKey(
    data="d",
    filter="none",
    split="folds(n=2)",
    users="with_test",
    fallback="none",
    relevance="threshold(tau=4)",
    target="AllItems",
    unrated="zero",
    ties="item",
)


def outcome(protocol: ProtocolKey, *folds: list[tuple[float, float, int]]) -> Outcome:
    """One system; each fold lists (value, length, lists) of users 0, 1, …"""
    parts = []
    for fold, rows in enumerate(folds):
        value, length, lists = (np.array(c, float) for c in zip(*rows, strict=True))
        scores = Scores(
            system="A",
            protocol=protocol,
            fold=fold,
            users=np.arange(len(rows), dtype=np.int32),
            metrics=("Recall@10",),
            values=value[:, None],
            length=length,
            computed=length,
            lists=lists.astype(np.int32),
        )
        parts.append(Part((scores,), Vocabulary.numbered(len(rows))))
    return Outcome(parts=tuple(parts))


def value(found: Outcome, protocol: ProtocolKey = PROTOCOL, **choices: str) -> float:
    study = study_from(
        {
            "data": "simulate(users=5, items=5, ratings=10)",
            "split": "folds(2)",
            "recommend": "Random",
            "metrics": "Recall@10",
            "target": protocol.target,
            **choices,
        }
    )
    setting = aggregate_settings(study, [align(found.parts, protocol, ["A"])])[0]
    assert setting.tallies[0].value is not None
    return setting.tallies[0].value


def test_what_is_undefined_in_one_fold_counts_zero_there_or_is_skipped_there() -> None:
    found = outcome(PROTOCOL, [(1.0, 5, 1), (0.5, 5, 1)], [(np.nan, 5, 1), (0.5, 5, 1)])
    assert value(found, undefined="zero") == pytest.approx((0.5 + 0.5) / 2)  # user 0: (1 + 0) / 2
    assert value(found, undefined="skip") == pytest.approx((1.0 + 0.5) / 2)


def test_a_fold_that_does_not_cover_a_user_is_forgiven_there() -> None:
    found = outcome(PROTOCOL, [(1.0, 5, 1), (0.5, 5, 1)], [(0.0, 0, 1), (0.5, 5, 1)])
    assert value(found, coverage="zero") == pytest.approx((0.5 + 0.5) / 2)
    assert value(found, coverage="forgive") == pytest.approx((1.0 + 0.5) / 2)


def test_averaging_by_rating_weighs_folds_by_their_lists() -> None:
    """One list at 1 in the first fold and nine at 0 in the second: 1 of 10 lists."""
    target = make("target", "OnePlusRandom(20, average=rating)")
    protocol = replace(PROTOCOL, target=str(target))
    found = outcome(protocol, [(1.0, 5, 1)], [(0.0, 5, 9)])
    assert value(found, protocol) == pytest.approx(0.1)


def test_without_a_fallback_coverage_before_and_after_it_are_the_same() -> None:
    results = ho.run(
        {
            "data": "simulate(users=60, items=60, ratings=900)",
            "split": "folds(3)",
            "recommend": "UserKNN(k=1)",
            "metrics": "P@10",
        }
    )
    row = results.facts.leaderboard[0]
    assert row.coverage == pytest.approx(row.coverage_ranked)
    assert row.coverage is not None
    assert row.coverage < 1
