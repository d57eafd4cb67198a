"""The verdict in words: who wins, how surely, whom it rests on, and whether it holds in the other settings."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.boards import Board, joined, one_setting

from heldout.analysis.rows import Setting, VerdictRow
from heldout.analysis.selection_bias import Selected
from heldout.analysis.sentences import rests_on, uncalled, verdict
from heldout.analysis.statistics import Served
from heldout.analysis.verdict import why_uncalled

SETTING = Setting(id=0, choices={}, metric="P@10", aggregate="mean", undefined="zero", coverage="zero", label="P@10")
ROW = VerdictRow(
    setting=0,
    leader="A",
    value=0.5,
    rival="B",
    difference=0.1,
    p_adjusted=0.01,
    significant=True,
    agrees=True,
    users=10,
    served=8,
)
SYSTEMS = ("A", "B")


def board(*values: tuple[float, float, float]) -> Board:
    """Settings of systems A and B: their values and the adjusted p."""
    return joined([one_setting(k, {"A": a, "B": b}, [("A", "B", p)]) for k, (a, b, p) in enumerate(values)])


def sentence(*values: tuple[float, float, float]) -> str:
    return verdict(*board(*values), 0.05).sentence


def test_a_winner_alone() -> None:
    assert sentence((0.5, 0.4, 0.01)) == "A wins on m0: 0.5000, +0.1000 over B (t p = 0.010, on 9 users)."


def test_a_winner_that_holds() -> None:
    assert sentence((0.5, 0.4, 0.01), (0.6, 0.5, 0.01), (0.3, 0.2, 0.01)).endswith(
        "The conclusion holds: A also leads in both other settings, each time significantly."
    )


def test_a_winner_that_is_contradicted() -> None:
    assert sentence((0.5, 0.4, 0.01), (0.5, 0.6, 0.01), (0.3, 0.2, 0.3)).endswith(
        "The conclusion does not hold everywhere: A also leads in 1 of the 2 other settings, not significantly; "
        "B beats A significantly under m1."
    )


def test_a_tie_is_neither_a_lead_nor_a_contradiction() -> None:
    assert sentence((0.5, 0.4, 0.01), (0.2, 0.2, 1.0)).endswith(
        "The conclusion is not contradicted: A does not lead in the other setting, and the first two tie in it."
    )


def test_no_winner_is_no_conclusion_to_hold() -> None:
    text = sentence((0.5, 0.4, 0.3), (0.6, 0.5, 0.01))
    assert text.startswith("No winner on m0: A is ahead, 0.5000, +0.1000 over B")
    assert text.endswith("but that can be chance. A also leads in the other setting, significantly.")


def test_a_test_that_favours_the_runner_up_makes_no_winner() -> None:
    """The leader's average is higher, but most users are better off with the other: the sign test speaks for B."""
    settings, leaders, pairs = board((0.5, 0.4, 0.001))
    flipped = [replace(pairs[0], test="sign", wins=60, losses=140)]
    text = verdict(settings, leaders, flipped, 0.05).sentence
    assert text.startswith("No winner on m0: A has the better average")
    assert text.endswith("the test favours B.")


def test_averages_over_other_users_than_the_pairs_make_no_winner() -> None:
    settings, leaders, pairs = board((0.5, 0.4, 0.001))
    assert "the test favours B" in verdict(settings, leaders, [replace(pairs[0], difference=-0.1)], 0.05).sentence


def test_equal_systems_tie() -> None:
    assert sentence((0.5, 0.5, 1.0)) == "No winner on m0: A and B tie at 0.5000."


def _three(p_ab: float, p_cb: float) -> Board:
    """A has 0.5, C 0.45 and the baseline B 0.4; only pairs with B were tested."""
    return one_setting(0, {"A": 0.5, "C": 0.45, "B": 0.4}, [("A", "B", p_ab), ("C", "B", p_cb)], family=2)


def test_with_a_baseline_the_leader_is_held_against_it() -> None:
    found = verdict(*_three(0.01, 0.3), 0.05, baseline="B")
    assert found.sentence == (
        "A leads on m0 and beats the baseline: 0.5000, +0.1000 over B (t p = 0.010 after holm over 2 pairs, on 9 users)."
    )
    assert (found.rows[0].leader, found.rows[0].rival) == ("A", "B")
    assert "No winner on m0: A is ahead" in verdict(*_three(0.2, 0.3), 0.05, baseline="B").sentence
    assert "that difference was not tested" in verdict(*_three(0.2, 0.3), 0.05).sentence


def test_a_baseline_that_nobody_beats() -> None:
    settings, leaders, pairs = board((0.5, 0.4, 0.01))
    assert verdict(settings, leaders, pairs, 0.05, baseline="A").sentence == (
        "No system beats the baseline on m0: A has 0.5000, +0.1000 over B (t p = 0.010, on 9 users)."
    )


def test_no_correction_is_said_to_be_none() -> None:
    settings, leaders, pairs = board((0.5, 0.4, 0.01))
    plain = [replace(pair, correction="none", family=3) for pair in pairs]
    assert "(t p = 0.010 not corrected for 3 pairs, on 9 users)" in verdict(settings, leaders, plain, 0.05).sentence
    plain = [replace(pair, correction="none") for pair in pairs]
    assert "(t p = 0.010, on 9 users)" in verdict(settings, leaders, plain, 0.05).sentence


