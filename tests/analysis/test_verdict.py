"""The sentence at the top, on small boards."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.boards import Board, joined, one_setting

from heldout.analysis.selection_bias import Selected
from heldout.analysis.verdict import verdict


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
