"""Small words of sentences about components."""

from __future__ import annotations

import pytest

from heldout.catalogue.prose import at_least, cite, lowered, number_word, plural, share


def test_numbers_and_nouns() -> None:
    assert [number_word(n) for n in (0, 3, 12, 13, 12_000)] == ["no", "three", "twelve", "13", "12,000"]
    assert [plural(n, "rating") for n in (0, 1, 2, 20)] == ["no ratings", "one rating", "two ratings", "20 ratings"]
    assert [at_least(n, "test rating") for n in (1, 5)] == ["at least one test rating", "at least 5 test ratings"]


def test_shares_and_citations() -> None:
    assert [share(value) for value in (0.8, 0.125, 1 / 3, 1)] == ["80%", "12.5%", "33.33%", "100%"]
    assert cite(()) == "" and cite(("a2020", "b2021")) == " [@a2020; @b2021]"


@pytest.mark.parametrize(
    ("summary", "within"),
    [
        ("The number of ratings.", "the number of ratings"),
        ("AUC of each user.", "AUC of each user"),
        ("Cohen's d of a pair.", "Cohen's d of a pair"),
        ("nDCG at a depth.", "nDCG at a depth"),
        ("", ""),
    ],
)
def test_a_summary_within_a_sentence(summary: str, within: str) -> None:
    assert lowered(summary) == within
