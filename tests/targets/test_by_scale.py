"""Which rule the scale of the ratings leads to, and that the rule judges as the one that it leads to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.tables import Interactions, Vocabulary
from heldout.targets.relevance.by_scale import guess_relevance


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ([1, 2, 3, 4, 5], "threshold(4)"),  # 1 + 0.6 · 4 = 3.4, rounded up
        ([3, 4, 5], "threshold(4)"),  # the lowest ratings may be missing from a small sample
        ([0.5, 1, 3, 3.5, 4, 4.5, 5], "threshold(4)"),
        ([0, 1, 2, 3, 4, 5], "threshold(4)"),
        (list(range(1, 11)), "threshold(7)"),  # 1 + 0.6 · 9 = 6.4
        (list(range(11)), "threshold(7)"),
        ([-10, -3.2, 0.1, 4.4, 10], "threshold(2)"),  # −10 + 0.6 · 20
        ([1, 2, 3, 4], "threshold(3)"),
        ([0, 1, 2, 3, 4], "threshold(1)"),  # grades of TREC
        ([-2, -1, 0, 1, 2], "threshold(1)"),
        ([1, 2, 3], "threshold(1)"),
        ([0, 1], "threshold(1)"),
        ([1, 1, 1], "threshold(1)"),
        ([0.1, 0.5, 0.6, 1.0], "threshold(1)"),  # 0.1 + 0.6 · 0.9 = 0.64, and 1.0 is the least above
        ([1] * 8 + [3, 40], "threshold(1)"),  # quantities
        ([2, 3, 250, 352698], "threshold(2)"),  # play counts
        ([0.5, 1.5, 2.0, 700.0], "more_than(0)"),  # seconds
        ([1, 1, 2, 12], "threshold(1)"),  # 12 is more than ten times the median
        ([1e307, 1.7e308], "threshold(1e+307)"),  # counts; ten times the median would be beyond the largest number
        (list(range(101)), "user_mean"),
    ],
)
def test_the_rule_of_a_scale(values: list[float], rule: str) -> None:
    assert guess_relevance(np.array(values)).rule == make("relevance", rule)


@pytest.mark.parametrize("scale", [[1, 2, 3, 4, 5], [1, 1, 1, 2, 90], list(range(101)), [1]])
def test_it_judges_as_the_rule_that_train_and_test_together_lead_to(scale: list[float]) -> None:
    draw = np.random.default_rng(1)
    users, items = Vocabulary.numbered(20), Vocabulary.numbered(30)

    def part(first: int, last: int) -> Interactions:
        user, item = np.divmod(np.arange(20 * (last - first)), last - first)
        return Interactions.build(users, items, user, item + first, draw.choice(np.array(scale, np.float64), len(user)))

    train, test = part(0, 20), part(20, 30)
    rule: Any = guess_relevance(np.concatenate([train.value, test.value])).rule
    np.testing.assert_array_equal(make("relevance", "by_scale").of_test(test, train), rule.of_test(test, train))
