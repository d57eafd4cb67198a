"""Runs from files: lists, ties, orders and protocols that they can serve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused
from tests.targets.tiny import Table, random_split, users_of

import heldout as ho
from heldout.catalogue import classes, make
from heldout.errors import InputError, NotApplicableError
from heldout.metrics.judge import judge_rankings, judge_ranks
from heldout.tables import Interactions, Rankings, Split, Vocabulary
from heldout.targets.ranker import RankPlan, rank
from heldout.targets.runs import rank_lists_of_run, rank_run, refuse_lacking
from heldout.targets.tie_rule import TieRule

USERS, ITEMS = Vocabulary.of(pl.Series(["u", "v", "w"])), Vocabulary.of(pl.Series(["a", "b", "c", "d"]))


def ranked(rows: list[tuple[str, str, float]], ties: str = "item", **options: Any) -> tuple[Rankings, int]:
    user, item, score = zip(*rows, strict=True) if rows else ((), (), ())
    return rank_run(
        USERS.encode(pl.Series(user, dtype=pl.String)),
        ITEMS.encode(pl.Series(item, dtype=pl.String)),
        np.array(score, dtype=float),
        users=USERS,
        items=ITEMS,
        ties=make("ties", ties),
        **options,
    )


def lists(rankings: Rankings) -> dict[str, str]:
    starts = rankings.indptr
    return {
        str(USERS.ids[user]): "".join(ITEMS.decode(rankings.item[starts[k] : starts[k + 1]]))
        for k, user in enumerate(rankings.users)
    }


def test_rows_in_any_order_become_lists_by_score() -> None:
    rankings, training = ranked([("w", "a", 1), ("u", "b", 1), ("w", "c", 3), ("u", "d", 2), ("u", "a", -1)])
    assert lists(rankings) == {"u": "dba", "w": "ca"} and training == 0
    assert rankings.score.tolist() == [2, 1, -1, 3, 1]


@pytest.mark.parametrize(("ties", "order"), [("item", "abcd"), ("trec", "dcba"), ("file", "cadb"), ("expected", "abcd")])
def test_equal_scores_follow_the_tie_rule(ties: str, order: str) -> None:
    rankings, _ = ranked([("u", item, 0.5) for item in "cadb"], ties)
    assert lists(rankings) == {"u": order}


def test_trec_order_compares_in_single_precision() -> None:
    """1e-9 more is the same score to trec_eval, and b comes first as the higher id."""
    rows = [("u", "a", 1 + 1e-9), ("u", "b", 1.0)]
    assert lists(ranked(rows, "trec")[0]) == {"u": "ba"} and lists(ranked(rows)[0]) == {"u": "ab"}


def test_random_order_is_drawn_for_each_user_and_keeps_scores_in_order() -> None:
    rows = [(user, item, score) for user in "uvw" for item, score in zip("abcd", (1, 1, 1, 2), strict=True)]
    orders = [lists(ranked(rows, f"random({seed})")[0]) for seed in range(8)]
    assert all(order[0] == "d" and set(order) == set("abcd") for drawn in orders for order in drawn.values())
    assert any(len(set(drawn.values())) > 1 for drawn in orders)
    assert orders[3] == lists(ranked(rows, "random(3)")[0])


def test_rows_of_unknown_users_are_left_out() -> None:
    rankings, _ = ranked([("u", "a", 1), ("x", "a", 1), ("v", "b", 1), ("x", "b", 2)])
    assert lists(rankings) == {"u": "a", "v": "b"}
    assert lists(ranked([("x", "a", 1)])[0]) == {}


def test_training_items_are_dropped_and_counted() -> None:
    train = Interactions.build(USERS, ITEMS, np.array([0, 2]), np.array([1, 3]), np.ones(2))
    rankings, training = ranked([("u", "b", 2), ("u", "d", 1), ("v", "b", 1), ("w", "d", 1)], train=train)
    assert lists(rankings) == {"u": "d", "v": "b"} and training == 2
    nothing = Interactions.build(USERS, ITEMS, np.array([], int), np.array([], int), np.array([]))
    assert ranked([("u", "b", 2)], train=nothing)[1] == 0


def test_two_scores_of_a_pair_are_refused() -> None:
    with refused(InputError, found=["user v", "item c"], expected="each pair of user and item once"):
        ranked([("v", "c", 1), ("u", "c", 1), ("v", "c", 2)])


RULE = make("relevance", "threshold(4)")


def run_of(split: Split, scores: np.ndarray, ties: str, *, depth: int = 1000) -> Rankings:
    """The best items of every user, as a file would hold them, training items included."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    user = np.repeat(np.arange(len(scores)), order.shape[1])
    test = split.test
    rankings, _ = rank_run(
        user.astype(np.int32),
        order.ravel().astype(np.int32),
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
    for target in ("TestRatings", "OnePlusRandom(5)"):
        made, order = make("target", target), make("ties", "item")
        plan, ranked = rank_lists_of_run(
            rankings, split.test, split.train, users_of(split), made, order, relevances=(RULE,), seed=9
        )
        with refused(NotApplicableError, where="target", expected="scores of all test items", hint="use AllItems"):
            refuse_lacking(ranked.of(made, RULE, "none", order), plan, np.ones(len(plan.rows[1]), bool), rankings, "A")


def test_without_the_training_set_popularity_is_not_known() -> None:
    rng = np.random.default_rng(2)
    split = random_split(rng, 30, 40)
    rankings = run_of(split, rng.random((30, 40)), "item")
    for target in ("TrainingItems", "targets(head=0.1)"):
        with refused(NotApplicableError, where="target", hint="pass the training set: train=…"):
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


TEST = {"user": ["u", "u", "v"], "item": ["b", "c", "a"], "rating": [5, 1, 5]}
TRAIN = {"user": ["w", "w", "w", "w"], "item": ["a", "b", "c", "d"], "rating": [3] * 4}
RUN = {"user": ["u", "v", "u", "u", "v", "u"], "item": list("dccbba"), "score": [1, 1, 2, 1, 1, 1.0]}


# u: c at 2, then d, b, a at 1 in the file; v: c, b at 1, the tested a lacking


def value(metric: str, run: Any = RUN, **options: Any) -> float:
    found = ho.evaluate(TEST, {"A": run}, metric, relevance="threshold(4)", coverage="zero", **options)
    return float(found.tables["all-leaderboards"].frame["value"][0])


def test_equal_scores_stand_in_the_order_of_the_rows() -> None:
    assert value("RR", ties="file") == pytest.approx((1 / 3 + 0) / 2)  # c, d, b
    assert value("RR", ties="given") == value("RR", ties="file")
    assert value("RR", ties="item") == pytest.approx((1 / 3 + 0) / 2)  # c, a, b
    turned = {name: column[::-1] for name, column in RUN.items()}
    assert value("RR", turned, ties="file") == pytest.approx((1 / 3 + 0) / 2)  # c, a, b
    moved = {"user": ["u"] * 3, "item": list("bad"), "score": [1.0] * 3}
    assert value("RR", moved, ties="file") == pytest.approx((1 + 0) / 2)
    assert value("RR", moved, ties="item") == pytest.approx((1 / 2 + 0) / 2)
    assert value("RR", moved, ties="trec") == pytest.approx((1 / 2 + 0) / 2)  # d, b, a


@pytest.mark.parametrize("target", ["AllItems", "TrainingItems", "TestRatings"])
@pytest.mark.parametrize("metric", ["RR", "AUC", "KendallTau", "nDCG@2", "Tied"])
def test_every_target_has_the_order_of_the_rows(target: str, metric: str, tmp_path: Path) -> None:
    """A study with the run as a system says what evaluating the run says, whatever the order of the rows."""
    rng = np.random.default_rng(4)
    items = [f"i{k:02}" for k in range(12)]
    rows = [(f"u{u}", i, float(rng.integers(0, 3))) for u in range(15) for i in rng.permutation(items)]
    run = pl.DataFrame(rows, schema=["user", "item", "score"], orient="row")
    test = [(f"u{u}", i, int(rng.integers(1, 6))) for u in range(15) for i in rng.choice(items, 5, replace=False)]
    rated = pl.DataFrame(test, schema=["user", "item", "rating"], orient="row")
    train = pl.DataFrame({"user": ["w"] * 12, "item": items, "rating": [3] * 12})
    run.write_csv(tmp_path / "run.csv")
    rated.write_csv(tmp_path / "test.csv")
    train.write_csv(tmp_path / "train.csv")
    options = {"ties": "file", "target": target, "relevance": "threshold(4)"}
    direct = ho.evaluate(rated, {"A": run}, ["P@2", metric], train=train, **options).per_user()
    study = ho.run(
        {
            "split": f'given(train="{tmp_path / "train.csv"}", test="{tmp_path / "test.csv"}")',
            "recommend": [{"name": "A", "model": f'External("{tmp_path / "run.csv"}")'}],
            "metrics": ["P@2", metric],
            **options,
        }
    ).per_user()
    np.testing.assert_allclose(study[metric], direct[metric], rtol=1e-12)
    assert study["ties"][0] == "file"


def test_fitted_models_have_no_such_order() -> None:
    keys = {"data": "simulate(users=20, items=20, ratings=150)", "split": "ratio(train=0.5)", "metrics": "P@3"}
    for systems in (["Popularity"], ["Random", "Popularity"]):
        with refused(NotApplicableError, where="ties", found="file", hint="ties=item"):
            ho.run({**keys, "recommend": systems, "ties": ["item", "file"]})
    with refused(NotApplicableError, where="ties", found="file"):
        ho.run({**keys, "recommend": ["Popularity"], "ties": "file"}, models={"mine": lambda train: None})


TEXTS, NUMBERS = Vocabulary.of(pl.Series(["7", "12", "100", "x"])), Vocabulary.of(pl.Series([7, 12, 100]))


def order(rule: str, items: Vocabulary) -> list[str]:
    return [str(items.ids[k]) for k in np.argsort(make("ties", rule).keys(items))]


@pytest.mark.parametrize("rule", ["item", "file", "expected", "random"])
def test_numbers_stand_in_catalogue_order(rule: str) -> None:
    assert order(rule, NUMBERS) == ["7", "12", "100"]


def test_trec_order_is_that_of_descending_texts() -> None:
    assert order("trec", TEXTS) == ["x", "7", "12", "100"] and order("trec", NUMBERS) == ["7", "12", "100"]


def test_random_orders_change_with_the_seed_and_the_fold() -> None:
    draws = [make("ties", f"random({seed})").draws(fold) for seed in (1, 2) for fold in (0, 1)]
    assert len(set(draws)) == 4 and all(draw % 2 for draw in draws)  # odd, so that none is 0, which draws nothing
    assert make("ties", "random") == make("ties", "random(1)")
    assert make("ties", "expected").expects and not make("ties", "random").expects


RULES = [cls() for cls in classes("ties")]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_no_two_items_have_the_same_key(rule: TieRule) -> None:
    keys = rule.keys(Vocabulary.numbered(120))
    assert keys.dtype == np.int32 and len(np.unique(keys)) == 120


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_an_order_is_either_the_same_for_all_users_or_drawn(rule: TieRule) -> None:
    assert not (rule.fixed_order and rule.draws(0))
    assert rule.counts == (rule.expects or rule.draws(0) != 0)  # who averages over orders or draws one must know the ties
