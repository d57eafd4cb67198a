"""Ratings that a model cannot be fitted on."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.recommenders.guards import LARGEST, refuse_beyond, refuse_huge, refuse_negative

MODEL = make("recommender", "EASE")


def test_negative_ratings_are_counted_and_the_first_is_named(ratings) -> None:
    refuse_negative(ratings([[1, 0], [0, 5]]), MODEL, "it needs")
    with pytest.raises(
        NotApplicableError, match=r"EASE.*: 2 ratings are negative \(first: user 0, item 1, -2\), but it needs"
    ):
        refuse_negative(ratings([[1, -2], [-0.5, 5]]), MODEL, "it needs")


@pytest.mark.parametrize("largest", [LARGEST * 1.01, np.inf, np.nan])
def test_what_float32_cannot_hold_is_refused(largest: float) -> None:
    refuse_beyond(LARGEST, "scores")
    with pytest.raises(NotApplicableError, match=r"scores reach .*, and scores hold at most 1e"):
        refuse_beyond(largest, "scores")


def test_more_memory_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.threads.memory", lambda: 2 * 2**30)
    refuse_huge(2 * 2**30, MODEL, "weights")
    with pytest.raises(NotApplicableError, match="weights need 3 GiB of memory, this machine has 2"):
        refuse_huge(3 * 2**30, MODEL, "weights")
    monkeypatch.setattr("heldout.threads.memory", lambda: 0)  # where the machine does not say
    refuse_huge(10**18, MODEL, "weights")
