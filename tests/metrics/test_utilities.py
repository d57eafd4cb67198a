"""What a recommendation is worth, by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest
from tests.metrics.lists import judged_list, knowing, value

from heldout.errors import NotApplicableError

# utilities (rating − 2): 3 at rank 1, −1 at rank 3; the best list holds 3 and the unlisted 2, the negative ones left out
WORTH = judged_list([5, None, 1], (4,))


def test_utility_of_what_is_little_known() -> None:
    """Item 0, rated by 1 of 4 training users, is worth ln 4; item 2 is not relevant; the unlisted item 3 was rated by 2."""
    judged = knowing(WORTH, [(0, 0, 5), (1, 3, 1), (2, 3, 1), (3, 9, 1)])
    assert value("Utility(utility=log_inverse_popularity)@3", judged) == pytest.approx(log(4))
    best = log(4) + log(4 / 2) * 0.5 ** (1 / 4)
    assert value("HLU(utility=log_inverse_popularity)", judged) == pytest.approx(log(4) / best)


def test_utility_without_its_column_is_refused() -> None:
    judged = replace(WORTH, relevance=replace(WORTH.relevance, utility=None, _memo={}), _memo={})
    for metric in ("Utility@10", "HLU(utility=column)"):
        with pytest.raises(NotApplicableError, match="needs a column of utilities, and the test ratings have none"):
            value(metric, judged)


def test_no_rating_is_above_neutral_where_all_are_equal() -> None:
    judged = knowing(judged_list([1, None, 1], top=1.0), [(0, 0, 1)], lowest=1.0)
    with pytest.raises(NotApplicableError, match="all ratings are 1, so none is above a neutral one"):
        value("HLU", judged)


def test_the_neutral_rating_is_the_middle_of_the_scale_unless_it_is_named() -> None:
    """Ratings 5, 4 and 2 on a scale of 1 to 5: above_neutral takes 3 off, above_neutral(4) four."""
    judged = knowing(judged_list([5, 4, 2]), [(0, 0, 1)], lowest=1.0)
    assert value("Utility(utility=above_neutral)@3", judged) == pytest.approx(2 + 1)
    assert value("Utility(utility=above_neutral(4))@3", judged) == pytest.approx(1)
    unknown = knowing(judged_list([5, 4, 2]), [(0, 0, 1)])  # the lowest rating is that of the test set: (2 + 5)/2
    assert value("Utility(utility=above_neutral)@3", unknown) == pytest.approx(1.5 + 0.5)
