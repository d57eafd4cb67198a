"""Scores of all users' targets counted among those of the relevant ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

from heldout.errors import NotApplicableError
from heldout.metrics.all_scores import count_blocks
from heldout.testing.lists import judged_lists, values_of


def test_one_list_of_all_pairs() -> None:
    """Relevant scores 0.9 and 0.2, others 0.5 and 0.2: 0.9 beats both, 0.2 ties with one: 2.5 of 4."""
    judged = judged_lists([[5, None], [None, 4]], catalogue=2)
    judged = replace(judged, score=np.array([0.9, 0.2]), _memo={})
    counted = count_blocks(judged, [np.array([0.9, 0.5]), np.array([0.2, 0.2])])
    assert values_of("GROC", counted)[0] == pytest.approx(2.5 / 4)
    # recall ½ at precision 1; then all four: recall 1 at precision ½
    assert values_of("GPR", counted)[0] == pytest.approx(1 / 2 * 1 + 1 / 2 * 1 / 2)
    assert values_of("GPR(f)", counted)[0] == pytest.approx(2 / 3)


def test_targets_without_a_score_are_tied_below_all() -> None:
    """Relevant: 0.9 and one without score; others: 0.5 and one without: 0.9 beats 2, the other ties with 1 of 2."""
    judged = judged_lists([[5, None], [None]], [[], [4]], catalogue=2)
    judged = replace(judged, score=np.array([0.9]), _memo={})
    counted = count_blocks(judged, [np.array([0.9, 0.5]), np.array([np.nan, np.nan])])
    assert values_of("GROC", counted)[0] == pytest.approx(2.5 / 4)


def test_scores_that_users_do_not_share_are_refused() -> None:
    with pytest.raises(NotApplicableError, match="not comparable across users"):
        value("GROC", replace(judged_list([5, None]), comparable=False, _memo={}))
