"""Closed forms against all cases of small examples, and against 200,000 random rankings."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import polars as pl
import pytest
from scipy.stats import hypergeom
from tests.biases.sample import small_findings, small_study

from heldout import Study
from heldout.biases.expectations import (
    bounding,
    chance_within,
    expected_one_relevant,
    first_items,
    fixed_order,
    given_split,
    helper_targets,
    one_relevant_bounds,
    random_all_relevant,
    random_one_relevant,
    whole_pool,
)
from heldout.biases.measured import Bench, SystemOnFold, systems_on, values_of
from heldout.biases.prepare import remade
from heldout.biases.protocols import declared_protocols
from heldout.biases.sweeps import one_relevant
from heldout.catalogue import make
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared, split_folds
from heldout.tables import Interactions, Vocabulary

RANKINGS = 200_000


def _precision_of_all_orders(size: int, relevant: int, n: int) -> float:
    """P@n over all orders of `size` items, of which the first few are relevant."""
    orders = list(permutations(range(size)))
    return sum(sum(item < relevant for item in order[:n]) for order in orders) / (n * len(orders))


@pytest.mark.parametrize(("size", "relevant", "n"), [(5, 2, 3), (6, 1, 2), (4, 4, 1)])
def test_equation_4_is_the_mean_over_all_orders(size: int, relevant: int, n: int) -> None:
    sizes = np.full(3, float(size))
    assert random_all_relevant(3.0 * relevant, sizes) == pytest.approx(_precision_of_all_orders(size, relevant, n))


@pytest.mark.parametrize(("size", "n"), [(5, 3), (6, 1), (3, 3)])
def test_equation_5_is_the_mean_over_all_orders(size: int, n: int) -> None:
    assert random_one_relevant(np.full(4, float(size))) == pytest.approx(_precision_of_all_orders(size, 1, n))


def test_equation_4_against_random_rankings() -> None:
    """200,000 rankings: the mean lies within four standard errors of σδ, where all users rank equally many items."""
    draw, size, n = np.random.default_rng(1), 40, 10
    relevant = draw.integers(0, 6, 50)
    each = RANKINGS // len(relevant)
    hits = np.concatenate([draw.hypergeometric(r, size - r, n, each) for r in relevant]) / n
    expected = random_all_relevant(float(relevant.sum()), np.full(len(relevant), float(size)))
    # rankings of the same user share its expectation: the error is that within users
    error = np.sqrt(np.mean([hits[k * each : (k + 1) * each].var() for k in range(len(relevant))]) / len(hits))
    assert abs(hits.mean() - expected) < 4 * error


def test_equation_3_is_the_mean_over_all_splits() -> None:
    """Every liked pair tests with probability σ; all lists begin with items 0 and 1 of 3, and no list lacks an item."""
    likes, share, users, n = [(0, 0), (1, 0), (1, 1), (2, 2)], 0.3, 3, 2
    total = 0.0
    for tested in product((False, True), repeat=len(likes)):
        chance = np.prod([share if t else 1 - share for t in tested])
        hits = sum(t and item < n for t, (_, item) in zip(tested, likes, strict=True))
        total += float(chance) * hits / (n * users)
    positives = share * np.bincount([item for _, item in likes], minlength=3)
    order = np.tile([0, 1], (users, 1))
    assert fixed_order(positives, order, 3, np.full(users, 3.0)) == pytest.approx(total)


def test_the_documented_case_of_equation_3_and_lists_that_end_early() -> None:
    positives = np.array([1.0, 0.5, 0.0, 0.0])
    assert fixed_order(positives, np.array([[0, 1], [0, 1]]), 4, np.full(2, 4.0)) == 0.375
    assert fixed_order(positives, np.array([[0, -1], [0, -1]]), 4, np.full(2, 4.0)) == 0.25  # nothing at the second place


def test_equation_3_of_a_random_order_is_equation_4() -> None:
    """Averaged over all orders of the candidates, eq. 3 gives σδ."""
    positives, sizes = np.array([0.9, 0.4, 0.2, 0.0]), np.array([4.0, 3.0])
    orders = [np.tile(order[:2], (2, 1)) for order in permutations(range(4))]
    mean = np.mean([fixed_order(positives, order, 4, sizes) for order in orders])
    assert mean == pytest.approx(random_all_relevant(float(positives.sum()), sizes))


def test_the_chance_of_a_sampled_rank_by_counting_samples() -> None:
    for pool, above, sampled, n in product((1, 3, 6), (0, 1, 3), (1, 2, 5), (1, 2, 4)):
        if above > pool:
            continue
        samples = list(combinations(range(pool), min(sampled, pool)))
        counted = np.mean([sum(item < above for item in sample) <= n - 1 for sample in samples])
        assert chance_within(n, np.array([pool]), np.array([above]), sampled)[0] == pytest.approx(counted, abs=1e-12)


def test_the_chance_of_a_sampled_rank_is_scipys() -> None:
    draw = np.random.default_rng(2)
    pool = draw.integers(100, 4000, 500)
    above = (pool * draw.random(500)).astype(np.int64)
    ours = chance_within(10, pool, above, 99)
    assert np.allclose(ours, hypergeom.cdf(9, pool, above, 99), rtol=1e-9, atol=1e-12)


def test_the_chance_of_a_sampled_rank_against_random_samples() -> None:
    draw = np.random.default_rng(3)
    inside = draw.hypergeometric(300, 3000 - 300, 99, RANKINGS) <= 9
    chance = float(chance_within(10, np.array([3000]), np.array([300]), 99)[0])
    assert abs(inside.mean() - chance) < 4 * np.sqrt(chance * (1 - chance) / RANKINGS)


def test_first_items_leave_out_what_the_user_has() -> None:
    users, items = Vocabulary.of(pl.Series([0, 1])), Vocabulary.of(pl.Series([0, 1, 2, 3]))
    train = Interactions.build(users, items, np.array([0, 0, 1]), np.array([2, 0, 3]), np.ones(3))
    order = np.array([2, 0, 3])  # item 1 is no candidate
    assert first_items(order, train, np.array([0, 1]), 2).tolist() == [[3, -1], [2, 0]]


P = make("metric", "P@3")
N = 7


def _system(study: Study, name: str) -> SystemOnFold:
    fold = next(next(split_folds(study, Prepared(), Clock()))[1])
    return next(s for s in systems_on(study, remade(study, fold), Bench()) if s.name == name)


@pytest.mark.parametrize("classes", [1, 3])
def test_the_mean_over_samples_is_what_is_expected(classes: int) -> None:
    """Popularity's ranking is fixed: other seeds draw other samples of the same split. Within four standard errors."""
    target = one_relevant(N, classes=classes)
    pool = whole_pool(target)
    assert pool is not None
    study = replace(small_study(), target=(target, pool), metrics=(P,))
    system = _system(study, "Popularity")
    expected = expected_one_relevant(next(system.judgements((pool,), (P,))), 3, N)
    values = []
    for seed in range(60):
        drawn = replace(system.study, seed=1000 + seed)
        [other] = system.on([system.fold], replace(drawn, target=(target,)))
        values.append(values_of(drawn, [other.scores((target,), (P,))], ["Popularity"])[0].value)
    assert np.std(values) > 0
    assert abs(np.mean(values) - expected) < 4 * np.std(values) / np.sqrt(len(values))


