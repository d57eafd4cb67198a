"""Numbers as text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.text.names import shorten, shorten_all, shorten_labels
from heldout.text.numbers import (
    count,
    digits_for,
    exact_p,
    interval,
    number,
    p_number,
    p_value,
    percent,
    rough_percent,
    rough_seconds,
    seconds,
    signed,
    value_range,
)
from heldout.text.phrases import listed


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.4523, "0.4523"),
        (0.03, "0.0300"),
        (1.0734, "1.073"),
        (12.345, "12.35"),
        (1234.5, "1,234"),
        (0.00312, "0.00312"),
        (-0.25, "−0.2500"),
        (None, "–"),
        (float("nan"), "–"),
        (0.0, "0.0000"),
    ],
)
def test_numbers_keep_the_figures_that_matter(value, shown):
    assert number(value) == shown


def test_a_column_shares_its_decimals():
    assert digits_for([0.4523, 0.009]) == 4
    assert digits_for([0.8871, 1.7061]) == 3
    assert digits_for([None, float("inf")]) == 4


def test_a_negative_number_that_rounds_to_zero_has_no_sign():
    assert number(-0.00001, 3) == "0.000"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0123, "+0.0123"),
        (-0.0123, "−0.0123"),
        (0.0, "0.0000"),
        (0.0000124, "+0.000012"),
        (-3e-12, "−3.0e-12"),
        (None, "–"),
    ],
)
def test_differences_carry_their_sign_and_never_vanish(value, shown):
    assert signed(value, 4) == shown


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.039, "p = 0.039"),
        (0.0009, "p < 0.001"),
        (1.0, "p = 1"),
        (0.9995, "p > 0.999"),
        (None, "no p-value"),
        (0.05, "p = 0.050"),
        (0.0497, "p = 0.0497"),
        (0.04996, "p = 0.04996"),
        (0.0101, "p = 0.0101"),
        (0.0005, "p < 0.001"),
        (0.0, "p < 0.001"),
        (0.001, "p = 0.001"),
        (float("nan"), "no p-value"),
        (float("inf"), "no p-value"),
    ],
)
def test_p_values_never_round_onto_a_level(p, shown):
    assert p_value(p) == shown


def test_p_without_its_letter():
    assert [p_number(p) for p in (1e-9, 0.0, 0.001, None, float("nan"))] == ["< 0.001", "< 0.001", "0.001", "–", "–"]


@given(st.floats(0, 1) | st.sampled_from([0.0, 5e-324, 1e-310, 1e-300, 4.9e-4, 0.0005, 0.00049999]))
def test_no_words_of_p_say_that_it_is_0(p: float) -> None:
    for words in (p_number(p), p_value(p), exact_p(p)):
        shown = float(re.sub("[p=<> ]", "", words))
        assert shown > 0, words


def test_exact_p_is_never_0():
    assert [exact_p(p) for p in (1.832e-6, 0.0, 1e-310)] == ["1.832e-06", "< 1e-300", "< 1e-300"]
    assert [exact_p(p) for p in (None, float("nan"))] == ["–", "–"]


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.973, "97.3%"),
        (1.0, "100%"),
        (0.0, "0%"),
        (0.99996, "> 99.9%"),
        (0.0001, "< 0.1%"),
        (None, "–"),
    ],
)
def test_shares_are_not_rounded_to_none_or_all(share, shown):
    assert percent(share) == shown


def test_counts_intervals_lists_and_seconds():
    assert count(1_000_209) == "1,000,209"
    assert interval(0.4471, 0.4575, 4) == "[0.4471, 0.4575]"
    assert interval(-0.1, 0.2, 2, sign=True) == "[−0.10, +0.20]"
    assert interval(None, 0.2, 2) == ""
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert [listed(words, "or") for words in ([], ["a"], ["a", "b"])] == ["", "a", "a or b"]
    assert [seconds(s) for s in (0.0, 0.004, 0.006)] == ["0.00 s", "< 0.01 s", "0.01 s"]
    assert [seconds(s) for s in (0.42, 12.34, 200, 7500)] == ["0.42 s", "12.3 s", "3 min 20 s", "2 h 5 min"]
    assert [rough_seconds(s) for s in (0.42, 12.34, 200, 7500)] == ["< 1 s", "12 s", "3 min", "2.1 h"]


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.94, "94%"), (0.021, "2.1%"), (-0.021, "2.1%"), (0.0004, "< 0.1%"), (0.0, "0%"), (0.999, "> 99%"), (1.0, "100%"),
     (1.2, "120%"), (float("nan"), "–")],
)  # fmt: skip
def test_rough_shares_have_about_two_figures(share, shown):
    assert rough_percent(share) == shown


def test_parameters_give_way_first():
    assert shorten("UserKNN(k=100, similarity=cosine)", 20) == "UserKNN(k=100,…)"
    assert shorten("nDCG(gain=exp2)@10", 12) == "nDCG(…)@10"
    assert shorten("short", 12) == "short"
    assert len(shorten("a" * 50, 11)) == 11


def test_shortened_names_stay_distinct():
    names = ["ALS(factors=50, alpha=1)", "ALS(factors=50, alpha=2)", "ALS(factors=99, alpha=2)"]
    for width in (8, 12, 18):
        short = shorten_all(names, width)
        assert len(set(short.values())) == 3
        assert all(len(s) <= width for s in short.values())


def test_labels_shorten_their_longest_part():
    # 13 characters are left beside " · P@10": 6 before the ellipsis and 6 after
    assert shorten_labels(["OnePlusRandom(99) · P@10"], 20) == ["OnePlu…om(99) · P@10"]
    assert shorten_labels(["AllItems · P@10"], 20) == ["AllItems · P@10"]


def test_names_of_one_kind_lose_what_they_share_and_keep_what_tells_them_apart():
    names = ["UserKNN(k=10, similarity=cosine)", "UserKNN(k=100, similarity=cosine)", "Popularity"]
    assert list(shorten_all(names, 20).values()) == ["UserKNN(k=10,…)", "UserKNN(k=100,…)", "Popularity"]
    ends = ["UserKNN(k=100, similarity=cosine)", "UserKNN(k=100, similarity=jaccard)"]
    assert list(shorten_all(ends, 18).values()) == ["UserKNN(cosine,…)", "UserKNN(jaccard,…)"]
    assert list(shorten_all(ends, 15).values()) == ["Use…(cosine,…)", "Use…(jaccard,…)"]
    assert shorten_all(["WRMF", "WRMF(l2=3, alpha=1)"], 12) == {"WRMF": "WRMF", "WRMF(l2=3, alpha=1)": "WRMF(3, 1)"}
    alike = ["experiment of spring, first model", "experiment of spring, third model"]
    assert list(shorten_all(alike, 14).values()) == ["ex…first model", "ex…third model"]


def test_a_range_without_an_end_is_endless():
    assert value_range(0.0, 1.0) == "0 to 1" and value_range(float("-inf"), float("inf")) == "−∞ to ∞"


def test_brackets_that_hold_nothing_go_before_letters_of_the_name():
    names = ["nDCG(gain=exp2)@5", "nDCG(gain=exp2)@10", "Recall@10"]
    assert list(shorten_all(names, 12).values()) == ["nDCG(…)@5", "nDCG(…)@10", "Recall@10"]
    assert list(shorten_all(names, 9).values()) == ["nDCG…@5", "nDCG…@10", "Recall@10"]
    assert list(shorten_all(names[:2], 6).values()) == ["nD…@5", "nD…@10"]


def test_labels_lose_their_words_before_their_parts():
    labels = ["AllItems · nDCG(gain=binary)@10 · aggregate=mean", "AllItems · nDCG(gain=exp2)@10 · aggregate=median"]
    assert shorten_labels(labels, 50) == labels
    assert shorten_labels(labels, 36) == ["AllItems · nDCG(binary)@10 · mean", "AllItems · nDCG(exp2)@10 · median"]
    for width in (30, 24, 20):
        assert len(set(shorten_labels(labels, width))) == 2


def test_chains_are_shortened_part_by_part_and_never_name_another_component():
    labels = [f"AllItems · P@10 · filter={chain}" for chain in ("core(k=5)", "core(k=5) + binarise(threshold=1)")]
    assert shorten_labels(labels, 42) == ["AllItems · P@10 · core(5)", "AllItems · P@10 · core(5) + binarise(1)"]
    chains = ["core(k=5)", "core(k=5) + binarise(threshold=1)", "duplicates(keep=sum) + core(k=10)"]
    assert list(shorten_all(chains, 26).values()) == ["core(5)", "core(5) + binarise(1)", "duplicates(sum) + core(10)"]
    assert list(shorten_all(chains, 20).values()) == ["core(5)", "core(5) + binari…(1)", "dup…(sum) + core(10)"]
    assert shorten("core(k=5) + binarise(threshold=1)", 22) == "core(5) + binarise(1)"
    assert shorten("A(k=1) · B(threshold=1)", 12) == "A(k=1) · B(…"
    for width in range(6, 40):
        short = shorten_all(chains, width)
        assert len(set(short.values())) == 3
        for chain in chains[1:]:
            for text in (short[chain], shorten(chain, width)):
                assert len(text) <= width and (" + " in text or text.endswith("…") or "…~" in text), text


def test_the_words_of_single_parameters_go_before_names_are_cut() -> None:
    labels = ["OnePlusRandom(nonrelevant=100) · P@10 · threshold(tau=4)", "AllItems · P@10 · threshold(tau=5)"]
    assert shorten_labels(labels, 40) == ["OnePlusRandom(100) · P@10 · threshold(4)", "AllItems · P@10 · threshold(5)"]
