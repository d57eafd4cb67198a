"""The verdict in words: who wins, how surely, whom it rests on, and whether it holds in the other settings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.analysis.boards import Board, joined, one_setting

from heldout.analysis.contests import why_uncalled
from heldout.analysis.rows import Setting, Verdict, VerdictRow
from heldout.analysis.selection_bias import Selected
from heldout.analysis.sentences import UNCALLED, rests_on, uncalled, verdict
from heldout.analysis.statistics import Served

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
WIN, LEAD, TIE, LOSS = (0.5, 0.4, 0.01), (0.5, 0.4, 0.3), (0.2, 0.2, 1.0), (0.4, 0.5, 0.01)
"""Values of A and B and the adjusted p: A wins, A is ahead by chance, the two tie, B wins."""


def board(*values: tuple[float, float, float]) -> Board:
    """Settings of systems A and B: their values and the adjusted p."""
    return joined([one_setting(k, {"A": a, "B": b}, [("A", "B", p)]) for k, (a, b, p) in enumerate(values)])


def judged(*values: tuple[float, float, float]) -> Verdict:
    return verdict(*board(*values), 0.05)


def answers(found: Verdict) -> list[str]:
    return [row.answer for row in found.rows]


def contradicting(found: Verdict) -> list[VerdictRow]:
    """The settings in which another system leads significantly."""
    return [row for row in found.rows if row.answer == "other" and row.significant]


def test_a_winner_of_one_setting() -> None:
    found = judged(WIN)
    assert found.answer == "A wins." and found.exception == ""
    assert found.numbers == "m0 is 0.500, against 0.400 for B: a difference of 0.100 (p = 0.010, 9 users)."
    assert found.note == "Test: t."


def test_a_winner_that_holds() -> None:
    found = judged(WIN, WIN, WIN)
    assert found.answer == "A wins in all 3 settings." and answers(found) == ["same"] * 3
    assert found.numbers.endswith("It leads in all 3 settings, significantly in each.")
    assert judged(WIN, WIN).answer == "A wins in both settings."


def test_a_lead_elsewhere_is_not_a_win() -> None:
    found = judged(WIN, WIN, LEAD)
    assert found.answer == "A wins and leads in all 3 settings." and answers(found) == ["same"] * 3
    assert "leads in all 3 settings, significantly in 2" in found.numbers


def test_a_winner_that_is_contradicted() -> None:
    found = judged(WIN, LOSS, LEAD)
    assert found.answer == "A wins, except under m1." and found.exception == "m1"
    assert answers(found) == ["same", "other", "same"] and contradicting(found) == [found.rows[1]]
    assert found.numbers.endswith("It leads in 2 of 3 settings, significantly in 1; B beats A significantly under m1.")


def test_a_tie_is_neither_a_lead_nor_a_contradiction() -> None:
    found = judged(WIN, TIE)
    assert answers(found) == ["same", "tie"] and contradicting(found) == []
    assert found.answer == "A wins; no setting contradicts it."
    assert found.numbers.endswith("It leads in 1 of 2 settings, significantly; the first two tie in 1.")


def test_no_winner_is_no_conclusion_to_hold() -> None:
    found = judged(LEAD, WIN)
    assert found.answer == "No winner: the lead of A can be chance." and not found.rows[0].significant
    assert found.numbers.endswith("A leads in both settings, significantly in 1.")


def test_a_test_that_favours_the_runner_up_makes_no_winner() -> None:
    """The leader's average is higher, but most users are better off with the other: the sign test speaks for B."""
    settings, leaders, pairs = board((0.5, 0.4, 0.001))
    found = verdict(settings, leaders, [replace(pairs[0], test="sign", wins=60, losses=140)], 0.05)
    assert found.answer.startswith("No winner") and not found.rows[0].significant
    assert "A has the better average" in found.numbers and found.numbers.endswith("the test favours B.")


def test_averages_over_other_users_than_the_pairs_make_no_winner() -> None:
    """On the users of the pair B is 0.1 ahead, so the interval from −0.15 to −0.05 is not that of the averages' +0.1."""
    settings, leaders, pairs = board((0.5, 0.4, 0.001))
    other = replace(pairs[0], difference=-0.1, low=-0.15, high=-0.05)
    found = verdict(settings, leaders, [other], 0.05)
    assert "the test favours B" in found.numbers and "95% CI −0.150 to −0.050" in found.numbers


