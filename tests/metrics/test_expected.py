"""Expected values under ties, and corrected values of sampled lists."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import hypergeom
from tests.metrics.sampled import BY_RANK, RANKS, assert_no_better_way, means, moments_of, world
from tests.refusals import refused
from tests.targets.tiny import Table, users_of

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.corrected import sampled_ranks
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
    with refused(NotApplicableError, where="ties", hint="use ties=item or random"):
        values_of([5.0, 2.0], np.zeros((1, 2)), "expected", "AllItems", ("bpref",))


def test_sampled_ranks_are_hypergeometric() -> None:
    """Of 30 items r stand above; of 7 drawn, the number above is hypergeometric."""
    found = sampled_ranks(30, 7, 3, 12)
    for k, above in enumerate(range(3, 12)):
        np.testing.assert_allclose(found[k], hypergeom.pmf(np.arange(8), 30, above, 7), atol=1e-12)
    np.testing.assert_allclose(sampled_ranks(30, 30, 0, 31), np.eye(31), atol=1e-9)


SPREADS = {"power law": RANKS**-0.7, "exponential": np.exp(-RANKS / 170), "hyperbola": 1 / (RANKS + 20), "even": RANKS**0.0}


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("metric", BY_RANK)
def test_expected_bias_of_99_among_1700(metric: str, spread: str) -> None:
    """No draws: E[value] − truth is a sum over ranks, here for relevant items whose ranks fall off in four ways."""
    exact, share = BY_RANK[metric].astype(float), SPREADS[spread] / SPREADS[spread].sum()
    chances = sampled_ranks(1699, 99, 0, 1700)
    truth, met = share @ exact, share @ chances
    plain = abs(met @ exact[:100] - truth)
    for name in ("cls", "bv"):
        values = make("estimator", name).values(*moments_of(chances, exact))
        assert abs(met @ values - truth) < 0.15 * plain, name


def test_a_sample_of_everything_needs_no_correction() -> None:
    split, scores = world()
    truth = means(split, scores, "targets(relevant=one)")
    for estimator in ("cls", "bv"):
        whole = means(split, scores, f"targets(relevant=one, nonrelevant=400, corrected={estimator})")
        np.testing.assert_allclose(whole, truth, rtol=1e-12)


@pytest.mark.parametrize("sampled", [5, 20, 99])
@pytest.mark.parametrize("pool", [120, 1699])
@pytest.mark.parametrize("metric", BY_RANK)
def test_corrected_values_fall_within_the_range(metric: str, pool: int, sampled: int) -> None:
    exact = 5 * BY_RANK[metric].astype(float)[: pool + 1]
    chances = sampled_ranks(pool, sampled, 0, pool + 1)
    found = make("estimator", "cls").values(*moments_of(chances, exact))
    assert (np.diff(found) <= 1e-12).all()
    assert (found >= 0).all()
    assert 0.05 < found[0] <= exact[0]
    assert_no_better_way(found, lambda values: float(np.sum((chances @ values - exact) ** 2)), exact[0])


def test_the_bound_is_needed_and_not_a_clip() -> None:
    """Without it Recall@10 of rank 1 would be above 1 here; with it the values below are others than without."""
    exact = BY_RANK["Recall@10"].astype(float)[:401]
    chances = sampled_ranks(400, 50, 0, 401)
    squares, cross, mean, first = moments_of(chances, exact)
    free = make("estimator", "cls").values(squares, cross, mean, np.inf)
    bound = make("estimator", "cls").values(squares, cross, mean, first)
    assert free[0] > 1.001
    assert bound[0] == 1
    assert not np.allclose(np.minimum(free, 1), bound)
    assert np.sum((chances @ bound - exact) ** 2) < np.sum((chances @ np.minimum(free, 1) - exact) ** 2)


def test_other_metrics_refuse() -> None:
    split, scores = world()
    made = make("target", "OnePlusRandom(20, corrected=bv)")
    plan = RankPlan(
        split=split, users=users_of(split), targets=(made,), fallbacks={"none": None}, ties=(make("ties", "item"),), seed=3
    )
    relevance = make("relevance", "threshold(5)").judge(split.test, plan.users, 5)
    judged = judge_ranks(rank(Table(scores), plan).of(made, None, "none", "item"), relevance)
    with refused(NotApplicableError, where="target", hint="use corrected=none"):
        measure(judged, [make("metric", "AUC")], target=made)
