"""Permutation, bootstrap, Bayesian and subsampled tests."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from tests.refusals import refused

from heldout import rng, threads
from heldout.aggregations.mean import PLAIN
from heldout.catalogue import make
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.kernels.resampling import signed_rank_draws
from heldout.significance import Bayes, Bootstrap, PairedT, Permutation, Sign, Subsampled, Wilcoxon, permutation
from heldout.significance.corrections import Holm
from heldout.significance.pairs import compare_pairs
from heldout.significance.value_batch import ScaledValues, ValueBatch

PAIR = np.array([[0, 1]])


def columns_of(d: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Columns and pairs whose differences are the rows of `d`: each against one column of zeros."""
    columns = np.vstack([np.zeros(d.shape[1]), d]).T
    return columns, np.array([(k + 1, 0) for k in range(len(d))])


def enumerated(d: NDArray[np.float64]) -> float:
    """p over all 2^n flips, the slow way."""
    observed, tolerance = abs(d.sum()), 1e-6 * np.abs(d).sum()
    sums = [abs(np.dot(s, d)) for s in product((1, -1), repeat=len(d))]
    return sum(t >= observed - tolerance for t in sums) / len(sums)


def test_by_hand() -> None:
    # 1, 2, 3: only +++ and −−− reach 6 → 2/8. 1, 1, −1: |sum| 1 is reached by all 8.
    columns, pairs = columns_of(np.array([[1.0, 2, 3], [1.0, 1, -1]]))
    assert Permutation().p_values(columns, pairs, seed=0).tolist() == [0.25, 1.0]


def test_sums_within_a_millionth_of_all_differences_are_ties() -> None:
    # Magnitudes 1, 1 + δ, 1: of 8 flips 2 give 3 + δ, 4 the observed 1 + δ and 2 give 1 − δ. The last are ties when
    # 2δ ≤ 1e-6·(3 + δ): for δ = 1e-6, not for 2e-6.
    columns, pairs = columns_of(np.array([[1.0, 1 + 1e-6, -1], [1.0, 1 + 2e-6, -1]]))
    assert Permutation().p_values(columns, pairs, seed=0).tolist() == [1.0, 0.75]


@pytest.mark.parametrize("n", [2, 5, 11, 12])
def test_all_flips_are_taken_where_they_are_few(n: int) -> None:
    d = np.random.default_rng(n).normal(0.4, 1, (6, n))
    d[0] = np.round(d[0])  # ties
    columns, pairs = columns_of(d)
    expected = [enumerated(row) for row in d]
    for method in ("hadamard", "plain"):
        found = Permutation(samples=2**n, method=method).p_values(columns, pairs, seed=1)
        assert found.tolist() == pytest.approx(expected, abs=1e-15)


def test_all_flips_are_taken_in_several_blocks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "_LARGEST", 4)
    d = np.random.default_rng(4).normal(0.4, 1, (3, 9))
    columns, pairs = columns_of(d)
    assert Permutation().p_values(columns, pairs, seed=1).tolist() == pytest.approx([enumerated(row) for row in d])