def test_equal_systems_tie() -> None:
    assert judged((0.5, 0.5, 1.0)).sentence == "A and B tie. Both have m0 0.5000."
    settings, leaders, _ = board((0.0003, 0.0003, 1.0))
    assert verdict(settings, leaders, [], 0.05).sentence == "A and B tie. Both have m0 0.000300."


def test_after_a_tie_the_system_that_leads_elsewhere_is_named() -> None:
    found = judged(TIE, WIN)
    assert answers(found) == ["tie", "same"]
    assert found.numbers.endswith("A leads in 1 of 2 settings, significantly; the first two tie in 1.")


def _three(p_ab: float, p_cb: float) -> Board:
    """A has 0.5, C 0.45 and the baseline B 0.4; only pairs with B were tested."""
    return one_setting(0, {"A": 0.5, "C": 0.45, "B": 0.4}, [("A", "B", p_ab), ("C", "B", p_cb)], family=2)


def test_with_a_baseline_the_leader_is_held_against_it() -> None:
    found = verdict(*_three(0.01, 0.3), 0.05, baseline="B")
    assert found.answer == "A beats the baseline B." and found.note == "Test: t, holm over 2 pairs."
    assert (found.rows[0].leader, found.rows[0].rival, found.rows[0].p_adjusted) == ("A", "B", 0.01)
    assert verdict(*_three(0.2, 0.3), 0.05, baseline="B").answer == "No winner: the lead of A can be chance."
    assert verdict(*_three(0.2, 0.3), 0.05).answer == "A leads; the difference was not tested."


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ([WIN], "No system beats the baseline A."),
        ([WIN, LEAD], "No system beats the baseline A in any setting."),
        ([WIN, LOSS], "No system beats the baseline A, except under m1."),
        ([WIN, LOSS, (0.4, 0.5, 0.3)], "No system beats the baseline A, but others lead elsewhere."),
        ([WIN, TIE], "No system beats the baseline A; no setting contradicts it."),
    ],
)
def test_a_baseline_that_nobody_beats(values: list[tuple[float, float, float]], answer: str) -> None:
    found = verdict(*board(*values), 0.05, baseline="A")
    assert found.answer == answer and found.rows[0].leader == "A"
    assert " It leads" not in found.numbers


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"correction": "none", "family": 3}, "Test: t, not corrected for 3 pairs."),
        ({"correction": "none"}, "Test: t."),
        ({"family": 15}, "Test: t, holm over 15 pairs."),
        ({"family": 15, "low": 0.05, "high": 0.15}, "Test: t, holm over 15 pairs. Intervals are not adjusted."),
        ({"test": "tukey", "correction": "tukey", "family": 6}, "Test: tukey, for all 6 pairs together."),
    ],
)
def test_the_note_names_test_and_correction(changes: dict[str, object], note: str) -> None:
    settings, leaders, pairs = board(WIN)
    assert verdict(settings, leaders, [replace(pairs[0], **changes)], 0.05).note == note  # type: ignore[arg-type]


def test_a_leader_elsewhere_that_was_chosen_on_what_it_is_tested_on() -> None:
    chosen = Selected(
        code="HO416", systems=("B",), why="was tuned here", instead="Tune it elsewhere.", notice="B was tuned here"
    )
    found = verdict(*board(WIN, LOSS), 0.05, selected={1: {"B": chosen}})
    assert found.answer == "A wins; no setting contradicts it." and answers(found) == ["same", "uncalled"]
    assert "no winner is called in 1 (B is ahead, chosen on what it is tested on)." in found.numbers
    assert [row.refused for row in found.rows] == ["", "was tuned here"] and not found.rows[1].significant
    refused = verdict(*board(LOSS), 0.05, selected={0: {"B": chosen}})
    assert refused.answer == UNCALLED
    assert refused.numbers == "By m0, B is ahead (0.5000, +0.1000 over A), but was tuned here. Tune it elsewhere."


