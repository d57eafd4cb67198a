"""Ratings: sorted, one row per pair, with views by user and by item."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.errors import InputError, SpecError
from heldout.tables import Interactions, Vocabulary

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
    with pytest.raises(InputError, match="1 repeated"):
        ratings([1, 0, 1], [2, 0, 2], [1, 2, 3])


def test_selected_rows_keep_the_vocabularies_and_arrays_are_read_only() -> None:
    part = ratings([0, 1, 2], [0, 1, 2], [1, 2, 3]).select(np.array([True, False, True]))
    assert part.user.tolist() == [0, 2] and part.n_users == 3 and part.n_items == 4
    with pytest.raises(ValueError, match="read-only"):
        part.value[0] = 9


def test_a_matrix_covers_the_vocabularies_and_is_its_own() -> None:
    data = ratings([0, 0, 2], [0, 1, 1], [5, 3, 4])
    matrix = data.to_csr()
    assert matrix.toarray().tolist() == [[5, 3, 0, 0], [0, 0, 0, 0], [0, 4, 0, 0]]
    assert data.to_csr("binary").toarray().tolist() == [[1, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]]
    matrix.data[:] = 0
    assert data.value.tolist() == [5, 3, 4]
    with pytest.raises(SpecError, match="to_csr: 'values' is rating or binary, found 'ratings'"):
        data.to_csr("ratings")  # type: ignore[arg-type]


def test_what_people_type_of_a_frame() -> None:
    data = ratings([0, 0, 2], [0, 1, 1], [5, 3, 4])
    assert data.head(2).rows() == [(0, 0, 5.0), (0, 1, 3.0)] and len(data.head()) == len(data) == 3
    for name, words in {
        "shape": r"len\(ratings\)",
        "columns": "to_polars",
        "to_pandas": "to_pandas",
        "iloc": "frame",
    }.items():
        with pytest.raises(AttributeError, match=f"'Interactions' has no attribute '{name}': write .*{words}"):
            getattr(data, name)
    with pytest.raises(AttributeError, match=r"'Interactions' has no attribute 'nonsense'$"):
        _ = data.nonsense  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=r"not iterated one by one; write ratings.to_polars\(\)"):
        list(data)  # type: ignore[call-overload]
    with pytest.raises(InputError, match=r"not indexed, found \['user_id'\]; write ratings.to_polars\(\)"):
        _ = data["user_id"]  # type: ignore[index]
