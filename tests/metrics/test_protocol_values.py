"""Values with every unrated item at full gain, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

from heldout.catalogue import make
from heldout.metrics import protocol_values as valuing
from heldout.metrics.measuring import measure
from heldout.testing.lists import judged_lists, random_lists


def test_full_gain_of_err_is_the_top_grade() -> None:
    """ERR of an unrated item at the top of a scale to 5 stops with (2^5 − 1)/2^5."""
    judged = judged_list([None, 1])
    stop, second = 31 / 32, 1 / 32
    assert value("ERR@2", make("unrated", "interval(high)").apply(judged)) == pytest.approx(stop + (1 - stop) * second / 2)


def test_blocks_of_unrated_items_do_not_change_the_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = make("unrated", "interval(high)").apply(judged_lists(*random_lists(3)))
    whole = measure(judged, [make("metric", "DCG(gain=exp2)"), make("metric", "RR@5")]).values
    monkeypatch.setattr(valuing, "ENTRIES", 17)
    np.testing.assert_array_equal(measure(judged, [make("metric", "DCG(gain=exp2)"), make("metric", "RR@5")]).values, whole)
