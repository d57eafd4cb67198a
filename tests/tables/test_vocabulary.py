"""Ids and codes."""

from __future__ import annotations

import polars as pl
import pytest

from heldout.tables import Vocabulary, id_column


def test_codes_are_places_in_ascending_order() -> None:
    found = Vocabulary.of(pl.Series([30, 7, 7, 12]))
    assert found.ids.tolist() == [7, 12, 30]
    assert found.encode(pl.Series([12, 8, 30])).tolist() == [1, -1, 2]


def test_texts_find_numbers_only_in_their_plain_spelling() -> None:
    found = Vocabulary.of(pl.Series([7, 12]))
    assert found.encode(pl.Series(["7", "007", "x", "12"])).tolist() == [0, -1, -1, 1]


@pytest.mark.parametrize("large", [1234567890123456789, 9223372036854775807])
def test_ids_of_nineteen_digits(large: int) -> None:
    found = Vocabulary.of(pl.Series([large, 22]))
    assert found.encode(pl.Series([str(large), "22"])).tolist() == [1, 0]
    assert id_column(pl.Series([str(large)])).dtype == pl.Int64


def test_ids_beyond_64_bits_are_texts() -> None:
    unsigned = id_column(pl.Series([2**63 + 5, 1], dtype=pl.UInt64))
    assert unsigned.to_list() == [str(2**63 + 5), "1"]
    assert id_column(pl.Series(["9999999999999999999", "1"])).dtype == pl.String


def test_numbers_keep_their_order_beside_texts() -> None:
    """As texts "10" < "9" < "b"; in the catalogue 9 < 10 < b."""
    found = Vocabulary.of(pl.Series(["10", "9", "b"]))
    assert found.ids.tolist() == ["10", "9", "b"]
    assert found.catalogue_rank.tolist() == [1, 0, 2]


def test_byte_rank_is_the_order_of_bytes() -> None:
    found = Vocabulary.of(pl.Series([7, 12, 100]))
    assert found.byte_rank.tolist() == [2, 1, 0]  # "100" < "12" < "7"
