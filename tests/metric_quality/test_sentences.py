"""The answer in words, and what is not known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.metric_quality.sample import row

from heldout.metric_quality.findings import MetricRow, SweepPoint
from heldout.metric_quality.sentences import (
    emptied,
    identical_systems,
    metric_answer,
    metric_limits,
    metric_numbers,
    metric_sentence,
    separating_metric,
)

NAN = float("nan")


def row_of(metric: str, mean_p: float, **changes: Any) -> MetricRow:
    plain = {"dp": mean_p * 10, "mean_p": mean_p, "mean_p_error": 0.01, "missing_tau": 0.9, "missing_low": 0.2} | {
        "swap_extrapolated": False
    }
    return row(metric, **(plain | changes))


def test_a_metric_is_called_best_only_if_no_standard_error_covers_its_lead() -> None:
    """P leads nDCG by 0.1 − 0.02: more than either error of 0.01, less than one of 0.1."""
    rows = [row_of("nDCG", 0.1), row_of("P", 0.02), row_of("RR", 0.4)]
    assert separating_metric(rows) == "P"
    assert metric_answer(rows) == "P separates these systems best."
    unsure = [row_of("nDCG", 0.1, mean_p_error=0.1), *rows[1:]]
    assert separating_metric(unsure) is None
    assert metric_answer(unsure) == "P has the lowest mean p, but not clearly."
    close = [*rows, row_of("AP", 0.025), row_of("F", 0.029)]
    assert "Within one standard error: AP and F; other systems may" in metric_sentence(close, 10)
    assert metric_answer(close) == "P and 2 more metrics separate these systems about equally well."
    assert metric_answer([*rows, row_of("AP", 0.025)]) == "P and AP separate these systems about equally well."


def test_answers_without_anything_to_compare() -> None:
    assert metric_answer([row_of("P", 0.02, significant=0.6)]) == "P tells 60.0% of the pairs of systems apart."
    unknown = [row_of("P", 0.02, mean_p_error=NAN), row_of("RR", 0.4, mean_p_error=NAN)]
    assert metric_answer(unknown) == "P has the lowest mean p, of unknown error."
    assert separating_metric(unknown) is None
    none = "No metric tells any two of these systems apart."
    assert metric_answer([row_of("P", NAN)]) == none
    assert metric_answer([row_of("P", 0.2, significant=0.0), row_of("RR", 0.4, significant=0.0)]) == none
    assert metric_numbers([row_of("P", NAN)], 10) == []


@pytest.mark.parametrize("near", [0, 1, 2, 120])
def test_answers_have_at_most_12_words(near: int) -> None:
    rows = [row_of("P@10", 0.02), *(row_of(f"F(beta={k})", 0.021) for k in range(near)), row_of("RR", 0.4)]
    assert len(metric_answer(rows).split()) <= 12


def test_the_numbers_behind_the_answer() -> None:
    rows = [row_of("P", 0.2), row_of("nDCG", 0.1), row_of("RR", 0.4)]
    parts = metric_numbers(rows, 10)
    assert parts[1::2] == ["10 pairs", "nDCG", "0.100 ± 0.010", "1.00", "20%"]
    text = metric_sentence(rows, 10)
    assert text.startswith(metric_answer(rows)) and text.endswith("".join(parts))
    assert "RR has the highest mean p, 0.400 ± 0.010." in text
    assert text.endswith("By the rule that orders the table, P comes first.")
    assert "0.100 ± 0.010 (standard error over systems); discriminative power (DP)" in text
    close = [row_of("P", 0.109), *(row_of(name, 0.1 + k / 1000) for k, name in enumerate(["nDCG", "AP", "Recall", "F"]))]
    assert "Within one standard error: AP, Recall, F and 1 more; other systems may" in metric_sentence(close, 10)
    small = metric_numbers([row_of("P", 0.00001, mean_p_error=0.00001)], 10)
    assert small[5:8:2] == ["< 0.001", "< 0.001"]  # never 0.000 ± 0.000
    assert "does not keep the order of systems" in metric_sentence([row_of("P", 0.2, missing_low=NAN)], 10)
    assert "ratings" not in metric_sentence([row_of("P", 0.2, missing_low=NAN, missing_tau=NAN)], 10)


def test_limits() -> None:
    rows = [row_of("P", 0.100), row_of("nDCG", 0.105, swap_extrapolated=True)]
    said = metric_limits(4, 900, rows, 3)
    assert said[0] == "τ of 4 systems has 6 pairs: one exchange of neighbours changes it by 0.33."
    assert any("no error of the mean p" in text for text in said)
    assert any("3 folds" in text for text in said)
    assert any("extrapolated for 1 metric" in text for text in said)
    assert metric_limits(20, 900, rows[:1], 1) == []


def test_systems_that_never_differ_are_named() -> None:
    values = np.random.default_rng(1).random((2, 3, 5))
    assert identical_systems(("A", "B", "C"), values) == []
    values[:, 2] = values[:, 0]
    assert identical_systems(("A", "B", "C"), values) == [
        "A and C have the same values for every user by every metric: the pair has p = 1 by each."
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