def test_where_all_of_the_pool_is_drawn_nothing_is_left_to_chance() -> None:
    target = one_relevant(60)
    pool = whole_pool(target)
    assert pool is not None
    study = replace(small_study(), target=(target, pool), metrics=(P,))
    system = _system(study, "ItemKNN(k=10)")
    expected = expected_one_relevant(next(system.judgements((pool,), (P,))), 3, 60)
    assert values_of(study, [system.scores((target,), (P,))], [system.name])[0].value == pytest.approx(expected)


def test_one_relevant_lies_between_its_bounds_for_every_system() -> None:
    """Equation 2 is a lemma: it holds without a tolerance but for rounding."""
    rows = [row for row in small_findings().expectations if not np.isnan(row.lower)]
    assert {row.protocol for row in rows} == {"1R", "1R-head", "U1R"}
    for row in rows:
        assert row.lower - 1e-12 <= row.measured <= row.upper + 1e-12
    points = [point for point in small_findings().curves if not np.isnan(point.lower)]
    assert {point.sweep for point in points} == {"removed", "lists"}
    assert all(point.lower - 1e-12 <= point.value <= point.upper + 1e-12 for point in points)


def test_the_bounds_by_hand() -> None:
    """Lists of all relevant items of a user: with n = 1, one more place for each relevant item beyond the first."""
    target = one_relevant(N)
    together = bounding(target)
    assert together is not None and str(together) == f"targets(candidates=test, nonrelevant={N})"
    study = replace(small_study(), target=(together,), metrics=(P,))
    judgement = next(_system(study, "Popularity").judgements((together,), (P,)))
    judged = judgement.judged
    lower = upper = lists = 0
    for k in range(len(judged.owner)):
        ranks = judged.rank[judged.indptr[k] : judged.indptr[k + 1]][
            judged.relevant()[judged.indptr[k] : judged.indptr[k + 1]]
        ]
        total = int(judged.relevant_targets[k])
        lower, upper, lists = lower + int((ranks <= 1).sum()), upper + int((ranks <= total).sum()), lists + total
    bounds = one_relevant_bounds(judgement, 1)
    assert (bounds.lower, bounds.upper) == (pytest.approx(lower / lists), pytest.approx(upper / lists))


