"""Pairs of rated items, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.metrics.lists import judged_list

from heldout.errors import NotApplicableError
from heldout.metrics.correlation.pairs import pair_counts
from heldout.tables import Judged


def counts(judged: Judged) -> tuple[float, ...]:
    pairs = pair_counts(judged)
    columns = (pairs.agreeing, pairs.contrary, pairs.tied_scores, pairs.tied_ratings, pairs.tied_both)
    return tuple(float(column[0]) for column in columns)


def tied(grades: list[float | None], above: list[int]) -> Judged:
    equal = [above.count(place) - 1 for place in above]
    return replace(judged_list(grades), above=np.array(above, np.int32), tied=np.array(equal, np.int32), _memo={})


def test_every_pair_is_counted_once() -> None:
    """5, 2, 4, 4 in order: 5 is right above three; 2 stands wrongly above both 4s, which have one rating."""
    assert counts(judged_list([5, None, 2, 4, 4])) == (3, 2, 0, 1, 0)
    assert counts(judged_list([5])) == counts(judged_list([None], (5,))) == (0, 0, 0, 0, 0)


def test_equal_scores_are_told_by_the_targets_above() -> None:
    """5 and 2 share a score, and so do 4 and 4: only the four pairs between them have an order."""
    assert counts(tied([5, 2, 4, 4], [0, 0, 2, 2])) == (2, 2, 1, 0, 1)


def test_ties_that_were_not_counted_are_not_guessed() -> None:
    judged = replace(judged_list([5, 4]), tied=np.full(2, -1, np.int32), _memo={})
    with pytest.raises(NotApplicableError, match="a correlation"):
        pair_counts(judged)
