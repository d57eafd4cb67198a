"""Ids into codes: texts by their hashes, whole numbers in texts by their only spelling."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.tables import id_column, vocabulary

IDS = st.lists(st.text("ab01é- ", max_size=4), min_size=1, max_size=60)


@given(IDS, IDS)
def test_codes_of_texts_are_their_places_in_order(ids: list[str], others: list[str]) -> None:
    known, codes = vocabulary.coded(pl.Series(ids, dtype=pl.String))
    assert known.ids.tolist() == sorted(set(ids))
    assert known.decode(codes).to_list() == ids
    place = {identifier: code for code, identifier in enumerate(sorted(set(ids)))}
    assert known.encode(pl.Series([*others, None], dtype=pl.String)).tolist() == [*(place.get(o, -1) for o in others), -1]


@given(IDS)
def test_texts_of_one_hash_are_told_apart(ids: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vocabulary, "_hashes", lambda texts: texts.str.len_bytes().cast(pl.Int64).to_numpy())
        known, codes = vocabulary.coded(pl.Series(ids, dtype=pl.String))
        assert known.decode(codes).to_list() == ids
        assert known.encode(pl.Series(ids, dtype=pl.String)).tolist() == codes.tolist()


@pytest.mark.parametrize("text", ["007", "+7", "-0", "00", "", " 7", "1_000", "1e3", "7.0", "9223372036854775808", "９"])
def test_a_text_that_is_not_a_plain_number_keeps_all_texts(text: str) -> None:
    assert id_column(pl.Series(["12", "-3", text])).dtype == pl.String


def test_plain_numbers_in_texts_become_numbers() -> None:
    numbers = [0, -1, 10, 99, -100, 999_999_999_999, 2**63 - 1, -(2**63)]
    assert id_column(pl.Series(list(map(str, numbers)))).to_list() == numbers
