"""Decisions and their levels: in order where they are numbers, or forms that differ in one number."""

from __future__ import annotations

from heldout.catalogue import KINDS
from heldout.universes.grid.decisions import KIND_OF, NAMES, NOT_APPLICABLE, Decision, decision


def test_numbers_ascend_and_count_once() -> None:
    assert decision("cutoff", ["10", "5", "10"]) == Decision("cutoff", ("5", "10"), (5.0, 10.0))


def test_forms_that_differ_in_one_number_are_ordered_by_it() -> None:
    split = decision("split", ["ratio(train=0.8)", "ratio(train=0.5)"])
    assert (split.levels, split.numbers, split.parameter) == (
        ("ratio(train=0.5)", "ratio(train=0.8)"),
        (0.5, 0.8),
        "train",
    )
    assert [split.label(k) for k in (-1, 0, 1)] == [NOT_APPLICABLE, "ratio(train=0.5)", "ratio(train=0.8)"]
    assert [split.amount(k) for k in (-1, 0, 1)] == [NOT_APPLICABLE, "0.5", "0.8"]  # where a sentence says "split ratio"


def test_every_option_is_spelled_as_its_switch_is_and_neighbours_share_what_they_have_in_common() -> None:
    split = decision("split", ["ratio", "ratio(train=0.5)", "ratio(train=0.6)"])
    assert [split.label(k) for k in range(3)] == ["ratio(train=0.5)", "ratio(train=0.6)", "ratio(train=0.8)"]
    assert split.span(0, 1) == "ratio(train=0.5 … 0.6)" and split.span(2, 2) == "ratio(train=0.8)"
    assert decision("cutoff", ["5", "10", "20"]).span(0, 1) == "5 … 10"
    assert decision("target", ["AllItems", "TestItems"]).span(0, 1) == "AllItems … TestItems"


def test_other_options_stay_in_the_order_written() -> None:
    for name, texts in (
        ("split", ("ratio(train=0.8)", "leave_out(l=1)")),
        ("split", ("ratio(train=0.8)", "ratio(train=0.5, by=user)")),
        ("filter", ("none", "core(k=2) + core(k=3)")),
        ("target", ("TestItems", "AllItems")),
    ):
        assert decision(name, texts) == Decision(name, texts)


def test_every_decision_has_a_letter_and_words() -> None:
    assert set(KIND_OF.values()) - {""} <= set(KINDS)
    for name in NAMES:
        assert decision(name, ["1"] if not KIND_OF[name] else []).letter and decision(name, []).words
    assert decision("cutoff", ["5"]).words == "cut-off" and not decision("cutoff", ["5"]).varies
