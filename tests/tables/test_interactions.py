"""Ratings and ids: sorted, one row per pair, with views by user and by item, in parts of a split."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

from heldout import InputError, SpecError
from heldout.errors import UNKNOWN
from heldout.tables import Dropped, Interactions, Split, Vocabulary, id_column

USERS, ITEMS = Vocabulary.numbered(3), Vocabulary.numbered(4)


def ratings(user: list[int], item: list[int], value: list[float]) -> Interactions:
    return Interactions.build(USERS, ITEMS, np.array(user), np.array(item), np.array(value, dtype=np.float64))


def test_rows_are_sorted_and_found_by_user_and_item() -> None:
    data = ratings([2, 0, 2, 0], [1, 3, 0, 1], [4, 3, 5, 2])
    assert (data.user.tolist(), data.item.tolist(), data.value.tolist()) == ([0, 0, 2, 2], [1, 3, 0, 1], [2, 3, 5, 4])
    assert data.user_indptr.tolist() == [0, 2, 2, 4]
    starts, rows = data.by_item
    assert (starts.tolist(), rows.tolist()) == ([0, 1, 3, 3, 4], [2, 0, 3, 1])
    assert (data.user_counts.tolist(), data.item_counts.tolist()) == ([2, 0, 2], [1, 2, 0, 1])


def test_the_order_of_rows_does_not_change_the_digest() -> None:
    assert ratings([2, 0], [1, 3], [4, 3]).digest == ratings([0, 2], [3, 1], [3, 4]).digest
    assert ratings([2, 0], [1, 3], [4, 3]).digest != ratings([2, 0], [1, 3], [4, 2]).digest


def test_a_repeated_pair_is_refused() -> None:
    with refused(InputError, found=["1", "2"], expected="each pair once"):
        ratings([1, 0, 1], [2, 0, 2], [1, 2, 3])


def test_selected_rows_keep_the_vocabularies_and_arrays_are_read_only() -> None:
    part = ratings([0, 1, 2], [0, 1, 2], [1, 2, 3]).select(np.array([True, False, True]))
    assert part.user.tolist() == [0, 2] and part.n_users == 3 and part.n_items == 4
    assert not part.value.flags.writeable


def test_a_matrix_covers_the_vocabularies_and_is_its_own() -> None:
    data = ratings([0, 0, 2], [0, 1, 1], [5, 3, 4])
    matrix = data.to_csr()
    assert matrix.toarray().tolist() == [[5, 3, 0, 0], [0, 0, 0, 0], [0, 4, 0, 0]]
    assert data.to_csr("binary").toarray().tolist() == [[1, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]]
    matrix.data[:] = 0
    assert data.value.tolist() == [5, 3, 4]
    with refused(SpecError, where="to_csr: 'values'", found="ratings", expected="rating or binary"):
        data.to_csr("ratings")  # type: ignore[arg-type]


def test_what_people_type_of_a_frame() -> None:
    data = ratings([0, 0, 2], [0, 1, 1], [5, 3, 4])
    assert data.head(2).rows() == [(0, 0, 5.0), (0, 1, 3.0)] and len(data.head()) == len(data) == 3
    for name in ("shape", "columns", "to_pandas", "iloc", "nonsense"):
        with pytest.raises(AttributeError) as refusal:
            getattr(data, name)
        assert refusal.value.name == name and refusal.value.obj is data
    with refused(InputError, found=UNKNOWN, hint="write ratings.to_polars()"):
        list(data)  # type: ignore[call-overload]
    with refused(InputError, found="user_id", hint="write ratings.to_polars()"):
        _ = data["user_id"]  # type: ignore[index]


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


TWO_USERS, THREE_ITEMS = Vocabulary.numbered(2), Vocabulary.numbered(3)


def fours(*pairs: tuple[int, int]) -> Interactions:
    user, item = np.array(pairs).T
    return Interactions.build(TWO_USERS, THREE_ITEMS, user, item, np.full(len(pairs), 4.0))


SPLIT = Split(train=fours((0, 0), (1, 1)), test=fours((0, 1)))


def test_the_digest_is_of_the_parts_the_fold_and_the_groups() -> None:
    nobody, first = np.array([False, False]), np.array([True, False])
    changes = [
        replace(SPLIT, train=SPLIT.test, test=SPLIT.train),
        replace(SPLIT, validation=fours((1, 2))),
        replace(SPLIT, fold=1),
        replace(SPLIT, development=nobody),
        replace(SPLIT, development=first),
    ]
    assert len({SPLIT.digest, *(changed.digest for changed in changes)}) == 1 + len(changes)
    # what was dropped is told, and the parts say all the rest
    assert replace(SPLIT, dropped=(Dropped("too new", 2),)).digest == SPLIT.digest


def test_parts_and_dropped_ratings_are_told() -> None:
    printed = repr(replace(SPLIT, fold=2, validation=fours((1, 2)), dropped=(Dropped("of items not in train", 1),)))
    first, *parts = printed.splitlines()
    assert first == "fold 3" and [line.split()[:2] for line in parts] == [
        ["train", "2"],
        ["validation", "1"],
        ["test", "1"],
        ["dropped", "1"],
    ]
    assert parts[-1].endswith("1 rating: of items not in train")
