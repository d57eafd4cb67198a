"""What the target protocols promise: bounds, random rankings, averages over classes, heads, relevance rules, lists."""

from __future__ import annotations

import numpy as np
import pytest
from tests.targets.judging import judged_under, values
from tests.targets.tiny import random_split

from heldout.catalogue import make
from heldout.metrics.measuring import class_weights, measure
from heldout.tables import Interactions, Split, Vocabulary


@pytest.mark.parametrize("sample", ["", ", nonrelevant=12"])
@pytest.mark.parametrize("seed", range(6))
def test_precision_of_one_relevant_lists_is_bounded_by_that_of_all_relevant_ones(seed: int, sample: str) -> None:
    """Bellogín, Castells and Cantador 2017, eq. 2, with the same non-relevant items in both:
    |U| P@n / |PR| ≤ 1RP@n ≤ Σ_u m_u P_u@m_u / (n |PR|), m_u = n + |PR(u)| − 1."""
    rng = np.random.default_rng(seed)
    split, n = random_split(rng, 40, 50), 5
    scores = rng.standard_normal((40, 50))
    every = judged_under(split, scores, f"targets(candidates=test{sample})")
    one = judged_under(split, scores, f"targets(candidates=test, relevant=one{sample})")
    total = len(one)
    assert total == (every.relevance.relevant & True).sum()
    single = make("metric", f"P@{n}").measure(one).mean()
    lower = make("metric", f"P@{n}").measure(every).sum() / total
    depth = n + every.relevance.total(None) - 1
    hits = [
        (every.rank[a:b][every.relevant()[a:b]] <= m).sum()
        for a, b, m in zip(every.indptr, every.indptr[1:], depth, strict=False)
    ]
    assert lower <= single + 1e-12
    assert single <= sum(hits) / (n * total) + 1e-12
    assert lower < single  # some user has several relevant items


@pytest.mark.parametrize("target", ["AllItems", "TestRatings", "TestItems", "targets(candidates=test, nonrelevant=3)"])
def test_rho_is_the_mean_precision_of_random_rankings(target: str) -> None:
    """Also where a user has fewer than n targets."""
    rng = np.random.default_rng(8)
    split = random_split(rng, 30, 24)
    n, found = 4, []
    for _ in range(300):
        judged = judged_under(split, rng.random((30, 24)), target)
        found.append(values(judged, f"P@{n}").values[:, 0])
    rho = values(judged, f"Rho@{n}").values[:, 0]
    assert (judged.targets < n).any() == (target in ("TestRatings", "targets(candidates=test, nonrelevant=3)"))
    error = np.std(found, axis=0) / np.sqrt(len(found))
    assert (np.abs(np.mean(found, axis=0) - rho) < 4.5 * error + 1e-12).all()
    assert abs(np.mean(found) - rho.mean()) < 4 * np.std(np.mean(found, axis=1)) / np.sqrt(len(found)) + 1e-12


def test_rho_without_a_cut_off_is_one_over_t_in_lists_of_one_relevant_item() -> None:
    split = random_split(np.random.default_rng(1), 30, 40)
    judged = judged_under(split, np.zeros((30, 40)), "OnePlusRandom(9)", "threshold(5)")
    assert set(make("metric", "Rho").measure(judged)[judged.targets == 10].tolist()) == {0.1}


def test_classes_are_averaged_one_by_one() -> None:
    """Within a class over its lists, then over classes: Σ_c (1/m)(1/n_c) Σ x."""
    rng = np.random.default_rng(3)
    split = random_split(rng, 40, 60)
    target = "targets(candidates=test, relevant=one, nonrelevant=4, percentiles=3)"
    judged = judged_under(split, rng.standard_normal((40, 60)), target)
    x = make("metric", "RR").measure(judged)
    wanted = np.mean([x[judged.stratum == c].mean() for c in range(3)])
    found = values(judged, "RR", target=target)
    weighed = ~np.isnan(found.values[:, 0])
    assert found.weights.sum() == pytest.approx(1)
    assert np.average(found.values[weighed, 0], weights=found.weights[weighed]) == pytest.approx(wanted)
    tested = np.arange(len(judged.relevance)) % 2 == 0
    some = measure(judged, [make("metric", "RR")], target=make("target", target), tested=tested)
    kept = tested[judged.owner]
    wanted = np.mean([x[(judged.stratum == c) & kept].mean() for c in range(3)])
    weighed = some.weights > 0
    assert np.average(some.values[weighed, 0], weights=some.weights[weighed]) == pytest.approx(wanted)


def test_users_of_a_class_can_count_the_same() -> None:
    rng = np.random.default_rng(3)
    split = random_split(rng, 40, 60)
    judged = judged_under(split, rng.standard_normal((40, 60)), "targets(relevant=one, percentiles=2)")
    weight = class_weights(judged, by_user=True, tested=None)
    x = make("metric", "RR").measure(judged)
    by_class = []
    for c in range(2):
        of_class = judged.stratum == c
        by_class.append(np.mean([x[of_class & (judged.owner == u)].mean() for u in set(judged.owner[of_class].tolist())]))
    assert (weight * x).sum() == pytest.approx(np.mean(by_class))


def test_the_head_leaves_test_relevance_and_candidates() -> None:
    """Item 0 has most ratings; with head=0.25 of 4 items it goes: R of user 0 is 1, not 2, and it is never ranked."""
    users, items = Vocabulary.numbered(3), Vocabulary.numbered(4)
    train = Interactions.build(users, items, np.array([1, 2, 0]), np.array([0, 0, 3]), np.array([5.0, 5, 5]))
    test = Interactions.build(users, items, np.array([0, 0, 1]), np.array([0, 1, 2]), np.array([5.0, 4, 5]))
    judged = judged_under(Split(train=train, test=test), np.tile([9.0, 3, 2, 1], (3, 1)), "targets(head=0.25)")
    assert judged.total_relevant().tolist() == [1, 1]
    assert judged.item.tolist() == [1, 2]
    assert judged.rank.tolist() == [1, 2]
    assert judged.targets.tolist() == [2, 3]  # 1 and 2; 1, 2 and 3
