"""The Bayesian signed tests: against the definition, against a Dirichlet, and by symmetry."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import threads
from heldout.aggregations.mean import PLAIN
from heldout.errors import NotApplicableError
from heldout.kernels.resampling import signed_rank_draws
from heldout.significance import Bayes
from heldout.significance.corrections.holm import Holm
from heldout.significance.pairs import SettingValues, compare_pairs


def columns_of(*d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.vstack([np.zeros(len(d[0])), *d]).T, np.array([(k + 1, 0) for k in range(len(d))])


def test_pairs_of_users_are_weighed_as_the_definition_says() -> None:
    rng = np.random.default_rng(0)
    d, rope = np.round(rng.normal(0, 0.05, 12), 2), 0.02
    order = np.argsort(d, kind="stable")
    z = d[order]
    weights = rng.exponential(size=(5, 12))
    above = np.searchsorted(z, 2 * rope - z + 1e-12, side="right")
    below = np.searchsorted(z, -2 * rope - z - 1e-12, side="left")
    found = np.empty((5, 3))
    signed_rank_draws(weights, order, above, below, found)
    for w, theta in zip(weights / weights.sum(axis=1, keepdims=True), found, strict=True):
        expected = np.zeros(3)
        for i in range(12):
            for j in range(12):
                total = d[i] + d[j]
                side = 0 if total > 2 * rope + 1e-12 else 2 if total < -2 * rope - 1e-12 else 1
                expected[side] += w[i] * w[j]
        np.testing.assert_allclose(theta, expected, atol=1e-12)


def test_the_sign_test_is_a_dirichlet_of_three_counts() -> None:
    # 6 better, 3 within the region, 1 worse, and the pseudo-difference of weight 0.5 within: Dirichlet(6, 3.5, 1)
    d = np.array([0.3] * 6 + [0.0, 0.005, -0.005] + [-0.4])
    columns, pairs = columns_of(d)
    found = Bayes(0.01, "sign", 0.5, 40_000).figures(columns, pairs, seed=1)
    drawn = np.random.default_rng(0).dirichlet([6, 3.5, 1], 40_000)
    expected = np.bincount(drawn.argmax(axis=1), minlength=3) / 40_000
    assert [found[k][0] for k in ("better", "equal", "worse")] == pytest.approx(expected, abs=0.012)


@pytest.mark.parametrize("statistic", ["signed_rank", "sign"])
def test_differences_at_the_edge_of_the_region_are_within_it(statistic: str) -> None:
    high = np.full(30, 0.3)
    assert 0.3 - 0.29 > 0.01  # by rounding alone
    found = Bayes(0.01, statistic, 0.5, 500).figures(np.array([high, high - 0.01]).T, np.array([[0, 1]]), seed=1)
    assert {name: values[0] for name, values in found.items()} == {"better": 0.0, "equal": 1.0, "worse": 0.0}


@pytest.mark.parametrize("statistic", ["signed_rank", "sign"])
def test_clear_cases_and_symmetry(statistic: str) -> None:
    rng = np.random.default_rng(2)
    clear, none, noise = rng.normal(0.2, 0.05, 60), rng.normal(0, 0.001, 60), rng.normal(0, 0.2, 60)
    columns, pairs = columns_of(clear, -clear, none, noise, -noise)
    found = Bayes(0.01, statistic, 0.5, 2000).figures(columns, pairs, seed=4)
    assert found["better"][0] > 0.999 and found["worse"][1] > 0.999 and found["equal"][2] > 0.999
    assert found["better"][3] == pytest.approx(found["worse"][4], abs=0.05)
    total = sum(found[k] for k in ("better", "equal", "worse"))
    np.testing.assert_allclose(total, 1.0)


def test_no_p_same_on_any_number_of_threads_and_turned_where_lower_is_better() -> None:
    x = np.random.default_rng(5).random((2, 40))
    test = Bayes(0.01, "signed_rank", 0.5, 1200)
    with threads.using(1):
        one = test.figures(x.T, np.array([[0, 1]]), seed=1)
    with threads.using(2):
        two = test.figures(x.T, np.array([[0, 1]]), seed=1)
    assert {k: v.tolist() for k, v in one.items()} == {k: v.tolist() for k, v in two.items()}
    every = np.ones(x.shape, dtype=bool)
    for higher, same in ((True, "better"), (False, "worse")):
        setting = SettingValues(name="RMSE", values=x, included=every, aggregation=PLAIN, higher_is_better=higher)
        row = compare_pairs([setting], ["a", "b"], tests=[test], correction=Holm(), seed=1)[0][0]
        assert row.p[str(test)] is None and row.p_adjusted[str(test)] is None
        assert row.figures[str(test)][same] == one["better"][0]
    with pytest.raises(NotApplicableError, match="knows no weights"):
        test.figures(x.T, np.array([[0, 1]]), seed=1, weights=np.ones(40))
