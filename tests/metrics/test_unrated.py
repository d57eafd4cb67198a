"""What unrated items count as."""

from __future__ import annotations

import pytest
from tests.metrics.lists import judged_list, value

from heldout.catalogue import make


def test_zero_keeps_ranks_and_condense_closes_the_gaps() -> None:
    judged = judged_list([None, 2, None, 5], (4,))
    assert value("RR", make("unrated", "zero").apply(judged)) == pytest.approx(1 / 4)
    condensed = make("unrated", "condense").apply(judged)
    assert value("RR", condensed) == pytest.approx(1 / 2)  # behind the one rated item
    assert value("P@2", condensed) == pytest.approx(1 / 2)
    assert value("Unrated@2", condensed) == 0.0
    assert value("Recall", condensed) == pytest.approx(1 / 2)  # the unlisted 4 stays in R


def test_condensing_leaves_what_was_given() -> None:
    judged = judged_list([None, 5])
    make("unrated", "condense").apply(judged)
    assert judged.rank.tolist() == [2]