@pytest.mark.parametrize(("a", "ends"), [("A", (0.05, 0.15)), ("B", (-0.15, -0.05))])
def test_an_interval_has_the_sign_of_the_difference(a: str, ends: tuple[float, float]) -> None:
    """Errors: less is better. B has 0.4 and leads; A − B lies between 0.05 and 0.15, B − A between their negatives."""
    settings, leaders, pairs = board(WIN)
    lower = [replace(settings[0], higher_is_better=False)]
    turned = [replace(row, rank=3 - row.rank) for row in leaders]
    pair = replace(pairs[0], low=0.05, high=0.15)
    seen = pair if a == "A" else pair.flipped()
    assert (seen.low, seen.high) == ends
    found = verdict(lower, turned, [seen], 0.05)
    assert found.answer == "B wins." and found.rows[0].difference == pytest.approx(-0.1)
    assert "m0 (lower is better) is 0.400, against 0.500 for A" in found.numbers
    assert "a difference of 0.100 (95% CI 0.050–0.150," in found.numbers and "-" not in found.numbers


def test_what_was_not_tested_is_not_called_insignificant() -> None:
    settings, leaders, pairs = board(WIN, LOSS, WIN)
    found = verdict(settings, leaders, pairs[:1], 0.05)
    assert "significantly in 1, not tested in 1" in found.numbers and "B leads under m1 (not tested)" in found.numbers
    nothing = verdict(settings, leaders, [], 0.05)
    assert nothing.answer == "A leads; the difference was not tested." and not nothing.tested
    assert "significant" not in nothing.sentence and nothing.note == ""


def test_a_test_that_gives_no_p_value_is_named() -> None:
    settings, leaders, pairs = board(WIN)
    bayes = replace(pairs[0], test="bayes", p=None, p_adjusted=None, figures={"better": 0.9})
    assert verdict(settings, leaders, [bayes], 0.05).answer == "A leads; bayes gives no p-value."


def test_systems_that_failed_are_named() -> None:
    found = verdict(*board(WIN), 0.05, failed={"C": "fit: out of room.", "D": "x" * 200})
    first, _, rest = found.sentence.partition(" C failed")
    assert first == judged(WIN).sentence and len(found.rows) == 1
    assert rest == f" and is left out: fit: out of room. D failed and is left out: {'x' * 100}…."


def test_a_leader_is_called_where_it_leads_either_way() -> None:
    assert why_uncalled(None, "A", SETTING, SYSTEMS) == why_uncalled(Served(10, 10), "A", SETTING, SYSTEMS) == ("", "")
    served = Served(10, 8, as_zero=(0.5, 0.4), common=(0.6, 0.5))
    assert why_uncalled(served, "A", SETTING, SYSTEMS) == ("", "")


def test_a_leader_that_depends_on_the_unserved_is_not_called() -> None:
    served = Served(10, 8, as_zero=(0.5, 0.4), common=(0.5, 0.6))
    assert why_uncalled(served, "A", SETTING, SYSTEMS)[1] == "depends on the users not served"
    text = uncalled(SETTING, served, SYSTEMS)
    assert text.startswith("8 of the 10 users (80.0%) are served by every system. By P@10, ")
    assert "A leads (0.5000, +0.1000 over B); with the others left out, B leads (0.6000, +0.1000 over A)." in text
    lower = replace(SETTING, higher_is_better=False)
    assert "B leads (0.4000, −0.1000 over A); with the others left out, A leads" in uncalled(lower, served, SYSTEMS)


def test_few_users_served_call_nobody() -> None:
    served = Served(10, 4, as_zero=(0.5, 0.4), common=(0.6, 0.5))
    why, remark = why_uncalled(served, "A", SETTING, SYSTEMS)
    assert why == "leads among users of whom 40.0% are served by every system" and remark == "few users served"
    assert uncalled(SETTING, served, SYSTEMS).startswith("Only 4 of the 10 users (40.0%)")
    nobody = uncalled(SETTING, Served(10, 0, as_zero=(0.5, 0.4)), SYSTEMS)
    assert nobody.startswith("Only 0 of the 10 users") and "A leads (0.5000, +0.1000 over B)." in nobody


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
    found = judged(WIN, *[(0.5, 0.6, 0.3)] * 4, *[(0.5, 0.6, 0.01)] * 2)
    assert found.answer == "A wins, but not in every setting." and found.exception == ""
    assert len(contradicting(found)) == 2 and answers(found).count("same") == 1
    assert found.numbers.endswith(
        "It leads in 1 of 7 settings, significantly; B beats A significantly under m5; B beats A significantly under m6; "
        "B leads under m1 (not significantly) and 3 more (not significantly)."
    )
    assert judged(WIN, *[(0.5, 0.6, 0.01)] * 5).numbers.endswith("under m3 and 2 more, 2 of them significantly.")


