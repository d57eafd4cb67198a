"""Gains and losses against a baseline: whose, in which direction, and over which users."""

from __future__ import annotations

import numpy as np
import pytest
from tests.aggregations.arranging import arranged, values

from heldout.aggregations import GeoRisk, TRisk, URisk, ZRisk
from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage.forgive import Forgive
from heldout.aggregations.tally import arrange, tally_of
from heldout.aggregations.undefined.zero import UndefinedAsZero
from heldout.errors import NotApplicableError, SpecError, UnknownNameError

BASE = np.array([0.5, 0.5, 0.5])


GAINS = np.array([BASE, BASE + np.array([0.3, -0.1, 0.1])])  # system 2 gains 0.3, −0.1 and 0.1 over system 1


def test_the_baseline_may_come_from_the_comparison_and_must_be_there() -> None:
    assert values(URisk(), GAINS, baseline="s0") == values(URisk(baseline="s0"), GAINS)
    with pytest.raises(SpecError, match="urisk needs a baseline"):
        values(URisk(), GAINS)
    with pytest.raises(UnknownNameError, match="unknown baseline 's9'"):
        values(TRisk(baseline="s9"), GAINS)


def test_where_lower_is_better_a_gain_is_a_fall() -> None:
    found = arranged(URisk(1.0, "s0"), GAINS, higher_is_better=False)
    assert found.higher_is_better
    assert tally_of(found, GAINS, np.ones(GAINS.shape))[1].value == pytest.approx((-2 * 0.3 + 0.1 - 2 * 0.1) / 3)


def test_risk_against_a_baseline_counts_users_whom_both_cover() -> None:
    lengths = np.array([[1.0, 1, 0], [0, 1, 1]])
    found = arrange(
        GAINS,
        lengths,
        aggregation=URisk(1.0, "s0"),
        systems=["s0", "s1"],
        undefined=UndefinedAsZero(),
        coverage=Forgive(),
    )
    assert [t.users for t in tally_of(found, GAINS, lengths)] == [2, 1]
    assert tally_of(found, GAINS, lengths)[1].value == pytest.approx(-0.2)


@pytest.mark.parametrize("aggregation", [ZRisk(), GeoRisk()], ids=str)
def test_what_has_no_expectation_is_refused(aggregation: Aggregation) -> None:
    with pytest.raises(NotApplicableError, match="higher values are better"):
        values(aggregation, GAINS, higher_is_better=False)
    with pytest.raises(NotApplicableError, match=r"values of at least 0, found -0\.6"):
        values(aggregation, GAINS - 1)
    with pytest.raises(NotApplicableError, match="at least 2 systems"):
        values(aggregation, GAINS[:1])
    with pytest.raises(NotApplicableError, match="of all systems at once"):
        aggregation.aggregate(GAINS.T)
