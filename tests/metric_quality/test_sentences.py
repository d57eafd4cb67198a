"""The answer in words, and what is not known."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.metric_quality.sample import row

from heldout.metric_quality.findings import MetricRow, SweepPoint
from heldout.metric_quality.sentences import emptied, identical_systems, metric_limits, metric_sentence

NAN = float("nan")


def row_of(metric: str, mean_p: float, **changes: Any) -> MetricRow:
    plain = {"dp": mean_p * 10, "mean_p": mean_p, "mean_p_error": 0.01, "missing_tau": 0.9, "missing_low": 0.2} | {
        "swap_extrapolated": False
    }
    return row(metric, **(plain | changes))


def test_the_sentence_names_best_worst_and_what_the_rule_puts_first() -> None:
    rows = [row_of("P", 0.2), row_of("nDCG", 0.1), row_of("RR", 0.4)]
    text = metric_sentence(rows, 10)
    assert text.startswith("On these data nDCG separates systems best (DP 1.00, mean p 0.100 over 10 pairs)")
    assert "down to 20% of the test ratings (τ ≥ 0.95); RR worst (DP 4.00, mean p 0.400)." in text
    assert text.endswith("By the rule that orders the table P comes first.")
    close = [
        row_of("P", 0.109),
        *(row_of(name, 0.1 + k / 1000) for k, name in enumerate(["nDCG", "AP", "Recall", "F", "RR"])),
    ]
    assert "over 10 pairs, within one standard error of P, AP, Recall and 2 more)" in metric_sentence(close, 10)
    assert "P separates systems best (DP < 0.001, mean p < 0.001 over" in metric_sentence([row_of("P", 0.00001)], 10)
    assert "does not keep their order" in metric_sentence([row_of("P", 0.2, missing_low=NAN)], 10)
    assert "nothing to choose by" in metric_sentence([row_of("P", NAN)], 10)


def test_limits() -> None:
    rows = [row_of("P", 0.100), row_of("nDCG", 0.105, swap_extrapolated=True)]
    said = metric_limits(4, 900, rows, 3)
    assert said[0] == "τ of 4 systems has 6 pairs: one exchange of neighbours changes it by 0.33."
    assert any("no error of the mean p" in text for text in said)
    assert any("P and nDCG differ in mean p by less than its standard error" in text for text in said)
    assert any("3 folds" in text for text in said)
    assert any("extrapolated for 1 metric" in text for text in said)
    assert metric_limits(20, 900, rows[:1], 1) == []
    sure = [row_of("P", 0.0001, mean_p_error=0.0002), row_of("nDCG", 0.0002, mean_p_error=0.0002)]
    assert any("over systems (< 0.001): other" in text for text in metric_limits(20, 900, sure, 1))  # never 0.000


def test_systems_that_never_differ_are_named() -> None:
    values = np.random.default_rng(1).random((2, 3, 5))
    assert identical_systems(("A", "B", "C"), values) == []
    values[:, 2] = values[:, 0]
    assert identical_systems(("A", "B", "C"), values) == [
        "A and C have the same values for every user by every metric: the pair has p = 1 in every DP."
    ]


def test_shares_at_which_no_order_is_left_are_said() -> None:
    def point(metric: str, share: float, samples: int) -> SweepPoint:
        return SweepPoint(metric=metric, share=share, samples=samples, tau=NAN, low=NAN, high=NAN, users=0.0)

    points = [point(m, share, 5 if share > 0.05 or m == "P" else 0) for m in ("P", "RR") for share in (1.0, 0.1, 0.05)]
    assert emptied(points, "test ratings") == [
        "With 5% of the test ratings or less no sample orders the systems by RR: no user, or no difference, is left, and "
        "the mean τ is that of the other shares."
    ]
    assert emptied([point("P", 0.05, 0)], "items") == [
        "With 5% of the items or less no sample orders the systems by any metric: no user, or no difference, is left."
    ]
    never = [point("P", share, 0) for share in (1.0, 0.5)] + [point("RR", share, 5) for share in (1.0, 0.5)]
    assert emptied(never, "test ratings")[0].startswith("Even with all test ratings no sample orders the systems by P:")
    by_chance = [point("P", share, int(share != 0.5)) for share in (1.0, 0.5, 0.05)]  # a smaller sample orders them again
    assert emptied(by_chance, "test ratings")[0].startswith("With 50% of the test ratings no sample orders")
