"""The permutation test: by hand, against full enumeration and scipy, and its validity under the null."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from heldout import threads
from heldout.errors import InputError, NotApplicableError
from heldout.significance import Permutation, permutation

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


def test_bad_input() -> None:
    with pytest.raises(NotApplicableError, match="at least 2 users, found 1"):
        Permutation().p_values(np.ones((1, 2)), PAIR, seed=0)
    with pytest.raises(InputError, match="column 1 holds nan for user 2"):
        Permutation().p_values(np.array([[1.0, 1], [1, 1], [1, np.nan]]), PAIR, seed=0)
    with pytest.raises(InputError, match="column numbers from 0 to 1"):
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
