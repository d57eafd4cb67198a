"""The first items of lists."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heldout.errors import NotApplicableError
from heldout.metrics.beyond.tops import top_items
from heldout.testing.lists import judged_lists

LISTS = judged_lists([[5, None, 4], [], [None, 2]], [[], [5], []], items=[[7, 2, 9], [], [2, 3]], catalogue=12)


def test_the_top_of_every_list_also_of_an_empty_one() -> None:
    tops = top_items(LISTS, 2, "x")
    assert tops.item.tolist() == [7, 2, 2, 3] and tops.sizes.tolist() == [2, 0, 2]
    assert tops.sum(np.arange(12.0)).tolist() == [9, 0, 5]
    assert np.flatnonzero(tops.counts(12)).tolist() == [2, 3, 7] and tops.counts(12)[2] == 2
    assert top_items(LISTS, 50, "x").sizes.tolist() == [3, 0, 2]


def test_items_outside_the_catalogue_are_left_out_and_hold_their_place() -> None:
    assert LISTS.lists is not None
    foreign = replace(LISTS, lists=replace(LISTS.lists, item=np.array([-1, 2, 9, 2, -1], np.int32)), _memo={})
    tops = top_items(foreign, 2, "x")
    assert tops.item.tolist() == [2, 2] and tops.sizes.tolist() == [1, 0, 1]


def test_without_lists_nothing_is_recommended() -> None:
    with pytest.raises(NotApplicableError, match="Gini@5 needs the lists themselves, which were not kept"):
        top_items(replace(LISTS, lists=None, _memo={}), 5, "Gini@5")
    with pytest.raises(NotApplicableError, match="Gini@5 looks at what is recommended"):
        top_items(replace(LISTS, only=np.zeros(3, np.int64), _memo={}), 5, "Gini@5")