def test_random_ranking_is_expected_to_reach_rho() -> None:
    """The mean precision of 300 random rankings lies within four standard errors, under AR and in popularity classes."""
    targets = (make("target", "TestItems"), one_relevant(N, classes=3))
    study = replace(small_study(recommend=["Random", "Popularity"]), target=targets, metrics=(P,))
    system = _system(study, "Random")
    for judgement in system.judgements(targets, (P,)):
        expected = given_split(judgement, 3)
        values = []
        for seed in range(60):
            drawn = replace(study, seed=500 + seed)
            other = next(systems_on(drawn, system.fold, Bench()))
            rows = values_of(drawn, [other.scores((judgement.choices.target,), (P,))], ["Random"])
            values.append(rows[0].value)
        assert abs(np.mean(values) - expected) < 4 * np.std(values) / np.sqrt(len(values))


def test_closed_forms_are_those_of_the_paper() -> None:
    findings = small_findings()
    formulas = {(row.system, row.protocol): row.formula for row in findings.expectations}
    assert formulas["Random", "AR"] == "σδ (eq. 4)" and formulas["Random", "UAR"] == "σδ (eq. 4)"
    assert formulas["Random", "1R"] == formulas["Random", "U1R"] == "1/t (eq. 5)"
    assert formulas["Popularity", "AR"] == "eq. 3" and formulas["Popularity", "UAR"] == "§6.2"
    assert formulas["ItemKNN(k=10)", "AR"] == ""
    rows = {(row.system, row.protocol): row for row in findings.expectations}
    assert rows["Random", "1R"].expected == pytest.approx(0.1)  # lists of 10
    popular = rows["Popularity", "AR"]
    assert popular.exact == popular.measured  # the split leaves nothing to chance
    assert popular.gap == pytest.approx(popular.measured / popular.expected)


def test_only_sampled_lists_have_helpers() -> None:
    texts = [str(target) for target in helper_targets(declared_protocols())]
    assert whole_pool(make("target", "AllItems")) is None
    assert bounding(make("target", "P1R(nonrelevant=9)")) is None
    assert texts == [
        "targets(candidates=test, relevant=one, average=rating)",
        "targets(candidates=test, nonrelevant=99)",
        "targets(candidates=test, relevant=one, head=0.1, average=rating)",
        "targets(candidates=test, nonrelevant=99, head=0.1)",
        "targets(candidates=test, relevant=one, percentiles=10, average=rating)",
    ]
