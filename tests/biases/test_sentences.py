"""The sentences, from findings whose figures are written by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.biases.sample import small_findings

from heldout.biases.findings import BiasFindings
from heldout.biases.options import BiasOptions
from heldout.biases.sentences import (
    bias_answer,
    bias_limits,
    bias_sentences,
)


def _with_pair(*, plain: float, neutral: float, p: float = 0.2, sure: tuple[bool, bool] = (False, False)) -> BiasFindings:
    """The leading pair with these leads, each by a value of 0.1 of the second, and whether they are significant."""
    findings = small_findings()
    first, second = "ItemKNN(k=10)", "UserKNN(k=20)"
    leads = {"AI-AR": (plain, sure[0]), "P1R": (neutral, sure[1])}
    pairs = []
    for row in findings.effects.pairs:
        if {row.a, row.b} == {first, second} and row.protocol in leads and row.metric == "nDCG@5":
            lead, significant = leads[row.protocol]
            ends = {"low": lead - 0.01, "high": lead + 0.01, "p": p, "significant": significant}
            row = replace(row, difference=lead, relative=lead / 0.1, a=first, b=second, **ends)  # type: ignore[arg-type]
        pairs.append(row)
    return replace(findings, effects=replace(findings.effects, pairs=tuple(pairs)))


def _ratio(findings: BiasFindings, protocol: str) -> float:
    """Popularity's P@5 in multiples of a random ranking's."""
    times = {(row.system, row.protocol, row.metric): row.times_random for row in findings.effects.values}
    return times[findings.baselines["Popularity"], protocol, "P@5"]


def test_multiples_of_random_come_first() -> None:
    findings = small_findings()
    plain, neutral = _ratio(findings, "AI-AR"), _ratio(findings, "P1R")
    assert bias_sentences(findings)[0] == (
        f"Popularity's P@5 is {plain:.1f} × that of a random ranking under AI-AR (all items, all relevant) and "
        f"{neutral:.1f} × under P1R (one relevant, within popularity percentiles)."
    )


def test_the_lead_of_the_first_system_has_its_interval() -> None:
    findings = _with_pair(plain=0.035, neutral=-0.004, p=0.01)
    assert bias_sentences(findings)[1] == (
        "ItemKNN's lead over UserKNN by nDCG@5 is +35% (+0.0350, 95% CI +0.0250 to +0.0450, p = 0.010) under AI-AR and "
        "−4% (−0.0040, 95% CI −0.0140 to +0.0060, p = 0.010) under P1R, a popularity-neutral protocol."
    )


@pytest.mark.parametrize(
    ("neutral", "sure", "answer"),
    [
        (0.004, (False, False), "ItemKNN's lead over UserKNN can be chance with or without popularity's advantage."),
        (0.004, (True, False), "ItemKNN's lead over UserKNN is not significant without popularity's advantage."),
        (-0.004, (True, False), "ItemKNN's lead over UserKNN is not significant without popularity's advantage."),
        (0.004, (False, True), "ItemKNN's lead over UserKNN is significant only without popularity's advantage."),
        (0.004, (True, True), "ItemKNN leads UserKNN with and without popularity's advantage."),
        (-0.004, (True, True), "UserKNN overtakes ItemKNN once popularity has no advantage."),
        (-0.004, (False, True), "UserKNN overtakes ItemKNN once popularity has no advantage."),
    ],
)
def test_the_answer_is_what_is_significant(neutral: float, sure: tuple[bool, bool], answer: str) -> None:
    assert bias_answer(_with_pair(plain=0.035, neutral=neutral, sure=sure)) == answer
    assert len(answer.split()) <= 12


def test_without_two_systems_the_answer_is_about_popularity() -> None:
    findings = replace(small_findings(), baselines={"Random": "Random", "Popularity": "ItemKNN(k=10)"})
    findings = replace(findings, systems=("Random", "ItemKNN(k=10)", "UserKNN(k=20)"))
    ratio = _ratio(findings, "AI-AR")
    assert bias_answer(findings) == f"Popularity has {ratio:.1f} × the precision of a random ranking."
    unmeasured = replace(findings, effects=replace(findings.effects, values=()))
    assert bias_answer(unmeasured) == "3 systems were measured under 13 protocols."


def test_changes_count_pairs_and_name_few() -> None:
    findings = small_findings()
    effects = [
        replace(e, reversed=(("A", "B"),), overturned=(), lost=(("C", "D"), ("E", "F"), ("G", "H"), ("I", "J")), tau=0.5)
        if e.protocol == "P1R" and e.metric == findings.metric
        else replace(e, reversed=(), lost=(("C", "D"),) if e.protocol == "UAR" else ())
        for e in findings.effects.protocols
    ]
    said = bias_sentences(replace(findings, effects=replace(findings.effects, protocols=tuple(effects))))
    assert (
        "Under P1R, 1 of 6 pairs changes its order (A over B; not significantly) and 4 no longer differ significantly "
        "(C over D, E over F, G over H and 1 more); τ 0.50 with the study's order." in said
    )
    assert any(s.startswith("Under UAR, 1 of 6 pairs no longer differs significantly (C over D); τ ") for s in said)
    assert any(s.startswith("Under U1R, no pair of systems changes its order or loses significance (τ ") for s in said)


def test_drift_and_repeats_are_told_where_there_are_any() -> None:
    findings = small_findings()
    moved = replace(
        findings.drift, distance=0.4, distance_by_chance=0.1, unseen_items=0.2, unseen_ratings=0.05, repeated=0.3
    )
    said = " ".join(bias_sentences(replace(findings, drift=moved)))
    assert "Popularity drifts: 40% of the ratings would have to move" in said
    assert "20.0% of the test items, with 5.0% of the test ratings, have no training rating" in said
    assert "30.0% of the rows of the data repeat" in said
    still = replace(moved, distance=0.15, unseen_ratings=0.0, repeated=0.0)
    assert "drifts" not in " ".join(bias_sentences(replace(findings, drift=still)))


def test_limits_say_what_was_split_anew_and_simulated() -> None:
    findings = small_findings()
    limits = " ".join(bias_limits(findings, BiasOptions()))
    assert "separate random splits" in limits and "no taste" in limits and "first fold" not in limits
    assert "first fold" in " ".join(bias_limits(replace(findings, folds=5), BiasOptions(sweeps=())))


@pytest.mark.parametrize(
    ("turned", "sure", "words"),
    [
        (1, 1, "(A over B; significantly)"),
        (1, 0, "(A over B; not significantly)"),
        (2, 2, "(A over B and C over D; all significantly)"),
        (2, 1, "(A over B and C over D; 1 of them significantly)"),
    ],
)
def test_pairs_that_turn_round_say_how_surely(turned: int, sure: int, words: str) -> None:
    findings, pairs = small_findings(), (("A", "B"), ("C", "D"))
    effects = [replace(e, reversed=pairs[:turned], overturned=pairs[:sure]) for e in findings.effects.protocols]
    said = bias_sentences(replace(findings, effects=replace(findings.effects, protocols=tuple(effects))))
    assert any(words in sentence for sentence in said)
