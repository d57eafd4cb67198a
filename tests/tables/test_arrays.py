"""Read-only arrays, digests of content, and rows of CSR structures."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.tables.arrays import digest_of, expand, floats, frozen, pointers, take_rows


def test_frozen_locks_the_table_and_not_the_callers_array() -> None:
    own = np.arange(3, dtype=np.int32)
    table = frozen(own, np.int32)
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 9
    own[0] = 7  # the caller's array stays writable
    assert frozen(table, np.int32) is table
    column = np.arange(6).reshape(3, 2)[:, 1]
    assert frozen(column, np.float64).flags.c_contiguous and frozen(column, np.float64).tolist() == [1.0, 3.0, 5.0]


def test_scores_keep_their_width() -> None:
    assert floats(np.ones(2, np.float32)).dtype == np.float32
    assert [floats(np.ones(2, kind)).dtype for kind in (np.float64, np.int64, np.float16)] == [np.float64] * 3


def test_a_digest_tells_apart_what_only_looks_alike() -> None:
    contents = [
        (),
        (None,),
        ("none",),
        ("a", "b"),
        ("ab",),
        ("b", "a"),
        (np.array([1, 2], np.int32),),
        (np.array([1, 2], np.int64),),
        (np.array([[1], [2]], np.int32),),
        (np.array([1], np.int32), np.array([2], np.int32)),
        (np.array(["a", "b"], dtype=object),),
        (np.array(["ab", ""], dtype=object),),
        (1,),
        (1.0,),
    ]
    digests = [digest_of(*parts) for parts in contents]
    assert len(set(digests)) == len(digests) and all(len(digest) == 64 for digest in digests)
    assert digest_of(np.arange(6)[::2]) == digest_of(np.array([0, 2, 4]))  # by content, whatever lies between


def test_rows_of_a_csr_structure() -> None:
    """Codes 0, 0, 2: row 1 and the last row are empty."""
    indptr = pointers(np.array([0, 0, 2]), 4)
    assert indptr.tolist() == [0, 2, 2, 3, 3] and expand(indptr).tolist() == [0, 0, 2]
    taken, places = take_rows(indptr, np.array([2, 1, 0, 2]))
    assert taken.tolist() == [0, 1, 1, 3, 4] and places.tolist() == [2, 0, 1, 2]
    nothing, places = take_rows(indptr, np.array([], dtype=np.int64))
    assert nothing.tolist() == [0] and places.tolist() == []
    # All entries in their order: a slice, by which nothing is copied; row 1 is empty.
    for rows in ([0, 1, 2], [0, 2]):
        taken, places = take_rows(indptr, np.array(rows))
        assert places == slice(None) and np.diff(taken).tolist() == np.diff(indptr)[rows].tolist()
    assert take_rows(indptr, np.array([2, 0]))[1].tolist() == [2, 0, 1]
    assert pointers(np.array([], dtype=np.int64), 2).tolist() == [0, 0, 0]