def test_agrees_with_scipy() -> None:
    x, y = np.random.default_rng(8).random((2, 10))
    expected = stats.permutation_test(
        (x, y), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=2000
    ).pvalue
    found = Permutation().p_values(np.array([x, y]).T, PAIR, seed=0)
    assert found[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", ["hadamard", "plain"])
def test_sampled_flips_agree_with_all_of_them_within_monte_carlo_error(method: str) -> None:
    d = np.random.default_rng(2).normal(0.3, 1, (40, 14))
    columns, pairs = columns_of(d)
    exact = Permutation(samples=2**14).p_values(columns, pairs, seed=0)
    found = Permutation(samples=10_000, method=method).p_values(columns, pairs, seed=3)
    assert np.all(np.abs(found - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 10_000) + 2e-4)
    assert np.abs(found - exact).max() > 0  # flips were indeed sampled


def test_both_methods_agree_on_many_users_with_ties() -> None:
    rng = np.random.default_rng(7)
    columns = rng.binomial(10, [0.30, 0.30, 0.31, 0.33], (700, 4)) / 10
    pairs = np.array([(a, b) for a in range(4) for b in range(a)])
    plain = Permutation(samples=20_000, method="plain").p_values(columns, pairs, seed=1)
    fast = Permutation(samples=20_000).p_values(columns, pairs, seed=2)
    assert np.all(np.abs(plain - fast) < 4.5 * np.sqrt(2 * plain * (1 - plain) / 20_000) + 2e-4)


def test_one_hadamard_block_is_exactly_uniform_over_sign_patterns() -> None:
    # The argument itself: given magnitudes, over all 2^8 equally likely signs, each of the 8 values of p is as likely.
    magnitudes = np.random.default_rng(11).random(8) + 0.1
    d = np.array(list(product((1.0, -1.0), repeat=8))) * magnitudes
    columns, pairs = columns_of(d)
    p = Permutation(samples=8).p_values(columns, pairs, seed=5)
    assert np.unique(p).tolist() == [k / 8 for k in range(1, 9)]
    assert np.unique(p, return_counts=True)[1].tolist() == [32] * 8


@pytest.mark.parametrize("largest", [16, 2], ids=["own positions", "shared positions"])
def test_several_hadamard_blocks_are_uniform_over_sign_patterns(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "_LARGEST", largest)
    magnitudes = np.random.default_rng(12).random(7) + 0.1
    d = np.array(list(product((1.0, -1.0), repeat=7))) * magnitudes
    columns, pairs = columns_of(d)
    p = np.array([Permutation(samples=24).p_values(columns, pairs, seed=s) for s in range(300)])
    for level in (1 / 8, 1 / 4, 1 / 2, 3 / 4):
        by_seed = (p <= level).mean(axis=1)
        error = by_seed.std(ddof=1) / np.sqrt(len(by_seed))
        # Ties of whole flips (s and −s) can only make p larger: never above the level, and not far below.
        assert by_seed.mean() < level + 4 * error
        assert by_seed.mean() > level - 0.01


@pytest.mark.parametrize("method", ["hadamard", "plain"])
def test_p_is_uniform_under_the_null(method: str) -> None:
    rng = np.random.default_rng(20)
    p = []
    for seed in range(10):
        d = rng.standard_t(3, (200, 45)) * rng.gamma(1.0, 1.0, 45)  # heavy tails, unequal users, symmetric
        columns, pairs = columns_of(d)
        p.append(Permutation(samples=2000, method=method).p_values(columns, pairs, seed=seed))
    assert stats.kstest(np.concatenate(p), "uniform").pvalue > 0.01


def test_hadamard_flips_spread_no_more_over_seeds_than_independent_ones() -> None:
    columns, pairs = columns_of(np.random.default_rng(1).normal(0.1, 1, (5, 250)))
    p = np.array([Permutation(samples=4000).p_values(columns, pairs, seed=s) for s in range(60)])
    independent = np.sqrt(p.mean(axis=0) * (1 - p.mean(axis=0)) / 4000)
    assert np.mean(p.std(axis=0, ddof=1) / independent) < 1.1


@pytest.mark.parametrize("method", ["hadamard", "plain"])
def test_same_p_on_any_number_of_threads_and_other_p_with_another_seed(method: str) -> None:
    columns = np.random.default_rng(3).random((300, 6))
    pairs = np.array([(0, 1), (2, 3), (4, 5), (0, 5)])
    test = Permutation(samples=30_000, method=method)
    with threads.using(1):
        one = test.p_values(columns, pairs, seed=9)
    with threads.using(2):
        two = test.p_values(columns, pairs, seed=9)
    assert one.tolist() == two.tolist()
    assert one.tolist() != test.p_values(columns, pairs, seed=10).tolist()


@pytest.mark.parametrize("method", ["hadamard", "plain"])
def test_pairs_share_flips_so_that_a_pair_alone_has_the_same_p(method: str) -> None:
    columns = np.random.default_rng(3).random((100, 5))
    test = Permutation(samples=5000, method=method)
    together = test.p_values(columns, np.array([(0, 1), (2, 4), (4, 2)]), seed=1)
    assert test.p_values(columns, np.array([(2, 4)]), seed=1)[0] == together[1] == together[2]


@pytest.mark.parametrize("method", ["hadamard", "plain"])
def test_p_is_never_0_and_1_for_equal_columns(method: str) -> None:
    base = np.random.default_rng(6).random(200)
    columns = np.array([base, base + 1.0, base]).T
    p = Permutation(samples=999, method=method).p_values(columns, np.array([(0, 1), (0, 2)]), seed=0)
    flips = 1024 if method == "hadamard" else 1000  # four blocks of 2^8; 999 and the data themselves
    assert p.tolist() == [1 / flips, 1.0]


def test_weights_multiply_differences() -> None:
    d, w = np.array([1.0, 2, 3, -1]), np.array([3.0, 1, 1, 5])
    columns, pairs = columns_of(d[None])
    assert Permutation().p_values(columns, pairs, seed=0, weights=w)[0] == enumerated(d * w)


def test_pairs_of_columns_that_are_not_there_are_refused() -> None:
    with refused(InputError, found=[[0, 2]], expected="column numbers from 0 to 1"):
        Permutation().p_values(np.ones((3, 2)), np.array([[0, 2]]), seed=0)


@pytest.mark.parametrize("sparse", [False, True], ids=["many differ", "few differ"])
def test_sums_in_single_precision_count_ties_as_exact_ones_do(sparse: bool) -> None:
    # P@10 of three systems on 3,000 users: sums are multiples of 0.1 and meet the observed one exactly, again and again.
    # Where two systems differ on a few users only, sums of whole columns would round away what they differ by.
    rng = np.random.default_rng(21)
    tenths = rng.integers(0, 11, (3000, 3))
    if sparse:
        tenths[:, 1] = tenths[:, 0]
        tenths[:12, 1] = (tenths[:12, 0] + rng.choice([1, 1, 1, -1], 12)) % 11
    pairs = np.array([(0, 1), (1, 2)])
    single, turned = permutation.single_precision((tenths / 10).T.copy(), pairs)
    assert single.dtype == np.float32 and (len(single) > 3) is sparse
    signs = rng.choice([-1, 1], (4000, 3000)).astype(np.int8)
    for k, (a, b) in enumerate(pairs):
        exact = signs.astype(np.int64) @ (tenths[:, a] - tenths[:, b])
        observed = abs(int((tenths[:, a] - tenths[:, b]).sum()))
        a_sums, b_sums = (single[row] @ signs.T.astype(np.float32) for row in turned[k])
        sums = np.abs(a_sums - b_sums)
        threshold = observed / 10 - 1e-6 * np.abs(tenths[:, a] - tenths[:, b]).sum() / 10
        np.testing.assert_array_equal(sums >= np.float32(threshold), np.abs(exact) >= observed)
        assert (np.abs(exact) == observed).any()


def test_signs_are_the_bits_that_were_drawn() -> None:
    from heldout.kernels.flips import expand_signs

    words = np.random.default_rng(0).integers(0, 2**64, (3, 2), np.uint64)
    signs = np.empty((3, 100), np.float32)
    expand_signs(words, signs.view(np.uint32))
    for r in range(3):
        bits = [(int(words[r, u // 64]) >> (u % 64)) & 1 for u in range(100)]
        assert signs[r].tolist() == [-1.0 if bit else 1.0 for bit in bits]


BOOTSTRAP_PAIR = np.array([[1, 0]])


def bootstrap_columns_of(d: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return np.vstack([np.zeros(d.shape[1]), d]).T, np.array([(k + 1, 0) for k in range(len(d))])


def test_bootstrap_by_hand() -> None:
    # 1 and 3: t = 2. Less the mean −1, 1: of resamples (−1,−1), (1,1), (−1,1), (1,−1) the first two count.
    columns, pairs = bootstrap_columns_of(np.array([[1.0, 3.0]]))
    assert Bootstrap(20_000).p_values(columns, pairs, seed=1)[0] == pytest.approx(0.5, abs=0.015)


def test_against_resampling_one_by_one() -> None:
    d = np.random.default_rng(0).normal(0.2, 1, (3, 25))
    columns, pairs = bootstrap_columns_of(d)
    samples = 512
    found = Bootstrap(samples).p_values(columns, pairs, seed=5)
    for k, row in enumerate(d):
        centred, count = row - row.mean(), 0
        t = abs(row.mean()) / row.std(ddof=1)
        for start in (0, 256):
            drawn = rng.stream(5, "bootstrap test", start).integers(0, 25, (256, 25), np.int32)
            for users in drawn:
                sample = centred[users]
                count += abs(sample.mean()) / sample.std(ddof=1) >= t
        assert found[k] == (1 + count) / (1 + samples)


def squared_t(values: list[Fraction]) -> Fraction | None:
    """t² but for a constant factor; None is infinity."""
    mean = sum(values, Fraction()) / len(values)
    spread = sum((v - mean) ** 2 for v in values)
    return mean**2 / spread if spread else None if mean else Fraction()


def reached(values: list[Fraction], resample: list[int]) -> bool:
    """Whether |t*| of a resample is at least |t|, in exact arithmetic."""
    mean = sum(values, Fraction()) / len(values)
    observed, drawn = squared_t(values), squared_t([values[u] - mean for u in resample])
    return drawn is None or (observed is not None and drawn >= observed)


def exact_values(row: list[str]) -> tuple[list[Fraction], NDArray[np.float64], NDArray[np.int64]]:
    values = [Fraction(text) for text in row]
    return values, *bootstrap_columns_of(np.array([[float(v) for v in values]]))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (["1/10", "2/10", "-3/10"], Fraction(1)),  # the mean is 0, which floats make 1e-17
        (["-3/10", "-5/10", "-1/10"], Fraction(2, 27)),  # the first is the mean: three times the same 0 has t* = 0
        (["1", "3"], Fraction(1, 2)),
        (["1/3", "1/3", "-2/3"], Fraction(1)),
        (["1", "1", "1"], Fraction(0)),
    ],
)
def test_p_at_few_users_is_that_of_all_resamples(row: list[str], expected: Fraction) -> None:
    values, columns, pairs = exact_values(row)
    resamples = list(product(range(len(row)), repeat=len(row)))
    assert Fraction(sum(reached(values, list(users)) for users in resamples), len(resamples)) == expected
    samples = 20_000
    p = Bootstrap(samples).p_values(columns, pairs, seed=1)[0]
    if expected in (0, 1):
        assert p == float((1 + expected * samples) / (1 + samples))
    assert abs(p - float(expected)) <= 4.5 * np.sqrt(float(expected * (1 - expected)) / samples) + 1 / samples


@pytest.mark.parametrize("step", ["1/10", "1/3", "1/7", "1/1000"])
@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 12])
def test_rounding_decides_no_resample(n: int, shift: int, step: str) -> None:
    """Counts of the same resamples in exact fractions, of coarse values and of nearly equal ones."""
    draw = np.random.default_rng(n)
    for _ in range(6):
        row = [str(shift + Fraction(int(k)) * Fraction(step)) for k in draw.integers(-5, 6, n)]
        values, columns, pairs = exact_values(row)
        drawn = rng.stream(3, "bootstrap test", 0).integers(0, n, (256, n), np.int32)
        count = 256 if not any(values) else sum(reached(values, users) for users in drawn.tolist())
        assert Bootstrap(256).p_values(columns + 0.7, pairs, seed=3)[0] == (1 + count) / 257, row


def test_differences_that_are_not_exact_in_binary() -> None:
    """Values in tenths whose differences are −.3, −.5 and −.1; of the 27 resamples 2 are as extreme."""
    for b in ([6, 6, 8], [7, 9, 6], [9, 8, 7]):
        a = (np.array(b) - np.array([3, 5, 1])) / 10
        p = Bootstrap(20_000).p_values(np.array([a, np.array(b) / 10]).T, np.array([[0, 1]]), seed=2)[0]
        assert abs(p - 2 / 27) < 4.5 * np.sqrt(2 / 27 * 25 / 27 / 20_000)


def test_groups_whose_differences_cancel_have_p_1() -> None:
    p = Bootstrap(500).p_of_groups(np.tile([0.1, 0.2, -0.3], 40)[None], np.full(120, 3.0), seed=1)
    assert p.tolist() == [1.0]


def test_close_to_t_for_many_users_within_monte_carlo_error() -> None:
    from heldout.significance import PairedT

    columns, pairs = bootstrap_columns_of(np.random.default_rng(1).normal(0.03, 1, (12, 2000)))
    t = PairedT().p_values(columns, pairs, seed=0)
    found = Bootstrap(4000).p_values(columns, pairs, seed=2)
    assert np.all(np.abs(found - t) < 4.5 * np.sqrt(t * (1 - t) / 4000) + 0.01)


def test_never_0_and_1_for_equal_columns() -> None:
    base = np.random.default_rng(6).random(50)
    p = Bootstrap(999).p_values(np.array([base, base + 1.0, base]).T, np.array([(0, 1), (0, 2)]), seed=0)
    assert p.tolist() == [1 / 1000, 1.0]


def test_same_on_any_number_of_threads_and_pairs_share_resamples() -> None:
    columns = np.random.default_rng(3).random((120, 4))
    pairs = np.array([(0, 1), (2, 3), (1, 3)])
    with threads.using(1):
        one = Bootstrap(2000).p_values(columns, pairs, seed=9)
    with threads.using(2):
        two = Bootstrap(2000).p_values(columns, pairs, seed=9)
    assert one.tolist() == two.tolist()
    assert Bootstrap(2000).p_values(columns, pairs[1:2], seed=9)[0] == one[1]
    assert one.tolist() != Bootstrap(2000).p_values(columns, pairs, seed=10).tolist()


def bayes_columns_of(*d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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
    columns, pairs = bayes_columns_of(d)
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
    columns, pairs = bayes_columns_of(clear, -clear, none, noise, -noise)
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
        setting = ValueBatch(
            name="RMSE", values=ScaledValues(x[:, None]), included=every, aggregation=PLAIN, higher_is_better=higher
        )
        row = compare_pairs([setting], ["a", "b"], tests=[test], correction=Holm(), seed=1)[0][0]
        assert row.p[str(test)] is None and row.p_adjusted[str(test)] is None
        assert row.figures[str(test)][same] == one["better"][0]


PAIRS = np.array([(0, 1), (1, 2), (2, 3)])


def test_t_tests_of_subsets_are_those_of_scipy() -> None:
    columns = np.random.default_rng(0).random((80, 4)) + np.array([0, 0.1, 0.2, 0.2])
    test = Subsampled("t", 60, 20)
    found = test.figures(columns, PAIRS, seed=3)["rejected"]
    members = test._members(80, range(60), 3)
    assert all(len(set(m)) == 20 for m in members.tolist())
    for k, (a, b) in enumerate(PAIRS):
        p = [stats.ttest_rel(columns[m, a], columns[m, b]).pvalue for m in members]
        assert found[k] == np.mean(np.array(p) < 0.05)


def test_any_test_can_be_repeated() -> None:
    columns = np.random.default_rng(1).random((60, 4)) + np.array([0, 0.2, 0.2, 0.2])
    for test in (Sign(), Wilcoxon()):
        asked = Subsampled(test, 10, 30)
        members = asked._members(60, range(10), 1)
        p = np.array([test.p_values(columns[m], PAIRS, seed=1) for m in members])
        np.testing.assert_array_equal(asked.figures(columns, PAIRS, seed=1)["rejected"], (p < 0.05).mean(axis=0))


def test_weighted_subsets_take_the_users_own_weights() -> None:
    columns, weights = np.random.default_rng(1).random((60, 4)), np.arange(1.0, 61)
    asked = Subsampled("t", 10, 30, 0.5)
    members = asked._members(60, range(10), 1)
    p = np.array([PairedT().p_values(columns[m], PAIRS, seed=1, weights=weights[m]) for m in members])
    found = asked.figures(columns, PAIRS, seed=1, weights=weights)["rejected"]
    np.testing.assert_array_equal(found, (p < 0.5).mean(axis=0))


def test_equal_systems_are_never_rejected_and_constant_differences_always() -> None:
    base = np.random.default_rng(2).random(50)
    columns = np.array([base, base, base + 0.1]).T
    found = Subsampled("t", 40, 10).figures(columns, np.array([(0, 1), (0, 2)]), seed=0)["rejected"]
    assert found.tolist() == [0.0, 1.0]


def test_gives_no_p_and_is_the_same_on_any_number_of_threads() -> None:
    columns = np.random.default_rng(4).random((90, 4))
    test = Subsampled("t", 600, 30)
    assert np.isnan(test.p_values(columns, PAIRS, seed=0)).all()
    with threads.using(1):
        one = test.figures(columns, PAIRS, seed=0)["rejected"]
    with threads.using(2):
        two = test.figures(columns, PAIRS, seed=0)["rejected"]
    assert one.tolist() == two.tolist()


def test_written_form_and_refusals() -> None:
    assert (
        str(make("test", "subsampled(permutation(samples=500), size=50)"))
        == "subsampled(test=permutation(samples=500), size=50)"
    )
    with refused(SpecError, where="subsampled: 'test'", found="bayes"):
        make("test", "subsampled(bayes)")
    with refused(SpecError, where="subsampled: 'test'", found="friedman"):
        make("test", "subsampled(friedman)")
    with refused(NotApplicableError, where="subsampled", found=9, expected="at least 100 users"):
        Subsampled("t", 5, 100).figures(np.ones((9, 4)), PAIRS, seed=0)
