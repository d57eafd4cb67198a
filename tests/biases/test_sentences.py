"""The sentences, from findings whose figures are written by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.biases.sample import small_findings

from heldout.biases.findings import BiasFindings
from heldout.biases.options import BiasOptions
from heldout.biases.sentences import bias_limits, bias_sentences, leading_pair, main_neutral, popularity_ratio


def _with_pair(*, plain: float, fair: float, p: float) -> BiasFindings:
    """The leading pair with these leads, each by a value of 0.1 of the second."""
    findings = small_findings()
    pair = leading_pair(findings)
    assert pair is not None
    names = {pair[0].a, pair[0].b}
    leads = {"AI-AR": plain, "P1R": fair}
    pairs = [
        replace(row, difference=leads[row.protocol], relative=leads[row.protocol] / 0.1, p=p, a=pair[0].a, b=pair[0].b)
        if {row.a, row.b} == names and row.protocol in leads and row.metric == "nDCG@5"
        else row
        for row in findings.effects.pairs
    ]
    return replace(findings, effects=replace(findings.effects, pairs=tuple(pairs)))


def test_multiples_of_random_and_the_lead_come_first() -> None:
    findings = small_findings()
    assert main_neutral(findings) == "P1R"
    plain, fair = popularity_ratio(findings, "AI-AR"), popularity_ratio(findings, "P1R")
    assert bias_sentences(findings)[0] == (
        f"Popularity reaches {plain:.1f} × random under AI-AR and {fair:.1f} × under P1R (P@5)."
    )


@pytest.mark.parametrize(
    ("plain", "fair", "p", "words"),
    [
        (
            0.035,
            0.004,
            0.4,
            "can be chance under both protocols: +35% (+0.0350, p = 0.400) under AI-AR, +4% (+0.0040, p = 0.400) once",
        ),
        (
            0.035,
            -0.004,
            0.01,
            "turns from +35% (+0.0350, p = 0.010) to −4% (−0.0040, p = 0.010) once popularity is neutral (P1R).",
        ),
        (0.035, 0.004, 0.01, "shrinks from +35% (+0.0350, p = 0.010) to +4% (+0.0040, p = 0.010) once popularity"),
        (0.01, 0.02, 0.0001, "grows from +10% (+0.0100, p < 0.001) to +20% (+0.0200, p < 0.001) once"),
    ],
)
def test_the_lead_of_the_best(plain: float, fair: float, p: float, words: str) -> None:
    findings = _with_pair(plain=plain, fair=fair, p=p)
    pair = leading_pair(findings)
    assert pair is not None
    assert f"{pair[0].a}'s lead over {pair[0].b} {words}" in bias_sentences(findings)[1]


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
        "Under P1R 1 of 6 pairs changes its order (A over B; not significantly) and 4 no longer differ significantly "
        "(C over D, E over F, G over H and 1 more); τ 0.50 with the study's order." in said
    )
    assert any(s.startswith("Under UAR 1 of 6 pairs no longer differs significantly (C over D); τ ") for s in said)
    assert any(s.startswith("Under U1R no pair of systems changes its order or loses significance (τ ") for s in said)


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
    assert "split the ratings anew" in limits and "no taste" in limits and "first fold" not in limits
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