def test_contradictions_under_one_option_are_named_together() -> None:
    """A wins under the ratio split; under the temporal one B wins in 2 of 3 settings, whatever the metric."""
    settings, leaders, pairs = board(WIN, WIN, LOSS, LOSS, (0.5, 0.4, 0.9))
    splits = ("ratio", "ratio", "temporal", "temporal", "temporal")
    chosen = [replace(s, choices={"split": split}) for s, split in zip(settings, splits, strict=True)]
    found = verdict(chosen, leaders, pairs, 0.05)
    assert found.answer == "A wins, but not in every setting."  # A leads one of the temporal settings
    assert found.numbers.endswith("Under temporal, B beats A significantly in 2 of 3 settings.")
    # An option of the primary setting itself explains nothing.
    alike = verdict([replace(s, choices={"split": "ratio"}) for s in settings], leaders, pairs, 0.05)
    assert alike.exception == ""
    assert "; B beats A significantly under m2; B beats A significantly under m3." in alike.numbers


def test_an_option_whose_settings_all_contradict_is_the_exception() -> None:
    settings, leaders, pairs = board(WIN, WIN, LOSS, LOSS)
    targets = ("AllItems", "AllItems", "OnePlusRandom(nonrelevant=100)", "OnePlusRandom(nonrelevant=100)")
    chosen = [replace(s, choices={"target": target}) for s, target in zip(settings, targets, strict=True)]
    found = verdict(chosen, leaders, pairs, 0.05)
    assert found.exception == "OnePlusRandom(100)" and found.answer == "A wins, except under OnePlusRandom(100)."
    assert found.numbers.endswith("Under OnePlusRandom(100), B beats A significantly in both settings.")
    chance = [replace(pair, p_adjusted=0.3) if pair.setting == 0 else pair for pair in pairs]
    assert verdict(chosen, leaders, chance, 0.05).exception == ""  # no winner, and so no exception


def test_one_both_or_all_settings() -> None:
    assert "It leads in 1 of 3 settings, significantly; B beats A" in judged(WIN, LOSS, LOSS).numbers
    assert "It leads in both settings" in judged(WIN, WIN).numbers
    assert "It leads in all 4 settings" in judged(*[WIN] * 4).numbers


def test_a_setting_without_a_winner_is_not_counted_as_one_that_the_leader_leads() -> None:
    """A leads in all six settings; in the last one, too few users are served to call it the winner."""
    few = {5: Served(9, 2, (0.5, 0.4), (0.5, 0.4))}
    whole = verdict(*board(*[WIN] * 6), 0.05, systems=("A", "B"), served=few)
    assert whole.answer == "A wins; no setting contradicts it."
    assert "leads in 5 of 6 settings, significantly in each; no winner is called in 1 (few users served)" in whole.numbers
    assert (answers(whole).count("same"), len(whole.uncalled), len(whole.rows)) == (5, 1, 6)
    every = dict.fromkeys(range(1, 6), few[5])
    none_called = verdict(*board(*[WIN] * 6), 0.05, systems=("A", "B"), served=every)
    assert len(none_called.uncalled) == 5 and "no winner is called in 5 (few users served)." in none_called.numbers


