"""The end of the verdict: how the leader fares in the other settings."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.test_verdict import board, sentence

from heldout.analysis.verdict import verdict


def test_significant_contradictions_come_first() -> None:
    """Four chances and then two significant ones: those two are named, with one of the four."""
    text = sentence((0.5, 0.4, 0.01), *[(0.5, 0.6, 0.3)] * 4, *[(0.5, 0.6, 0.01)] * 2)
    assert text.endswith(
        "A leads in none of the 6 other settings; B beats A significantly under m5; B beats A significantly under m6; "
        "B leads under m1 (not significantly) and 3 more (not significantly)."
    )
    assert sentence((0.5, 0.4, 0.01), *[(0.5, 0.6, 0.01)] * 5).endswith("under m3 and 2 more, 2 of them significantly.")


def test_contradictions_under_one_option_are_told_together() -> None:
    """A wins under the ratio split; under the temporal one B wins in 2 of 3 settings, whatever the metric."""
    settings, leaders, pairs = board((0.5, 0.4, 0.01), (0.5, 0.4, 0.01), (0.4, 0.5, 0.01), (0.4, 0.5, 0.01), (0.5, 0.4, 0.9))
    splits = ("ratio", "ratio", "temporal", "temporal", "temporal")
    chosen = [replace(s, choices={"split": split}) for s, split in zip(settings, splits, strict=True)]
    assert verdict(chosen, leaders, pairs, 0.05).sentence.endswith(
        "A also leads in 2 of the 4 other settings, significantly in 1. "
        "Under split temporal: B beats A significantly in 2 of 3 settings."
    )
    # An option of the primary setting itself explains nothing.
    alike = [replace(s, choices={"split": "ratio"}) for s in settings]
    assert (
        "; B beats A significantly under m2; B beats A significantly under m3."
        in verdict(alike, leaders, pairs, 0.05).sentence
    )


def test_both_and_neither_of_two_settings() -> None:
    assert "A leads in neither of the two other settings; B beats A" in sentence((0.5, 0.4, 0.01), *[(0.4, 0.5, 0.01)] * 2)
    assert "A also leads in both other settings" in sentence(*[(0.5, 0.4, 0.01)] * 3)
    assert "A also leads in all 3 other settings" in sentence(*[(0.5, 0.4, 0.01)] * 4)