def test_a_leader_elsewhere_that_was_chosen_on_what_it_is_tested_on() -> None:
    chosen = Selected(
        code="HO416", systems=("B",), why="was tuned here", instead="Tune it elsewhere.", notice="B was tuned here"
    )
    found = verdict(*board((0.5, 0.4, 0.01), (0.5, 0.6, 0.01)), 0.05, selected={1: {"B": chosen}})
    assert found.sentence.startswith("A wins on m0") and found.sentence.endswith(
        "The conclusion is not contradicted: no winner is called in the other setting (B is ahead, chosen on what it is "
        "tested on)."
    )
    assert [row.refused for row in found.rows] == ["", "was tuned here"] and not found.rows[1].significant
    refused = verdict(*board((0.4, 0.5, 0.01)), 0.05, selected={0: {"B": chosen}})
    assert refused.sentence == (
        "No winner is called on m0: B, which is ahead (0.5000, +0.1000 over A), was tuned here. Tune it elsewhere."
    )


def test_one_minus_sign() -> None:
    """Errors: less is better, so the leader's difference is negative."""
    settings, leaders, pairs = board((0.5, 0.4, 0.01))
    lower = [replace(settings[0], higher_is_better=False)]
    turned = [replace(row, rank=3 - row.rank) for row in leaders]
    ends = [replace(pairs[0], low=0.05, high=0.15)]
    text = verdict(lower, turned, ends, 0.05).sentence
    assert "B wins on m0: 0.4000, −0.1000 over A (unadjusted 95% interval −0.1500 to −0.0500," in text and "-" not in text


def test_what_was_not_tested_is_not_called_insignificant() -> None:
    settings, leaders, pairs = board((0.5, 0.4, 0.01), (0.5, 0.6, 0.01), (0.5, 0.4, 0.01))
    text = verdict(settings, leaders, pairs[:1], 0.05).sentence
    assert text.endswith("A also leads in 1 of the 2 other settings (not tested); B leads under m1 (not tested).")
    nothing = verdict(settings, leaders, [], 0.05).sentence
    assert "significant" not in nothing and nothing.count("not tested") == 3


def test_systems_that_failed_are_named() -> None:
    found = verdict(*board((0.5, 0.4, 0.01)), 0.05, failed={"C": "fit: out of room.", "D": "x" * 200})
    first, _, rest = found.sentence.partition(" C failed")
    assert first == sentence((0.5, 0.4, 0.01)) and len(found.rows) == 1
    assert rest == f" and is left out: fit: out of room. D failed and is left out: {'x' * 100}…."


def test_equal_systems_tie_though_nothing_was_tested() -> None:
    settings, leaders, _ = board((0.5, 0.5, 1.0))
    assert verdict(settings, leaders, [], 0.05).sentence == "No winner on m0: A and B tie at 0.5000."


def test_a_leader_is_called_where_it_leads_either_way() -> None:
    assert why_uncalled(None, "A", SETTING, SYSTEMS) == why_uncalled(Served(10, 10), "A", SETTING, SYSTEMS) == ("", "")
    served = Served(10, 8, as_zero=(0.5, 0.4), common=(0.6, 0.5))
    assert why_uncalled(served, "A", SETTING, SYSTEMS) == ("", "")


def test_a_leader_that_depends_on_the_unserved_is_not_called() -> None:
    served = Served(10, 8, as_zero=(0.5, 0.4), common=(0.5, 0.6))
    assert why_uncalled(served, "A", SETTING, SYSTEMS)[1] == "depends on the users not served"
    text = uncalled(SETTING, served, SYSTEMS)
    assert text.startswith("No winner is called on P@10: 8 of the 10 users (80.0%) are served by every system.")
    assert "A leads (0.5000, +0.1000 over B); with the others left out, B leads (0.6000, +0.1000 over A)." in text
    lower = replace(SETTING, higher_is_better=False)
    assert "B leads (0.4000, −0.1000 over A); with the others left out, A leads" in uncalled(lower, served, SYSTEMS)


def test_few_users_served_call_nobody() -> None:
    served = Served(10, 4, as_zero=(0.5, 0.4), common=(0.6, 0.5))
    why, remark = why_uncalled(served, "A", SETTING, SYSTEMS)
    assert why == "leads among users of whom 40.0% are served by every system" and remark == "few users served"
    assert "only 4 of the 10 users (40.0%)" in uncalled(SETTING, served, SYSTEMS)


def test_a_winner_says_what_becomes_of_the_unserved() -> None:
    start = " 8 of the 10 users (80.0%) are served by every system; the others "
    assert rests_on(ROW, SETTING, 10) == f"{start}count as if they were recommended nothing."
    assert rests_on(ROW, replace(SETTING, coverage="intersection"), 10) == f"{start}are left out."
    assert rests_on(replace(ROW, served=10), SETTING, 10) == ""


def test_users_without_a_value_are_counted() -> None:
    """Of 10 users 4 have a value; a rule that leaves out the unserved says nothing of the others."""
    skipping, everybody = replace(SETTING, metric="AUC", undefined="skip"), replace(ROW, served=10)
    undefined = " For 6 of the 10 users AUC has no value; they are left out."
    assert rests_on(everybody, skipping, 4) == undefined
    assert rests_on(ROW, skipping, 4) == f"{undefined}{rests_on(ROW, SETTING, 10)}"
    assert rests_on(everybody, replace(skipping, coverage="forgive"), 4) == ""


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
