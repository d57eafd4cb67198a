"""The end of the verdict: how the leader fares in the other settings."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.test_verdict import board, sentence

from heldout.analysis.served_users import Served
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


def test_a_setting_without_a_winner_is_not_counted_as_one_that_the_leader_leads() -> None:
    """A leads in all six settings; in the last one, too few users are served to call it the winner."""
    few = {5: Served(9, 2, (0.5, 0.4), (0.5, 0.4))}
    whole = verdict(*board(*[(0.5, 0.4, 0.01)] * 6), 0.05, systems=("A", "B"), served=few)
    assert whole.sentence.endswith(
        "The conclusion holds: A also leads in 4 of the 5 other settings, each time significantly, and no winner is called "
        "in 1 (few users served)."
    )
    assert (len(whole.holding), len(whole.uncalled), len(whole.rows)) == (5, 1, 6)
    every = dict.fromkeys(range(1, 6), few[5])
    none_called = verdict(*board(*[(0.5, 0.4, 0.01)] * 6), 0.05, systems=("A", "B"), served=every).sentence
    assert none_called.endswith("no winner is called in any of the 5 other settings (few users served).")


def test_settings_on_other_users_are_counted() -> None:
    """The first three settings rest on the same 20 users, the last three on 9 others."""
    settings, leaders, pairs = board(*[(0.5, 0.4, 0.01)] * 6)
    leaders = [replace(row, users=20) if row.setting in (0, 1, 2) else row for row in leaders]
    whole = verdict(settings, leaders, pairs, 0.05, same_users=lambda a, b: (a < 3) == (b < 3))
    assert whole.sentence.endswith(
        "A also leads in all 5 other settings, each time significantly. 3 of the 5 other settings rest on other users "
        "than the primary one (9 instead of 20)."
    )
    assert [row.other_users for row in whole.rows] == [0, 0, 0, 9, 9, 9] and whole.on_other_users == whole.rows[3:]
    one = verdict(*board(*[(0.5, 0.4, 0.01)] * 2), 0.05, same_users=lambda a, b: a == b).sentence
    assert one.endswith("significantly. The other setting rests on other users than the primary one.")
    for count, words in ((3, "Both other settings rest"), (4, "All 3 other settings rest")):
        several = verdict(*board(*[(0.5, 0.4, 0.01)] * count), 0.05, same_users=lambda a, b: a == b).sentence
        assert f". {words} on other users than the primary one." in several
