"""Values expected over tied items against the mean over all orders, one by one."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from tests.targets.tiny import Table

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.judge import judge_ranks
from heldout.metrics.measuring import measure
from heldout.tables import Background, Interactions, Split, Vocabulary, item_counts
from heldout.targets.ranker import RankPlan, rank

METRICS = (
    "P@1", "P@3", "P@9", "Recall@2", "Recall", "HitRate@1", "HitRate@2", "HitRate@4", "RR", "RR@2", "AP", "AP@3",
    "DCG(gain=linear)@3", "DCG(gain=exp2)", "nDCG@2", "nDCG(gain=binary)", "nDCG(discount=zipf)@4", "RBP(phi=0.7)@4",
    "RBP(phi=0.9)", "HLU(half_life=3)", "StratifiedRecall(gamma=1)@3",
)  # fmt: skip


def split_of(grades: list[float | None], n_users: int) -> Split:
    """Users with the same test ratings: the grade of each item, None for an unrated one; one training item behind them."""
    users, items = Vocabulary.numbered(n_users), Vocabulary.numbered(len(grades) + 1)
    rated = [i for i, g in enumerate(grades) if g is not None]
    user = np.repeat(np.arange(n_users), len(rated))
    test = Interactions.build(
        users, items, user, np.tile(rated, n_users), np.tile([float(grades[i]) for i in rated], n_users),
        utility=np.tile([float(grades[i]) for i in rated], n_users),
    )  # fmt: skip
    train = Interactions.build(users, items, np.arange(n_users), np.full(n_users, len(grades)), np.full(n_users, 3.0))
    return Split(train=train, test=test)


def values_of(
    grades: list[float | None], scores: np.ndarray, ties: str, target: str, metrics: tuple[str, ...]
) -> np.ndarray:
    split = split_of(grades, len(scores))
    rule, made, order = make("relevance", "threshold(4)"), make("target", target), make("ties", ties)
    users = np.arange(len(scores), dtype=np.int32)
    plan = RankPlan(
        split=split, users=users, targets=(made,), fallbacks={"none": None}, ties=(order,), seed=1, relevances=(rule,)
    )
    ranks = rank(Table(np.column_stack([scores, np.zeros(len(scores))])), plan).of(made, rule, "none", order)
    known = Background(
        items=split.train.items,
        train=split.train,
        positives=rule.positives(split.train, split.test),
        ratings=item_counts(split.train, split.test),
        lowest=1.0,
    )
    judged = judge_ranks(ranks, rule.judge(split.test, users, 5.0, train=split.train, background=known))
    return measure(judged, [make("metric", m) for m in metrics], target=made).values


def orders_of(scores: np.ndarray) -> np.ndarray:
    """Scores without ties, one row for every order of the tied items."""
    groups = [np.flatnonzero(scores == s) for s in sorted(set(scores.tolist()), reverse=True)]
    rows = []
    for chosen in product(*(permutations(g) for g in groups)):
        row = np.empty(len(scores))
        row[[i for group in chosen for i in group]] = -np.arange(len(scores))
        rows.append(row)
    return np.array(rows)


@pytest.mark.parametrize("target", ["AllItems", "TestRatings", "targets(relevant=one)"])
@pytest.mark.parametrize("seed", range(8))
def test_expected_values_are_means_over_all_orders(seed: int, target: str) -> None:
    rng = np.random.default_rng(seed)
    grades: list[float | None] = [None if rng.random() < 0.4 else float(rng.integers(1, 6)) for _ in range(6)]
    grades[int(rng.integers(6))] = 5.0
    scores = rng.integers(0, int(rng.integers(1, 4)), size=6).astype(float)
    expected = values_of(grades, scores[None, :], "expected", target, METRICS)[0]
    enumerated = values_of(grades, orders_of(scores), "item", target, METRICS)
    np.testing.assert_allclose(expected, enumerated.mean(axis=0), rtol=1e-12, atol=1e-14, err_msg=f"{METRICS}")


def test_one_of_two_tied_items_by_hand() -> None:
    """A relevant and an unrated item tie for the first of two places: P@1 = 1/2, RR = (1 + 1/2)/2, AP the same."""
    found = values_of([5.0, None], np.zeros((1, 2)), "expected", "AllItems", ("P@1", "RR", "AP", "HitRate@1", "Recall@2"))
    assert found[0].tolist() == pytest.approx([1 / 2, 3 / 4, 3 / 4, 1 / 2, 1])


def test_random_ties_average_to_the_expected_value() -> None:
    grades, scores = [5.0, None, 2.0, 4.0, None], np.array([1.0, 1, 1, 0, 1])
    metrics = ("P@1", "RR", "AP", "nDCG@2")
    expected = values_of(grades, scores[None, :], "expected", "AllItems", metrics)[0]
    drawn = values_of(grades, np.tile(scores, (4000, 1)), "random(5)", "AllItems", metrics)
    error = drawn.std(axis=0) / np.sqrt(len(drawn))
    assert (np.abs(drawn.mean(axis=0) - expected) < 4 * error + 1e-12).all()
    assert (drawn.std(axis=0) > 0.01).all()
    other = values_of(grades, np.tile(scores, (4000, 1)), "random(6)", "AllItems", metrics)
    assert not np.array_equal(drawn, other)


def test_others_refuse_by_name() -> None:
    with pytest.raises(NotApplicableError, match="bpref has no closed form"):
        values_of([5.0, 2.0], np.zeros((1, 2)), "expected", "AllItems", ("bpref",))
