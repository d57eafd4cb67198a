"""Metrics of utility, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

# utilities (rating − 2): 3 at rank 1, −1 at rank 3; the best list holds 3 and the unlisted 2, the negative ones left out
WORTH = judged_list([5, None, 1], (4,))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("HLU(utility=column)", (3 - 1 * 0.5 ** (2 / 4)) / (3 + 2 * 0.5 ** (1 / 4))),
        # above the middle of 1…5: 2 at rank 1; best 2, 1
        ("HLU", 2 / (2 + 0.5 ** (1 / 4))),
        ("HLU(half_life=2, utility=hit)", 1 / (1 + 0.5)),
        ("HLU(utility=above_neutral(4))", 1.0),  # only the 5 is above
        ("HLU(utility=hit, discount=table([0.5, 0.25]))", 0.5 / (0.5 + 0.25)),
        ("Utility@3", 3.0),  # the item of −1 is not relevant
        ("Utility(utility=hit)@3", 1.0),
        ("Utility(utility=above_neutral)@3", 2.0),
    ],
)
def test_utility(metric: str, expected: float) -> None:
    assert value(metric, WORTH) == pytest.approx(expected, abs=1e-12)


def test_the_published_example_of_half_life_utility() -> None:
    """Utilities 1 at rank 1 and 2 at rank 5, half-life 5: (1 + 2/2) / (2 + 0.5^(1/4))."""
    judged = judged_list([4, None, None, None, 5])
    assert value("HLU", judged) == pytest.approx((1 + 2 * 0.5) / (2 + 1 * 0.5**0.25))


def test_half_life_utility_is_undefined_where_nothing_is_worth_anything() -> None:
    assert np.isnan(value("HLU", judged_list([2, 1, None, 3])))
