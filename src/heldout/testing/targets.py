"""The contract of target protocols: what every target of the catalogue, ours or yours, must keep.

from heldout.testing import check_target
check_target(MyTarget(sample=50))
"""

from __future__ import annotations

import numpy as np

from heldout import threads
from heldout.catalogue import make
from heldout.tables import Split
from heldout.tables.arrays import Float32, Float64, Int32, Ints
from heldout.targets.ranker import RankPlan, Ranks, rank, split_for
from heldout.targets.target import Form, Target
from heldout.testing.components import check_text_form, contract, some_ratings

COLUMNS = ("indptr", "rank", "above", "tied", "computed", "length", "targets", "scored", "candidate")


@contract
def check_target(target: Target, split: Split | None = None) -> None:
    """Raise AssertionError, saying what is broken, unless the target keeps the contract on this split.

    Without `split`, small made-up ratings are split at random, or uniformly where the target asks for it.
    """
    check_text_form(target)
    assert isinstance(target.form, Form), f"{target} gives {type(target.form).__name__} as its form"
    if split is None:
        by = "uniform_test(share=0.2, keep=0.5)" if target.form.uniform else "ratio(train=0.7)"
        split = next(iter(make("split", by).split(some_ratings(), seed=1)))
    scores = np.random.default_rng(3).random((split.train.n_users, split.train.n_items)).astype(np.float32)
    users = np.flatnonzero(split.test.user_counts).astype(np.int32)
    ranks = _ranks(target, split, scores, users)
    ranks_lie_within_the_list(target, ranks)
    the_best_item_comes_first(target, split, scores, users)
    training_items_do_not_compete(target, split, scores, users, ranks)
    does_not_depend_on_threads(target, split, scores, users, ranks)
    users_do_not_touch(target, split, scores, users, ranks)


def ranks_lie_within_the_list(target: Target, ranks: Ranks) -> None:
    """Every candidate that is scored has a rank from 1 to the number of targets; what is no candidate has none."""
    assert ranks.candidate.any(), f"{target} makes no test rating a candidate"
    ranked = ranks.rank > 0
    assert (ranked == ranks.candidate).all(), f"{target} ranks items that are no candidates, or leaves candidates out"
    listed = ranks.targets.reshape(-1)[ranks.unit] + (1 if target.single and target.form.sample is not None else 0)
    assert (ranks.rank[ranked] <= listed[ranked]).all(), f"{target} gives ranks beyond the end of the list"
    assert (ranks.above[ranked] + 1 == ranks.rank[ranked]).all(), f"{target}: without ties a rank is one more than above"


def the_best_item_comes_first(target: Target, split: Split, scores: Float32, users: Int32) -> None:
    """A test item that scores higher than all others is first in its list."""
    test = split_for(split, target).test
    item = int(np.argmax(test.item_counts))
    best = scores.copy()
    best[:, item] = 10.0
    ranks = _ranks(target, split, best, users)
    own = test.item[np.isin(test.user, users)] == item
    first = ranks.rank[own & ranks.candidate]
    assert (first == 1).all(), f"{target} ranks an item that scores highest {first.max()}"


def training_items_do_not_compete(target: Target, split: Split, scores: Float32, users: Int32, ranks: Ranks) -> None:
    """A user's training items may score whatever they do: no rank changes."""
    raised = scores.copy()
    raised[split.train.user, split.train.item] = 20.0
    same = np.array_equal(_ranks(target, split, raised, users).rank, ranks.rank)
    assert same, f"{target} lets a user's training items compete"


def does_not_depend_on_threads(target: Target, split: Split, scores: Float32, users: Int32, ranks: Ranks) -> None:
    """One thread and two, and small blocks, give the same ranks."""
    for n, block in ((1, 4096), (2, 64)):
        with threads.using(n):
            again = _ranks(target, split, scores, users, block=block)
        assert _same(ranks, again), f"{target} gives other ranks on {n} threads in blocks of {block}"


def users_do_not_touch(target: Target, split: Split, scores: Float32, users: Int32, ranks: Ranks) -> None:
    """A user's ranks are the same whoever else is tested."""
    some = np.arange(len(users)) % 3 == 0
    alone = _ranks(target, split, scores, users[some])
    rows = np.repeat(some, np.diff(ranks.indptr))
    assert np.array_equal(alone.rank, ranks.rank[rows]), f"{target}: a user's ranks depend on the other users tested"


class _Table:
    """A model whose scores are a table."""

    def __init__(self, scores: Float32) -> None:
        self.scores = scores

    def score(self, users: Ints) -> Float32:
        return self.scores[users].copy()


def _ranks(target: Target, split: Split, scores: Float32, users: Int32, *, block: int = 4096) -> Ranks:
    rule, ties = make("relevance", "threshold(4)"), make("ties", "item")
    orders: dict[str, Float64 | None] = {"none": None}
    plan = RankPlan(split=split, users=users, targets=(target,), fallbacks=orders, ties=(ties,), seed=3, relevances=(rule,))
    own = target.own_relevance or rule
    return rank(_Table(scores), plan, block=block).of(target, own, "none", ties)


def _same(a: Ranks, b: Ranks) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in COLUMNS)
