"""Many metrics at once, and what is reported beside them."""

from __future__ import annotations

import gc
import weakref

import pytest
from tests.metrics.lists import judged_list

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.measuring import measure, with_diagnostics


def test_diagnostics_stand_behind_the_metrics_once_per_depth() -> None:
    metrics = [make("metric", m) for m in ("P@5", "nDCG@5", "AP")]
    assert [str(m) for m in with_diagnostics(metrics)] == [
        "P@5",
        "nDCG@5",
        "AP",
        "Coverage@1",
        "Coverage@5",
        "Filled@5",
        "Unrated@5",
        "Rho@5",
        "Tied@5",
        "Rho",
        "Tied",
    ]


def test_graded_gains_of_negative_ratings_are_refused() -> None:
    judged = judged_list([5, -1])
    with pytest.raises(NotApplicableError, match="gain=linear of a rating of -1 is below 0"):
        measure(judged, [make("metric", "nDCG@5")])
    assert measure(judged, [make("metric", "nDCG(gain=binary)@5")]).values[0, 0] == 1.0


def test_what_a_list_keeps_does_not_keep_it_alive() -> None:
    """Sums kept for further cut-offs must not hold the table that keeps them: its arrays would stay until garbage day."""
    judged = judged_list([5, None, 4], (3,))
    measure(
        judged, [make("metric", m) for m in ("nDCG@5", "nDCG(gain=exp2)@2", "AP@5", "bpref", "ERR@5", "Q@5", "P@5", "RR")]
    )
    gone = weakref.ref(judged), weakref.ref(judged.relevance)
    gc.disable()
    try:
        del judged
        assert [ref() for ref in gone] == [None, None]
    finally:
        gc.enable()
