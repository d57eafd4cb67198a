"""What unrated items count as."""

from __future__ import annotations

import pytest
from tests.metrics.lists import judged_list, value

from heldout.catalogue import make
from heldout.errors import NotApplicableError


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


def test_metrics_with_an_ideal_have_no_interval() -> None:
    judged = make("unrated", "interval(high)").apply(judged_list([None, 5]))
    for metric in ("Recall@2", "nDCG@2", "AP", "bpref"):
        with pytest.raises(NotApplicableError, match="has no interval"):
            value(metric, judged)
