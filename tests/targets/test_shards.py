"""Shards of users, ranked one by one, together are the ranks of all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import heldout as ho
from heldout.catalogue import make
from heldout.experiment.ledger.ranks_part import write_ranks
from heldout.recommenders.recommender import Recommender
from heldout.targets import shards
from heldout.targets.ranker import RankPlan, rank
from heldout.targets.shards import joined, shard_of


def test_shards_of_users_are_the_ranks_of_all_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ties counted in one tile of two, 300 users in shards of 128: also popularity classes, samples, heads and lists."""
    monkeypatch.setattr("heldout.targets.passes.TILES_PER_COUNT", 2)
    monkeypatch.setattr(shards, "SHARD", 128)
    ratings = ho.read("simulate(users=300, items=50, ratings=4000)")
    [split] = make("split", "ratio(train=0.7, by=user)").split(ratings, seed=1)
    users = np.flatnonzero(split.test.user_counts > 0).astype(np.int32)
    texts = ("AllItems", "TestItems", "OnePlusRandom(10)", "TestRatings", "P1R(10, m=2)", "targets(head=0.1)")
    recommender: Recommender = make("recommender", "Popularity")
    plan = RankPlan(
        split=split,
        users=users,
        targets=tuple(make("target", text) for text in texts),
        fallbacks={text: make("fallback", text).order(split.train, seed=1) for text in ("none", "popularity")},
        ties=(make("ties", "item"), make("ties", "random"), make("ties", "expected")),
        seed=1,
        relevances=(make("relevance", "threshold(4)"),),
        depth=7,
    )
    model = recommender.fit(split.train, seed=1)
    parts = [rank(model, shard_of(plan, number)) for number in range(shards.shards(plan))]
    assert len(parts) == 3
    write_ranks(rank(model, plan), tmp_path / "whole", "key")
    write_ranks(joined(parts), tmp_path / "joined", "key")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "joined").read_bytes()
