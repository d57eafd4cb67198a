"""The answer in sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.truth_rows import findings

from heldout.biases.truth.findings import EstimatorRow, TruthPair
from heldout.biases.truth.sentences import truth_answer, truth_sentences

NAN = float("nan")


def row(protocol: str, right: float, low: float, high: float, **more: float) -> EstimatorRow:
    return EstimatorRow(
        name=f"{protocol} by P@5",
        protocol=protocol,
        metric="P@5",
        measured="P@5",
        estimand="the metric",
        same_scale="rmse" in more,
        users=50,
        right=right,
        right_low=low,
        right_high=high,
        tau=0.5,
        decided=0.5,
        **({"type_s": 0.0, "significant": 40} | more),  # type: ignore[arg-type]
    )


def pair(best_right: float, *, judged: bool = True) -> TruthPair:
    return TruthPair(
        metric="P@5",
        better="A",
        worse="B",
        difference=0.1,
        error=0.01,
        judged=judged,
        plain=0.5,
        best="x",
        best_right=best_right,
    )


ROWS = [
    row("IPS (known)", 0.9, 0.8, 1.0, rmse=0.01, bias=0.0, truth=0.3),
    row("SNIPS (known)", 0.85, 0.7, 0.95),
    row("AI-AR", 0.7, 0.6, 0.8, rmse=0.1, bias=-0.1, truth=0.3, type_s=0.1),
    row("P1R", 0.2, 0.1, 0.3),
]


def test_the_best_the_plain_the_nearest_and_what_nobody_can_tell() -> None:
    best, plain, nearest, sure, untold = truth_sentences(ROWS, [pair(0.6), pair(1.0)], 20, simulated=True)
    assert best == (
        "Over 20 redrawn worlds, IPS (known: inverse propensity scoring) with P@5 chose the truly better of two systems in "
        "90.0% (95% CI 80.0% to 100%) of pairs; SNIPS (known: self-normalised inverse propensity scoring) lies within this "
        "interval."
    )
    assert "was right in 70.0% (95% CI 60.0% to 80.0%) of 2 pairs by P@5. Worse than chance: P1R by P@5." in plain
    assert nearest.startswith(
        "Nearest to the true value: IPS (known) for P@5 (RMSE 0.010, bias 0.000, truth 0.300) where AI-AR"
    )
    assert sure.startswith("Significant differences had the wrong sign most often under AI-AR by P@5 (10.0% of 40)")
    assert "among" not in sure
    few = truth_sentences([*ROWS, row("U1R", 0.6, 0.5, 0.7, type_s=1.0, significant=9)], [pair(0.6)], 20, simulated=True)[3]
    assert "under AI-AR by P@5 (10.0% of 40), among estimators with 10 or more of them" in few
    assert untold.startswith("No protocol can be trusted with 1 comparison of 2: none was right in 75.0% of the 20 redrawn")


def test_every_comparison_can_be_told_by_some_protocol() -> None:
    *_, told = truth_sentences(ROWS, [pair(0.8), pair(1.0), pair(0.1, judged=False)], 20, simulated=True)
    assert told == (
        "Each of the 2 comparisons of two systems was ordered rightly by some protocol in 80.0% of the 20 redrawn worlds or "
        "more; by which one differs between them."
    )


def test_no_better_than_chance() -> None:
    first, *_ = truth_sentences([row("AI-AR", 0.6, 0.4, 0.8)], [pair(0.9)], 15, simulated=False)
    assert first == "Over 15 splits, no protocol is shown to choose the truly better of two systems more often than chance."


def test_nothing_is_judged() -> None:
    assert truth_sentences([row("AI-AR", NAN, NAN, NAN)], [pair(NAN, judged=False)], 5, simulated=False) == (
        "Over 5 splits, the truth separates no pair of systems: no protocol can be judged by it.",
    )


def test_few_draws_name_no_winner_and_no_hopeless_pair() -> None:
    said = truth_sentences(ROWS, [pair(0.6), pair(1.0)], 3, simulated=True)
    assert said[0] == (
        "3 redrawn worlds: too few to say which of 4 protocols chooses the truly better system most often; 10 or more are "
        "needed."
    )
    assert not any(text.startswith("No protocol can be trusted") for text in said)


def test_signs_of_few_significant_differences_are_not_told() -> None:
    """One wrong of two says nothing of how often."""
    said = truth_sentences([row("AI-AR", 0.9, 0.8, 1.0, type_s=0.5, significant=2)], [pair(1.0)], 20, simulated=True)
    assert not any("wrong sign" in text for text in said)


@pytest.mark.parametrize(
    ("rows", "draws", "answer"),
    [
        (ROWS, 20, "IPS (known) and 1 other protocol are right about equally often."),
        ([row("sampled", 0.9, 0.8, 1.0), ROWS[3]], 20, "Sampled most often finds the truly better system."),
        ([row("AI-AR", 0.6, 0.4, 0.8)], 20, "No protocol is shown to be right more often than chance."),
        (ROWS, 9, "Too few draws to say which protocol is right most often."),
        ([row("AI-AR", NAN, NAN, NAN)], 20, "The truth separates no pair of systems."),
    ],
)
def test_the_answer_names_a_protocol_only_if_the_others_are_outside_its_interval(
    rows: list[EstimatorRow], draws: int, answer: str
) -> None:
    assert truth_answer(replace(findings(tuple(rows)), draws=draws)) == answer
    assert len(answer.split()) <= 12
