"""Comparisons of pairs of systems: order, users, aggregations, and each kind of bad input."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.cli.conftest import Command, heldout  # noqa: F401  a fixture
from tests.refusals import refused
from tests.reports.kept import SYSTEMS, USERS, facts_of, keep, study_scores_of

from heldout.aggregations import GeometricMean, Mean, Median, TrimmedMean
from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage import Forgive
from heldout.aggregations.mean import PLAIN
from heldout.catalogue import classes, make
from heldout.errors import InputError, NotApplicableError, UnknownNameError
from heldout.significance import PairedT, Permutation, Sign, Wilcoxon, batches, permutation
from heldout.significance.corrections import Holm, NoCorrection
from heldout.significance.pairs import PairComparison, compare_pairs, system_pairs
from heldout.significance.significance_test import Test, no_p
from heldout.significance.value_batch import ScaledValues, ValueBatch

PAIRS_SYSTEMS = ["a", "b", "c", "d"]


def setting(
    values: np.ndarray, aggregation: Aggregation | None = None, included: np.ndarray | None = None, **more: object
) -> ValueBatch:
    mask = np.ones(values.shape, dtype=bool) if included is None else included
    return ValueBatch(
        name="P@10", values=ScaledValues(values[:, None]), included=mask, aggregation=aggregation or Mean(), **more
    )


def one(values: np.ndarray, *tests: Test, **more: object) -> PairComparison:
    return compare_pairs([setting(values, **more)], ["a", "b"], tests=tests, correction=NoCorrection(), seed=1)[0][0]


def test_a_pair_by_hand() -> None:
    # differences 1, 2, 3, 0: mean 1.5, standard error √(5/3)/2; t 2.3238; flips: ±++0 … 4 of 16 reach 6
    row = one(np.array([[1.0, 2, 3, 4], [0.0, 0, 0, 4]]), PairedT(), Permutation(), Sign())
    assert (row.a, row.b, row.users) == (0, 1, 4)
    assert (row.value_a, row.value_b, row.difference) == (2.5, 1.0, 1.5)
    assert (row.wins, row.ties, row.losses, row.superiority) == (3, 1, 0, 3.5 / 4)
    assert row.p["permutation"] == 4 / 16
    assert row.p["sign"] == 0.25
    half = stats.t.ppf(0.975, 3) * math.sqrt(5 / 3) / 2
    assert (row.low, row.high) == pytest.approx((1.5 - half, 1.5 + half))
    assert row.effect == pytest.approx(1.5 / math.sqrt(5 / 3))
    assert row.p_adjusted == row.p and row.family == 1 and row.reason == ""


def test_order_of_pairs_and_baseline() -> None:
    assert system_pairs("abc") == [(0, 1), (0, 2), (1, 2)]
    assert system_pairs(["a", "b", "c"], "b") == [(0, 1), (2, 1)]
    with refused(UnknownNameError, hint="did you mean knn?"):
        system_pairs(["knn", "pop"], "knm")


def test_all_pairs_agree_with_scipy_and_are_adjusted_within_setting_and_test() -> None:
    values = np.random.default_rng(0).random((2, 4, 50)) + np.linspace(0, 0.3, 4)[:, None]
    tests = [PairedT(), Wilcoxon()]
    found = compare_pairs([setting(v) for v in values], PAIRS_SYSTEMS, tests=tests, correction=Holm(), seed=0)
    for v, rows in zip(values, found, strict=True):
        assert [(r.a, r.b) for r in rows] == list(combinations(range(4), 2))
        expected = np.array([stats.ttest_rel(v[r.a], v[r.b]).pvalue for r in rows])
        np.testing.assert_allclose([r.p["t"] for r in rows], expected, rtol=1e-12)
        np.testing.assert_allclose([r.p_adjusted["t"] for r in rows], Holm().adjust(expected), rtol=1e-12)
        np.testing.assert_allclose(
            [r.p["wilcoxon"] for r in rows], [stats.wilcoxon(v[r.a], v[r.b]).pvalue for r in rows], rtol=1e-12
        )
        assert {r.family for r in rows} == {6}


def test_forgive_compares_the_common_users_of_each_pair() -> None:
    rng = np.random.default_rng(1)
    values, lengths = rng.random((3, 40)), rng.integers(0, 3, (3, 40)).astype(float)
    values[0, :5] = np.nan  # skipped
    included = np.array(Forgive().included(list(lengths)))
    tests = [PairedT(), Permutation(samples=3000)]
    rows = compare_pairs(
        [setting(values, included=included)], ["a", "b", "c"], tests=tests, correction=NoCorrection(), seed=4
    )[0]
    for row in rows:
        common = included[row.a] & included[row.b] & ~np.isnan(values[[row.a, row.b]]).any(axis=0)
        x, y = values[row.a, common], values[row.b, common]
        assert row.users == common.sum() < 40
        assert (row.value_a, row.value_b) == pytest.approx((x.mean(), y.mean()))
        assert row.p["t"] == pytest.approx(stats.ttest_rel(x, y).pvalue, rel=1e-12)
        assert row.p[str(tests[1])] == Permutation(samples=3000).p_values(np.array([x, y]).T, np.array([[0, 1]]), seed=4)[0]


def test_settings_share_flips_and_are_the_same_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(2).random((5, 4, 60))
    values[4] = values[0]
    test = Permutation(samples=2000)
    settings = [setting(v, GeometricMean() if k == 1 else Mean()) for k, v in enumerate(values)]
    arguments = {"tests": [test], "correction": Holm(), "seed": 3}
    together = compare_pairs(settings, PAIRS_SYSTEMS, **arguments)
    assert together[0] == together[4]
    assert [compare_pairs([s], PAIRS_SYSTEMS, **arguments)[0] for s in settings] == together
    monkeypatch.setattr(batches, "_VALUES_AT_ONCE", 1)
    assert compare_pairs(settings, PAIRS_SYSTEMS, **arguments) == together


def test_gmean_is_tested_on_logarithms_and_valued_as_itself() -> None:
    x = np.random.default_rng(3).random((2, 30)) ** 2
    row, g = one(x, PairedT(), aggregation=GeometricMean()), GeometricMean()
    logs = np.log(x + 0.01)
    a, b = g.aggregate(x.T)
    test = stats.ttest_rel(*logs)
    assert row.p["t"] == pytest.approx(test.pvalue, rel=1e-12)
    assert (row.value_a, row.value_b, row.difference) == pytest.approx((a, b, a - b))
    # About the geometric middle M = √((a+ε)(b+ε)), δ on logarithms is 2M sinh(δ/2).
    middle, ends = math.sqrt((a + 0.01) * (b + 0.01)), test.confidence_interval(0.95)
    expected = (2 * middle * math.sinh(ends.low / 2), 2 * middle * math.sinh(ends.high / 2))
    assert (row.low, row.high) == pytest.approx(expected, rel=1e-10)
    assert row.low < row.difference < row.high
    with refused(NotApplicableError, where="P@10: gmean", expected="values above -0.01"):
        one(x - 1, PairedT(), aggregation=GeometricMean())


@pytest.mark.parametrize("aggregation", [Median(), TrimmedMean()], ids=str)
def test_median_and_trimmed_are_compared_by_ranks_only(aggregation: Aggregation) -> None:
    x = np.random.default_rng(4).random((2, 20))
    row = one(x, Sign(), Wilcoxon(), aggregation=aggregation)
    assert row.difference == pytest.approx(float(np.subtract(*aggregation.aggregate(x.T))))
    assert (row.low, row.high) == (None, None)
    for test in (PairedT(), Permutation()):
        with refused(NotApplicableError, where="P@10", hint="use wilcoxon, sign"):
            one(x, test, aggregation=aggregation)


def test_weights() -> None:
    x, w = np.random.default_rng(5).random((2, 20)), np.arange(1.0, 21)
    row = one(x, PairedT(), Permutation(), weights=w)
    assert row.difference == pytest.approx(np.average(x[0] - x[1], weights=w))
    assert row.low < row.difference < row.high
    assert row.p["t"] == PairedT().p_values(x.T, np.array([[0, 1]]), seed=1, weights=w)[0]
    with refused(NotApplicableError, where="P@10", hint="use t, permutation"):
        one(x, Sign(), weights=w)


def test_lower_is_better_turns_wins_round_and_nothing_else() -> None:
    x = np.array([[1.0, 2, 3], [2.0, 2, 1]])
    high, low = one(x, PairedT()), one(x, PairedT(), higher_is_better=False)
    assert (high.wins, high.ties, high.losses) == (low.losses, low.ties, low.wins) == (1, 1, 1)
    more = one(x + np.array([[0], [9]]), PairedT(), higher_is_better=False)
    assert (more.wins, more.superiority, more.difference) == (3, 1.0, -26 / 3)


def test_equal_systems() -> None:
    row = one(np.tile(np.random.default_rng(6).random(30), (2, 1)), PairedT(), Permutation(), Wilcoxon(), Sign())
    assert set(row.p.values()) == {1.0}
    assert (row.difference, row.effect, row.low, row.high, row.ties) == (0.0, 0.0, 0.0, 0.0, 30)


def test_too_few_common_users_are_not_tested_nor_counted() -> None:
    values = np.random.default_rng(7).random((3, 6))
    included = np.array([[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1]], dtype=bool)
    rows = compare_pairs(
        [setting(values, included=included)], ["a", "b", "c"], tests=[PairedT()], correction=Holm(), seed=0
    )[0]
    assert [r.users for r in rows] == [4, 0, 1]
    assert [r.p["t"] is None for r in rows] == [r.p_adjusted["t"] is None for r in rows] == [False, True, True]
    assert rows[2].reason == "a paired test needs at least 2 users, found 1"
    assert rows[0].p_adjusted == rows[0].p and {r.family for r in rows} == {1}
    assert math.isnan(rows[1].value_a) and rows[2].value_a == values[1, 4]
    assert (rows[2].low, rows[2].effect) == (None, None)


def test_two_users_of_whom_one_holds_all_the_weight_are_not_tested() -> None:
    row = one(np.array([[0.5, 0.4], [0.3, 0.1]]), PairedT(), weights=np.array([1.0, 0.0]))
    assert (row.users, row.p["t"]) == (2, None)
    assert row.reason == "a paired test needs at least 2 users, and one user holds all the weight"


def test_shapes_must_match() -> None:
    with refused(InputError, where="P@10", found=["(2, 5)", "(2, 5)"], expected="3 systems × users"):
        compare_pairs([setting(np.ones((2, 5)))], ["a", "b", "c"], tests=[], correction=Holm(), seed=0)


def test_components_know_what_answers_for_what() -> None:
    for test, aggregation, weighted, fits in [
        (PairedT(), Mean(), False, True),
        (PairedT(), Mean(), True, True),
        (PairedT(), Median(), False, False),
        (Sign(), Mean(), False, True),
        (Sign(), Mean(), True, False),
        (Wilcoxon(), Median(), False, True),
        (Permutation(), GeometricMean(), False, True),
        (Permutation(), TrimmedMean(), False, False),
    ]:
        assert (test.refusal(aggregation, weighted=weighted) == "") is fits


def test_rows_that_pairs_connect_are_those_that_scipy_finds() -> None:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    draw = np.random.default_rng(1)
    for n, links in ((1, 0), (2, 1), (7, 3), (40, 25), (200, 150), (200, 900)):
        pairs = draw.integers(0, n, size=(links, 2)).astype(np.int64)
        graph = coo_array((np.ones(links), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
        _, labels = connected_components(graph, directed=False)
        first = permutation._connected(n, pairs)
        assert len(np.unique(first)) == len(np.unique(labels))
        assert len({*zip(first.tolist(), labels.tolist(), strict=True)}) == len(np.unique(labels))
    chain = np.array([(k, k + 1) for k in range(98, -1, -1)], dtype=np.int64)
    assert (permutation._connected(100, chain) == 0).all()


MEANS, RANKS = ("t", "permutation", "bootstrap", "tukey"), ("wilcoxon", "sign", "friedman", "bayes")


@pytest.mark.parametrize(
    ("aggregations", "weighted", "answering"),
    [
        (("mean", "gmean", "urisk(1, A)", "standardised", "pooled"), False, (*MEANS, *RANKS)),
        (("mean(weight=test)",), True, ("t", "permutation")),
        (("median", "trimmed"), False, RANKS),
        (("trisk(1, A)", "zrisk", "georisk"), False, ()),
    ],
)
def test_who_answers(aggregations: tuple[str, ...], weighted: bool, answering: tuple[str, ...]) -> None:
    for text in aggregations:
        aggregation = make("aggregation", text)
        names = {name for name in (*MEANS, *RANKS) if not make("test", name).refusal(aggregation, weighted=weighted)}
        assert names == set(answering), text


def test_a_test_that_repeats_another_answers_where_that_does() -> None:
    median, mean = make("aggregation", "median"), make("aggregation", "mean")
    by_ranks, by_means = make("test", "subsampled(test=wilcoxon)"), make("test", "subsampled(test=t)")
    assert not by_ranks.refusal(median) and by_means.refusal(median) and not by_means.refusal(mean)


@pytest.mark.parametrize(
    ("test", "aggregation", "weighted", "hint"),
    [
        ("t", "median", False, "use wilcoxon, sign"),
        ("sign", "mean(weight=test)", True, "use t, permutation"),
        ("t", "georisk", False, "use another aggregation"),
    ],
)
def test_a_refusal_says_what_to_use(test: str, aggregation: str, weighted: bool, hint: str) -> None:
    with refused(NotApplicableError, hint=hint):
        make("test", test).check_applicable(make("aggregation", aggregation), weighted=weighted)
    make("test", "t").check_applicable(make("aggregation", "mean"))


def test_without_p_values_every_pair_has_none() -> None:
    assert np.isnan(no_p(np.array([[0, 1], [1, 2]]))).tolist() == [True, True]


EVERY = [make("test", "subsampled(t, subsets=5, size=2)" if cls.key == "subsampled" else cls.key) for cls in classes("test")]
PAIR = np.array([[0, 1]])


def said(test: Test, columns: np.ndarray, **more: object) -> object:
    """p-values, or the figures of a test that has none."""
    return (test.p_values if test.has_p else test.figures)(columns, PAIR, seed=1, **more)


@pytest.mark.parametrize("test", EVERY, ids=str)
def test_fewer_than_two_users(test: Test) -> None:
    for users in (0, 1):
        with refused(NotApplicableError, expected="at least 2 users") as error:
            said(test, np.ones((users, 2)))
        assert error.value.found in (users, [f"{users} users", "2 systems"])


@pytest.mark.parametrize("test", EVERY, ids=str)
def test_no_number_for_a_user(test: Test) -> None:
    for bad in (np.nan, np.inf):
        columns = np.random.default_rng(0).random((6, 2))
        columns[4, 1] = bad
        with refused(InputError, expected="a number for every user") as error:
            said(test, columns)
        np.testing.assert_equal(error.value.found, bad)


@pytest.mark.parametrize("test", EVERY, ids=str)
def test_all_differences_zero(test: Test) -> None:
    columns = np.tile(np.random.default_rng(1).random((30, 1)), 2)
    found = said(test, columns)
    if test.has_p:
        assert found.tolist() == [1.0]
    elif test.key == "bayes":
        assert (found["better"][0], found["equal"][0], found["worse"][0]) == (0.0, 1.0, 0.0)
    else:
        assert found["rejected"].tolist() == [0.0]


@pytest.mark.parametrize("test", EVERY, ids=str)
def test_negative_weights(test: Test) -> None:
    weights = np.array([1.0, 2.0, -3.0, 1.0])
    parts: dict[str, Any] = {"found": -3.0} if test.weighable else {"where": str(test), "hint": "average by user"}
    with refused(InputError if test.weighable else NotApplicableError, **parts):
        said(test, np.random.default_rng(2).random((4, 2)), weights=weights)


def test_different_users_per_system_are_compared_on_those_they_share() -> None:
    x, lengths = np.random.default_rng(3).random((3, 10)), np.ones((3, 10))
    lengths[0, 5:], lengths[1, :4], lengths[2, 4:] = 0, 0, 0  # A has users 0–4, B 4–9, C 0–3
    included = np.array(Forgive().included(list(lengths)))
    setting = ValueBatch(name="P@10", values=ScaledValues(x[:, None]), included=included, aggregation=PLAIN)
    rows = compare_pairs([setting], "ABC", tests=[make("test", "t")], correction=Holm(), seed=1)[0]
    assert [(r.users, bool(r.reason)) for r in rows] == [(1, True), (4, False), (0, True)]
    told = {n.code: n.message for n in facts_of(study_scores_of(uncovered=6), coverage="forgive").notices}
    assert told["HO102"] == "coverage = forgive averages different users in different systems"


def test_a_baseline_that_is_not_among_the_systems(tmp_path: Path, heldout: Command) -> None:  # noqa: F811
    with refused(UnknownNameError, where="compare", hint="Best"):
        facts_of(study_scores_of(), baseline="Worst")
    with refused(UnknownNameError, hint="Best"):
        facts_of(study_scores_of(), aggregate="urisk(1, Worst)")
    folder = keep(study_scores_of(), tmp_path / "results")
    answer = heldout("compare", folder, "--baseline", "Bst")
    assert answer.code == 2 and "'Bst'; did you mean Best?" in answer.err


def test_p_values_over_pooled_folds_and_equal_systems_are_warned_of() -> None:
    told = {n.code: n.message for n in facts_of(study_scores_of(folds=2), folds="pooled").notices}
    assert told["HO404"] == "each fold of a user is tested as if it were another user"
    assert told["HO405"] == "No user's values differ between Good and Twin"


def test_one_user_is_a_value_and_no_comparison(tmp_path: Path) -> None:
    study_scores = study_scores_of(development=USERS - 1)
    facts = facts_of(study_scores, metrics="P@10")
    assert all(p.reason for p in facts.comparisons)
    assert all(p.p is None and p.low is None for p in facts.comparisons) and len(facts.leaderboard) == len(SYSTEMS)
    assert facts.verdict.answer.endswith("the difference was not tested.")
