"""Ratios of sums: by hand, and what their differences are tested on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from heldout.aggregations import Pooled
from heldout.aggregations.coverage.forgive import Forgive
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.tally import arrange, tally_of
from heldout.aggregations.undefined.skip import SkipUndefined
from heldout.aggregations.undefined.zero import UndefinedAsZero
from heldout.errors import NotApplicableError
from heldout.significance import PairedT, Sign
from heldout.significance.corrections.none import NoCorrection
from heldout.significance.pairs import SettingValues, compare_pairs

RULES = {"undefined": UndefinedAsZero(), "coverage": UncoveredAsZero()}


def values_of(aggregation: object, x: np.ndarray, **more: object) -> list[float | None]:
    lengths = np.ones(x.shape)
    found = arrange(x, lengths, aggregation=aggregation, **{**RULES, **more})
    return [t.value for t in tally_of(found, x, lengths)]


def test_pooled_by_hand() -> None:
    # recall 1 of 2 and 3 of 8: 4/10, where the mean gives 0.4375; a user without relevant items adds nothing to either sum
    x = np.array([[0.5, 0.375, np.nan]])
    for undefined in (UndefinedAsZero(), SkipUndefined()):
        more = {"denominator": np.array([2.0, 8, 0]), "pool": "sum", "undefined": undefined}
        assert values_of(Pooled(), x, **more) == pytest.approx([0.4])
    # RMSE of errors 3, 4 (n = 2) and 0 (n = 1): √(25/3)
    rmse = np.array([[np.sqrt(12.5), 0.0]])
    assert values_of(Pooled(), rmse, denominator=np.array([2.0, 1]), pool="square") == pytest.approx([np.sqrt(25 / 3)])
    # lists averaged by rating: 2 lists at 0.5 and 1 at 1: 2/3
    assert values_of(Pooled(), np.array([[0.5, 1.0]]), weights=np.array([2.0, 1])) == pytest.approx([2 / 3])
    with pytest.raises(NotApplicableError, match="pooled is for ratios of sums, and this metric is none"):
        values_of(Pooled(), x)


def test_pooled_differences_are_tested_on_contributions_of_the_common_users() -> None:
    rng = np.random.default_rng(2)
    x, b = rng.random((2, 30)), rng.integers(1, 20, 30).astype(float)
    lengths = np.ones(x.shape)
    lengths[0, :4] = 0
    found = arrange(
        x, lengths, aggregation=Pooled(), denominator=b, pool="sum", undefined=UndefinedAsZero(), coverage=Forgive()
    )
    row = compare_pairs(
        [SettingValues.of("HLU", found)], ["a", "b"], tests=[PairedT(), Sign()], correction=NoCorrection(), seed=0
    )[0][0]
    numerators = (x * b)[:, 4:]
    assert row.difference == pytest.approx((numerators[0].sum() - numerators[1].sum()) / b[4:].sum())
    assert row.low < row.difference < row.high
    assert row.p["t"] == pytest.approx(stats.ttest_rel(*numerators).pvalue, rel=1e-12)
    assert row.p["sign"] is not None


def test_each_system_may_divide_by_what_it_predicted_itself() -> None:
    # errors of A: 3, 4 | 0; B predicts only one rating of the first user: 3 | 0, 2. RMSE √(25/3) and √(13/3)
    rmse = np.array([[np.sqrt(12.5), 0.0], [3.0, np.sqrt(2)]])
    predicted = np.array([[2.0, 1], [1, 2]])
    found = values_of(Pooled(), rmse, denominator=predicted, pool="square", higher_is_better=False)
    assert found == pytest.approx([np.sqrt(25 / 3), np.sqrt(13 / 3)])
    # the same with plain ratios: (25 + 0)/3 and (9 + 4)/3
    found = values_of(Pooled(), rmse**2, denominator=predicted, pool="sum")
    assert found == pytest.approx([25 / 3, 13 / 3])


def test_a_pair_is_valued_on_its_common_users_though_each_system_has_its_own_denominators() -> None:
    # A covers all three users, B only the last two: on these A has √((16 + 4)/(1 + 2)) and B √((9 + 25)/(2 + 2))
    rmse = np.array([[1.0, 4.0, np.sqrt(2)], [0.0, np.sqrt(4.5), np.sqrt(12.5)]])
    predicted = np.array([[3.0, 1, 2], [0, 2, 2]])
    lengths = np.array([[1.0, 1, 1], [0, 1, 1]])
    rules = {"undefined": SkipUndefined(), "coverage": Forgive(), "higher_is_better": False}
    found = arrange(rmse, lengths, aggregation=Pooled(), denominator=predicted, pool="square", **rules)
    alone = tally_of(found, rmse, lengths)
    assert [t.value for t in alone] == pytest.approx([np.sqrt(23 / 6), np.sqrt(34 / 4)])
    row = compare_pairs([SettingValues.of("RMSE", found)], ["a", "b"], tests=[PairedT()], correction=NoCorrection(), seed=0)[
        0
    ][0]
    assert (row.users, row.value_a, row.value_b) == (2, pytest.approx(np.sqrt(20 / 3)), pytest.approx(np.sqrt(34 / 4)))
    contributions = np.array([[16, 4], [9, 25]]) / np.array([[3], [4]])
    assert row.p["t"] == pytest.approx(stats.ttest_rel(*contributions).pvalue, rel=1e-12)
