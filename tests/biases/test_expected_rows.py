"""What is expected of systems on real lists: over samples of a fixed ranking, and between its bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.biases.sample import small_findings, small_study

from heldout import Study
from heldout.biases.expectations import expected_one_relevant, one_relevant_bounds
from heldout.biases.expected_rows import bounding, given_split, helper_targets, whole_pool
from heldout.biases.measured import Bench, SystemOnFold, systems_on, values_of
from heldout.biases.prepare import remade
from heldout.biases.protocols import declared_protocols
from heldout.biases.sweeps import one_relevant
from heldout.catalogue import make
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared, split_folds

P = make("metric", "P@3")
N = 7


def _system(study: Study, name: str) -> SystemOnFold:
    fold = next(next(split_folds(study, Prepared([], []), Clock()))[1])
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
            rows = values_of(drawn, [other.scores((judgement.target,), (P,))], ["Random"])
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
