"""Values with every unrated item at full gain, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metrics.lists import judged_list, value

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics import protocol_values as valuing
from heldout.metrics.measuring import measure
from heldout.testing.lists import judged_lists, random_lists


@pytest.mark.parametrize(
    ("metric", "low", "high"),
    [
        ("P@4", 1 / 4, 3 / 4),  # ranks 1 and 3 are unrated, 2 is a 2, 4 is a 5
        ("HitRate@1", 0, 1),
        ("RR", 1 / 4, 1),
        ("RBP(phi=0.5)@4", 0.5 * 0.5**3, 0.5 * (1 + 0.5**2 + 0.5**3)),
        ("DCG(gain=binary)@3", 0, 1 + 1 / 2),  # 1/log2(2) + 1/log2(4)
        ("P@10", 1 / 10, 3 / 10),  # places past the end of the list gain nothing
    ],
)
def test_an_interval_runs_from_no_gain_to_full_gain(metric: str, low: float, high: float) -> None:
    judged = judged_list([None, 2, None, 5], (4,))
    ends = [value(metric, end.apply(judged)) for end in make("unrated", "interval").ends()]
    assert ends == pytest.approx([low, high])


def test_full_gain_of_err_is_the_top_grade() -> None:
    """ERR of an unrated item at the top of a scale to 5 stops with (2^5 − 1)/2^5."""
    judged = judged_list([None, 1])
    stop, second = 31 / 32, 1 / 32
    assert value("ERR@2", make("unrated", "interval(high)").apply(judged)) == pytest.approx(stop + (1 - stop) * second / 2)


def test_metrics_with_an_ideal_have_no_interval() -> None:
    judged = make("unrated", "interval(high)").apply(judged_list([None, 5]))
    for metric in ("Recall@2", "nDCG@2", "AP", "bpref"):
        with pytest.raises(NotApplicableError, match="has no interval"):
            value(metric, judged)


def test_blocks_of_unrated_items_do_not_change_the_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = make("unrated", "interval(high)").apply(judged_lists(*random_lists(3)))
    whole = measure(judged, [make("metric", "DCG(gain=exp2)"), make("metric", "RR@5")]).values
    monkeypatch.setattr(valuing, "ENTRIES", 17)
    np.testing.assert_array_equal(measure(judged, [make("metric", "DCG(gain=exp2)"), make("metric", "RR@5")]).values, whole)