def test_settings_on_other_users_are_counted() -> None:
    """The first three settings rest on the same 20 users, the last three on 9 others."""
    settings, leaders, pairs = board(*[WIN] * 6)
    leaders = [replace(row, users=20) if row.setting in (0, 1, 2) else row for row in leaders]
    whole = verdict(settings, leaders, pairs, 0.05, same_users=lambda a, b: (a < 3) == (b < 3))
    assert whole.numbers.endswith("3 of the 5 other settings rest on other users than the primary one (9 instead of 20).")
    assert [row.other_users for row in whole.rows] == [0, 0, 0, 9, 9, 9] and whole.on_other_users == whole.rows[3:]
    one = verdict(*board(*[WIN] * 2), 0.05, same_users=lambda a, b: a == b).sentence
    assert one.endswith("significantly in each. The other setting rests on other users than the primary one.")
    for count, words in ((3, "Both other settings rest"), (4, "All 3 other settings rest")):
        several = verdict(*board(*[WIN] * count), 0.05, same_users=lambda a, b: a == b).sentence
        assert f". {words} on other users than the primary one." in several


def test_identical_settings_count_once() -> None:
    """The third setting has the values of the second; the fourth those of the first, and so contradicts nothing new."""
    settings, leaders, pairs = board(WIN, LOSS, LOSS, WIN)
    same = {2: 1, 3: 0}
    alike = [replace(s, same_as=same.get(s.id)) for s in settings]
    found = verdict(alike, leaders, pairs, 0.05)
    assert len(found.rows) == 4  # every setting keeps its row
    assert found.answer == "A wins, except under m1."
    assert found.numbers.endswith("It leads in 1 of 2 distinct settings, significantly; B beats A significantly under m1.")
    only = verdict([replace(s, same_as=0 if s.id else None) for s in settings[:2]], leaders, pairs, 0.05)
    assert only.answer == "A wins."


LONG = ("UserKNN(k=100, similarity=cosine, shrinkage=10)", "SlopeOne(minimum=5)")


@pytest.mark.parametrize("baseline", [None, *LONG])
@pytest.mark.parametrize("served", [False, True])
def test_answers_have_at_most_12_words_and_short_names(baseline: str | None, served: bool) -> None:
    """Every kind of first setting, followed by every kind of second one."""
    kinds = [WIN, LEAD, TIE, LOSS, (0.4, 0.5, 0.3)]
    few = {0: Served(9, 2, (0.5, 0.4), (0.5, 0.4))} if served else {}
    for first in kinds:
        for others in ([], [WIN], [LEAD], [TIE], [LOSS], [LOSS, LOSS, WIN], [WIN, LEAD], [(0.4, 0.5, 0.3)] * 2):
            numbered = enumerate([first, *others])
            boards = [one_setting(k, dict(zip(LONG, (a, b), strict=True)), [(*LONG, p)]) for k, (a, b, p) in numbered]
            settings, leaders, pairs = joined(boards)
            targets = [replace(s, choices={"target": "OnePlusRandom(nonrelevant=100)"} if s.id else {}) for s in settings]
            found = verdict(targets, leaders, pairs, 0.05, systems=LONG, served=few, baseline=baseline)
            assert len(found.answer.split()) <= 12 and found.answer.endswith("."), found.answer
            assert "(k=" not in found.answer and "minimum" not in found.answer


def test_names_that_would_be_alike_stay_whole() -> None:
    names = ("UserKNN(k=5)", "UserKNN(k=9)")
    found = verdict(*one_setting(0, dict(zip(names, (0.5, 0.4), strict=True)), [(*names, 0.01)]), 0.05)
    assert found.answer == "UserKNN(k=5) wins." and "for UserKNN(k=9)" in found.numbers


@pytest.mark.parametrize(
    ("difference", "digits"),
    [(0.0354, 3), (0.01, 3), (0.00999, 4), (0.0028, 4), (0.00028, 5), (12.5, 3)],
)
def test_decimals_show_two_figures_of_the_difference(difference: float, digits: int) -> None:
    assert f"a difference of {difference:.{digits}f} (" in judged((0.4 + difference, 0.4, 0.01)).numbers


def test_a_tiny_difference_is_not_printed_as_zero() -> None:
    assert "a difference of 0.0028 (" in judged((0.4028, 0.4, 0.01)).numbers
    assert "a difference of 0.000 " not in judged((0.4 + 1e-12, 0.4, 0.01)).numbers
    assert "a difference of 1.0e-12 (" in judged((0.4 + 1e-12, 0.4, 0.01)).numbers
