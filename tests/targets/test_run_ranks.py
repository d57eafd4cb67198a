"""Runs under protocols: the same as the model that wrote them, where they hold enough, and what they lack where not."""

from __future__ import annotations

import numpy as np
import pytest
from tests.targets.tiny import Table, random_split, users_of

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.judge import judge_rankings, judge_ranks
from heldout.tables import Rankings, Split
from heldout.targets.ranker import RankPlan, rank
from heldout.targets.run_ranks import rank_lists_of_run, refuse_lacking
from heldout.targets.runs import rank_run

RULE = make("relevance", "threshold(4)")


def run_of(split: Split, scores: np.ndarray, ties: str, *, depth: int = 1000) -> Rankings:
    """The best items of every user, as a file would hold them, training items included."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    user = np.repeat(np.arange(len(scores)), order.shape[1])
    test = split.test
    rankings, _ = rank_run(
        test.users.decode(user.astype(np.int32)),
        test.items.decode(order.ravel().astype(np.int32)),
        scores[user, order.ravel()],
        users=test.users,
        items=test.items,
        ties=make("ties", ties),
        train=split.train,
    )
    return rankings


@pytest.mark.parametrize("ties", ["item", "random(4)"])
@pytest.mark.parametrize(
    "target",
    [
        "TestItems",
        "TrainingItems",
        "TestRatings",
        "OnePlusRandom(5)",
        "targets(relevant=one, head=0.2)",
        "P1R(2, percentiles=3)",
    ],
)
def test_a_whole_run_serves_every_protocol_as_its_model_does(target: str, ties: str) -> None:
    rng = np.random.default_rng(2)
    split = random_split(rng, 30, 40)
    scores = rng.integers(0, 20, (30, 40)).astype(float)
    made, order = make("target", target), make("ties", ties)
    plan = RankPlan(
        split=split,
        users=users_of(split),
        targets=(made,),
        fallbacks={"none": None},
        ties=(order,),
        seed=9,
        relevances=(RULE,),
        count_ties=True,
    )
    wanted = rank(Table(scores), plan).of(made, RULE, "none", order)
    rankings = run_of(split, scores, ties)
    again, ranked = rank_lists_of_run(rankings, split.test, split.train, plan.users, made, order, relevances=(RULE,), seed=9)
    found = ranked.of(made, RULE, "none", order)
    for column in ("rank", "above", "tied", "computed", "length", "targets", "score"):
        np.testing.assert_array_equal(getattr(found, column), getattr(wanted, column), err_msg=column)
    kept = plan.kept_rows(made)
    relevant = np.ones(len(found.rank) if kept is None else int(kept.sum()), bool)
    refuse_lacking(found, again, relevant, rankings, "A")


@pytest.mark.parametrize("ties", ["item", "trec", "random(4)"])
def test_the_two_ways_of_judging_a_run_agree(ties: str) -> None:
    rng = np.random.default_rng(5)
    split = random_split(rng, 30, 40)
    scores = rng.integers(0, 9, (30, 40)).astype(float)
    rankings = run_of(split, scores, ties, depth=15)
    users = users_of(split)
    relevance = RULE.judge(split.test, users, 5.0)
    plain = judge_rankings(rankings, relevance, n_items=40, targets=np.full(len(users), 40, np.int32))
    made = make("target", "targets()")
    _, ranked = rank_lists_of_run(
        rankings, split.test, split.train, users, made, make("ties", ties), relevances=(RULE,), seed=1
    )
    counted = judge_ranks(ranked.of(made, RULE, "none", make("ties", ties)), relevance)
    for column in ("indptr", "row", "rank", "above", "tied", "length", "score"):
        np.testing.assert_array_equal(getattr(counted, column), getattr(plain, column), err_msg=column)


def test_a_short_run_says_what_it_lacks() -> None:
    rng = np.random.default_rng(2)
    split = random_split(rng, 30, 40)
    rankings = run_of(split, rng.random((30, 40)), "item", depth=6)
    lacks = r"the run A lacks \d+ of the \d+ test items that TestRatings ranks \(first: item i\d+ of user \d+\)"
    cannot = r"a run of at most 6 items per user cannot show where test item i\d+ ranks among"
    for target, told in (
        ("TestRatings", f"{lacks}: {cannot} the user's test items"),
        ("OnePlusRandom(5)", f"{cannot} sampled items"),
    ):
        made, order = make("target", target), make("ties", "item")
        plan, ranked = rank_lists_of_run(
            rankings, split.test, split.train, users_of(split), made, order, relevances=(RULE,), seed=9
        )
        with pytest.raises(NotApplicableError, match=told):
            refuse_lacking(ranked.of(made, RULE, "none", order), plan, np.ones(len(plan.rows[1]), bool), rankings, "A")


def test_without_the_training_set_popularity_is_not_known() -> None:
    rng = np.random.default_rng(2)
    split = random_split(rng, 30, 40)
    rankings = run_of(split, rng.random((30, 40)), "item")
    for target, told in (
        ("TrainingItems", "which items have a training rating"),
        ("targets(head=0.1)", "how popular items are"),
    ):
        with pytest.raises(NotApplicableError, match=told):
            rank_lists_of_run(
                rankings,
                split.test,
                None,
                users_of(split),
                make("target", target),
                make("ties", "item"),
                relevances=(),
                seed=1,
            )
