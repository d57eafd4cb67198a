"""Ranking in shards of users: each can be ranked on its own, and together they are the ranks of all, to the byte."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heldout.tables import Rankings
from heldout.tables.arrays import Int64, frozen
from heldout.targets.passes import TILES_PER_COUNT
from heldout.targets.ranker import TILE, Ranked, RankPlan, Ranks

SHARD = 8 * TILES_PER_COUNT * TILE
"""Users of a shard: whole tiles, and whole rounds of the tiles in which ties are counted."""
_BY_ROW = ("rank", "above", "tied", "scored", "candidate", "score", "stratum")
_BY_LIST = ("computed", "length", "targets", "pool")


def shards(plan: RankPlan) -> int:
    """How many shards the users of a plan make."""
    return -(-len(plan.users) // SHARD)


def shard_of(plan: RankPlan, number: int) -> RankPlan:
    """The plan for one shard of its users."""
    part = replace(plan, users=frozen(plan.users[number * SHARD : (number + 1) * SHARD], np.int32))
    part._known_sets.update(plan._known_sets)
    return part


def joined(parts: Sequence[Ranked]) -> Ranked:
    """The ranks of all users from those of the shards, in their order."""
    return Ranked({choice: _joined([part.by_choice[choice] for part in parts]) for choice in parts[0].by_choice})


def _joined(parts: Sequence[Ranks]) -> Ranks:
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in (*_BY_ROW, *_BY_LIST)
        if getattr(parts[0], name) is not None
    }
    lists = [part.lists for part in parts if part.lists is not None]
    return replace(
        parts[0],
        **columns,
        indptr=_pointers([part.indptr for part in parts]),
        lists=_joined_lists(lists) if lists else None,
    )


def _joined_lists(parts: Sequence[Rankings]) -> Rankings:
    return Rankings(
        frozen(np.concatenate([part.users for part in parts]), np.int32),
        frozen(_pointers([part.indptr for part in parts]), np.int64),
        frozen(np.concatenate([part.item for part in parts]), np.int32),
        frozen(np.concatenate([part.score for part in parts]), np.float64),
    )


def _pointers(parts: Sequence[Int64]) -> Int64:
    """Pointers of rows one after another."""
    return np.append(0, np.cumsum(np.concatenate([np.diff(part) for part in parts]))).astype(np.int64)
