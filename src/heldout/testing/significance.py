"""The contracts of significance tests and of corrections: what each of the catalogue, ours or yours, must keep.

from heldout.testing import check_correction, check_test
check_test(MyTest(samples=1000))
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from heldout import threads
from heldout.errors import NotApplicableError
from heldout.significance.significance_test import Correction, Test
from heldout.tables.arrays import Float64, Int64
from heldout.testing.components import check_text_form, contract

USERS = 40
SETS = 400
"""Sets of equal systems that a test is tried on."""
LEVELS = (0.05, 0.2, 0.5)


@contract
def check_test(test: Test) -> None:
    """Raise AssertionError, saying what is broken, unless the test keeps the contract.

    That p is not too small under the null is seen on 400 sets of values, and that a clear difference is found on one.
    """
    check_text_form(test)
    columns = _columns(1)
    pairs = _pairs(columns)
    p = test.p_values(columns, pairs, seed=1)
    assert p.shape == (len(pairs),), f"{test} gives p of shape {p.shape} for {len(pairs)} pairs"
    is_fixed_by_the_seed(test, columns, pairs, p)
    knows_its_weights(test, columns, pairs, p)
    if test.all_at_once:
        lays_out_all_systems(test, columns)
    if not test.has_p:
        gives_figures(test, columns, pairs, p)
        return
    assert ((p >= 0) & (p <= 1)).all(), f"{test} gives p-values outside 0 to 1: {p}"
    sees_no_difference_where_there_is_none(test, columns)
    does_not_depend_on_the_order(test, columns, pairs, p)
    finds_a_clear_difference(test)
    rejects_equal_systems_no_more_often_than_the_level(test)


def is_fixed_by_the_seed(test: Test, columns: Float64, pairs: Int64, p: Float64) -> None:
    """The same seed gives the same bytes, on one thread and on two, and the values stay as they were."""
    before = columns.copy()
    for n in (1, 2):
        with threads.using(n):
            again = test.p_values(columns, pairs, seed=1)
        assert again.tobytes() == p.tobytes(), f"{test} gives another p the second time, with {n} threads"
    assert np.array_equal(columns, before), f"{test} changed the values"


def knows_its_weights(test: Test, columns: Float64, pairs: Int64, p: Float64) -> None:
    """Equal weights give the plain p; a test that is not `weighable` refuses weights."""
    weights = np.full(len(columns), 2.0)
    if test.weighable:
        weighed = test.p_values(columns, pairs, seed=1, weights=weights)
        np.testing.assert_allclose(weighed, p, rtol=1e-9, atol=1e-12, err_msg=f"{test}: equal weights change p")
        return
    try:
        (test.p_values if test.has_p else test.figures)(columns, pairs, seed=1, weights=weights)
    except NotApplicableError:
        return
    raise AssertionError(f"{test} is not weighable, and takes weights without a word")


def lays_out_all_systems(test: Test, columns: Float64) -> None:
    """A test of all systems at once tells where each stands, and p of all together."""
    layout = test.layout(columns, level=0.05)
    assert layout is not None, f"{test} takes all systems at once and lays nothing out"
    assert len(layout.places) == columns.shape[1], f"{test} places {len(layout.places)} of {columns.shape[1]} systems"
    assert 0 <= layout.p <= 1, f"{test} gives p = {layout.p} of all systems together"


def gives_figures(test: Test, columns: Float64, pairs: Int64, p: Float64) -> None:
    """A test without p-values gives NaN for p, and figures instead."""
    assert np.isnan(p).all(), f"{test} declares that it has no p, and gives some"
    figures = test.figures(columns, pairs, seed=1)
    assert figures, f"{test} gives neither p nor figures"
    for name, numbers in figures.items():
        assert len(numbers) == len(pairs), f"{test}: {len(numbers)} figures '{name}' for {len(pairs)} pairs"


def sees_no_difference_where_there_is_none(test: Test, columns: Float64) -> None:
    """Two equal columns have p = 1."""
    twice = np.column_stack([columns, columns[:, :1]])
    p = test.p_values(twice, np.array([[0, columns.shape[1]]]), seed=1)[0]
    assert p > 0.999, f"{test} gives p = {p} for two systems that are equal for every user"


def does_not_depend_on_the_order(test: Test, columns: Float64, pairs: Int64, p: Float64) -> None:
    """A two-sided p is the same for (a, b) and (b, a); where nothing is drawn, the order of users does not matter."""
    if not test.one_sided:
        turned = test.p_values(columns, pairs[:, ::-1].copy(), seed=1)
        np.testing.assert_allclose(turned, p, rtol=1e-9, atol=1e-12, err_msg=f"{test}: p of (b, a) is not that of (a, b)")
    if test.p_values(columns, pairs, seed=2).tobytes() == p.tobytes():
        users = np.random.default_rng(3).permutation(len(columns))
        shuffled = test.p_values(columns[users], pairs, seed=1)
        np.testing.assert_allclose(shuffled, p, rtol=1e-9, atol=1e-12, err_msg=f"{test}: order of users")


def finds_a_clear_difference(test: Test) -> None:
    """Where one system is better by three standard deviations for every user, p is small."""
    columns = _columns(2)
    columns[:, 0] += 3.0
    p = test.p_values(columns, np.array([[0, 1], [1, 0]]), seed=1).min()
    assert p < 0.01, f"{test} gives p = {p} for a difference of three standard deviations in {USERS} users"


def rejects_equal_systems_no_more_often_than_the_level(test: Test) -> None:
    """P(p ≤ α) is at most α, within four standard errors, if systems are equal in distribution."""
    if test.all_at_once:
        p = np.array([test.p_values(_columns(k), np.array([[0, 1]]), seed=k)[0] for k in range(SETS)])
    else:
        columns = np.random.default_rng(11).normal(size=(USERS, 2 * SETS))
        p = test.p_values(columns, np.arange(2 * SETS).reshape(-1, 2), seed=1)
    for level in LEVELS:
        share = float((p <= level).mean())
        most = level + 4 * np.sqrt(level * (1 - level) / SETS)
        assert share <= most, f"{test} rejects equal systems at level {level:g} in {share:.1%} of {SETS} sets"


@contract
def check_correction(correction: Correction) -> None:
    """Raise AssertionError, saying what is broken, unless the correction keeps the contract."""
    check_text_form(correction)
    p = np.array([0.04, 0.001, 0.6, 0.02, 0.02, 1.0])
    adjusted = correction.adjust(p)
    assert adjusted.shape == p.shape, f"{correction} gives {adjusted.shape[0]} p-values for {len(p)}"
    assert (adjusted >= p).all() and (adjusted <= 1).all(), f"{correction} lowers a p-value, or raises it above 1"
    order = np.argsort(p, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all(), f"{correction} changes the order of p-values"
    turned = correction.adjust(p[::-1].copy())
    assert np.array_equal(turned[::-1], adjusted), f"{correction} depends on the order in which p-values come"
    with_nan = correction.adjust(np.append(p, np.nan))
    assert np.isnan(with_nan[-1]), f"{correction} gives a p-value to a comparison that has none"
    assert np.array_equal(with_nan[:-1], adjusted), f"{correction} counts a comparison without a p-value in the family"
    alone = correction.adjust(np.array([0.03]))
    assert np.allclose(alone, 0.03), f"{correction} changes the p-value of one comparison alone"
    assert correction.corrects == bool((adjusted > p).any()), f"{correction} does not do what `corrects` says"


def _columns(seed: int, systems: int = 4) -> Float64:
    """Values of systems that are equal in distribution, for users who differ."""
    draw = np.random.default_rng(seed)
    columns: Float64 = draw.normal(size=(USERS, systems)) + draw.normal(size=(USERS, 1))
    return columns


def _pairs(columns: Float64) -> Int64:
    return np.array(list(combinations(range(columns.shape[1]), 2)), dtype=np.int64)
