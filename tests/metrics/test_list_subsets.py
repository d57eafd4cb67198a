"""Some of the judged lists: every column follows, and values are those of the whole."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.metrics.list_subsets import of_lists, of_users
from heldout.testing.lists import judged_lists, random_lists, values_of

LISTS = judged_lists(*random_lists(5, users=30))


@pytest.mark.parametrize("metric", ["nDCG@5", "AP", "Recall", "Novelty@3", "KendallTau"])
def test_values_are_those_of_the_whole(metric: str) -> None:
    kept = np.array([3, 4, 11, 29])
    np.testing.assert_array_equal(values_of(metric, of_lists(LISTS, kept)), values_of(metric, LISTS)[kept])


def test_lists_follow_their_users() -> None:
    tested = np.zeros(30, bool)
    tested[[2, 7]] = True
    some = of_users(LISTS, tested)
    assert some.owner.tolist() == [2, 7] and some.relevance is LISTS.relevance
    assert some.length.tolist() == LISTS.length[[2, 7]].tolist()
    assert some.lists is not None and LISTS.lists is not None
    assert some.lists.length.tolist() == LISTS.lists.length[[2, 7]].tolist()
    first, last = LISTS.lists.indptr[7:9]
    assert some.lists.item[some.lists.indptr[1] :].tolist() == LISTS.lists.item[first:last].tolist()


def test_nobody_and_what_was_counted_of_all() -> None:
    nobody = of_users(LISTS, np.zeros(30, bool))
    assert len(nobody) == 0 and nobody.indptr.tolist() == [0] and len(nobody.rank) == 0
    assert LISTS.everywhere is not None and nobody.everywhere is None  # counts over all lists are not those of some
