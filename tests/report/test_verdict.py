"""The sentence at the top, on small boards."""

from __future__ import annotations

from dataclasses import replace

from heldout.report.facts import LeaderRow, PairRow, Setting
from heldout.report.verdict import verdict


def board(*values: tuple[float, float, float]) -> tuple[list[Setting], list[LeaderRow], list[PairRow]]:
    """Settings of systems A and B: their values and the adjusted p."""
    settings, leaders, pairs = [], [], []
    for k, (a, b, p) in enumerate(values):
        settings.append(Setting(k, {}, f"m{k}", "mean", "zero", "zero", f"m{k}"))
        order = [("A", a), ("B", b)] if a >= b else [("B", b), ("A", a)]
        for rank, (system, value) in enumerate(order, start=1):
            leaders.append(LeaderRow(k, system, rank, value, None, None, 9, 0, 1.0, None, None, None))
        pairs.append(PairRow(k, "t", "A", "B", a, b, a - b, None, None, 0.5, 5, 0, 4, p, p, "holm", 1, 9))
    return settings, leaders, pairs


def sentence(*values: tuple[float, float, float]) -> str:
    return verdict(*board(*values), 0.05).sentence


def test_a_winner_alone() -> None:
    assert sentence((0.5, 0.4, 0.01)) == "A wins on m0: 0.5000, +0.1000 over B (t p = 0.010 after holm over 1 pair)."


def test_a_winner_that_holds() -> None:
    assert sentence((0.5, 0.4, 0.01), (0.6, 0.5, 0.01), (0.3, 0.2, 0.01)).endswith(
        "The conclusion holds: A also leads in all 2 other settings, each time significantly."
    )


def test_a_winner_that_is_contradicted() -> None:
    assert sentence((0.5, 0.4, 0.01), (0.5, 0.6, 0.01), (0.3, 0.2, 0.3)).endswith(
        "The conclusion does not hold everywhere: A also leads in 1 of the 2 other settings, not significantly; "
        "B leads under m1."
    )


def test_a_tie_is_neither_a_lead_nor_a_contradiction() -> None:
    assert sentence((0.5, 0.4, 0.01), (0.2, 0.2, 1.0)).endswith(
        "The conclusion is not contradicted: A does not lead in the other one, and the first two tie in it."
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
