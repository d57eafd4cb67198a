"""Columns as arrays: read-only, growing, in files, counted, sorted and hashed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

from heldout import WriteError
from heldout.tables import Interactions, ScoreCounts, Vocabulary, growing, pair_counter
from heldout.tables.arrays import digest_of, expand, floats, frozen, pointers, take_rows
from heldout.tables.growing import GrowingColumn, GrowingIds
from heldout.tables.id_hash import GROUPS, SHARDS, groups_of, hash_ids
from heldout.tables.mapped import let_go, mapped_together
from heldout.tables.ordering import counted, order_of, pair_order, repeated, summed, taken
from heldout.tables.pair_counter import PairCounter, distinct_counts


def test_frozen_locks_the_table_and_not_the_callers_array() -> None:
    own = np.arange(3, dtype=np.int32)
    table = frozen(own, np.int32)
    with pytest.raises(ValueError):
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


@pytest.mark.parametrize("sizes", [[], [3], [2, 0, 4], [1, 2, 3, 4, 50_000]])
@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_rows_follow_one_another_and_no_part_is_changed(sizes: list[int], dtype: type[np.generic]) -> None:
    parts = [np.arange(size).astype(dtype) * (k + 1) for k, size in enumerate(sizes)]
    before = [part.copy() for part in parts]
    column = GrowingColumn()
    for part in parts:
        column.extend(part)
    assert np.array_equal(column.rows, np.concatenate([np.empty(0), *before]))
    assert all(np.array_equal(part, copy) for part, copy in zip(parts, before, strict=True))


@pytest.mark.parametrize(
    ("parts", "dtype"),
    [
        ([[1, 2], [3, 4]], pl.Int32),
        ([[1, 2], [], [-(2**31), 2**31 - 1]], pl.Int32),
        ([[1, 2], [2**31, 4]], pl.Int64),
        ([[2**40], [3, 4, 5]], pl.Int64),
        ([[1], [2]], pl.Int64),
    ],
    ids=["small", "the ends of 4 bytes", "one too large", "a large one first", "few"],
)
def test_many_ids_take_four_bytes_where_all_fit(
    parts: list[list[int]], dtype: type[pl.DataType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing, "MANY", 3)
    ids = GrowingIds()
    for part in parts:
        ids.extend(pl.Series(part, dtype=pl.Int64))
    assert ids.series().to_list() == [number for part in parts for number in part] and ids.series().dtype == dtype


def test_numbers_are_texts_beside_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "MANY", 1)
    ids = GrowingIds()
    ids.extend(pl.Series([5, 3]))
    ids.extend(pl.Series(["a", "3"]))
    assert ids.series().to_list() == ["5", "3", "a", "3"]


def ratings(rows: int = 6, **columns: object) -> Interactions:
    user, item = np.divmod(np.arange(rows), 3)
    return Interactions.build(
        Vocabulary.numbered(rows), Vocabulary.numbered(3), user, item, np.linspace(1, 5, rows), **columns
    )  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64])
def test_numbers_stay_the_same_also_after_they_were_let_go(tmp_path: Path, dtype: type[np.generic]) -> None:
    numbers = np.arange(100_000).astype(dtype)
    column = mapped_together({"numbers": numbers}, tmp_path)["numbers"]
    assert column.dtype == dtype and not column.flags.writeable and np.array_equal(column, numbers)
    let_go(column)
    let_go(column[3:7])
    assert np.array_equal(column, numbers)
    assert not list(tmp_path.iterdir())


def test_columns_in_memory_and_none_are_left_alone() -> None:
    numbers = np.arange(5)
    let_go(numbers)
    let_go(None)
    assert numbers.tolist() == [0, 1, 2, 3, 4]
    assert mapped_together({"none": numbers[:0]})["none"].tolist() == []


def test_ratings_on_disk_are_the_same_ratings(tmp_path: Path) -> None:
    data = ratings(time=np.arange(6), utility=np.arange(6) / 2)
    on_disk = data.on_disk(tmp_path)
    assert on_disk.digest == data.digest and on_disk.nbytes == data.nbytes
    chosen = np.array([True, False, True, True, False, True])
    assert on_disk.select(chosen).digest == data.select(chosen).digest
    assert on_disk.select(np.flatnonzero(chosen)).digest == data.select(chosen).digest
    assert not on_disk.select(chosen).value.flags.writeable


def test_where_no_file_can_be_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with refused(WriteError, where="file"):
        ratings().on_disk(tmp_path / "file")


def test_equal_codes_keep_their_order() -> None:
    codes = np.array([2, 0, 2, 1, 0])
    starts = counted(codes, 4)
    assert starts.tolist() == [0, 2, 3, 5, 5]
    assert order_of(codes, starts).tolist() == [1, 4, 3, 0, 2]
    assert starts.tolist() == [0, 2, 3, 5, 5]  # as they were


def test_pairs_are_ordered_as_by_a_stable_sort() -> None:
    draw = np.random.default_rng(1)
    user, item = draw.integers(0, 9, 200), draw.integers(0, 7, 200)
    order = pair_order(user, item, 9, 7)
    assert order is not None and order.tolist() == np.lexsort((item, user)).tolist()
    count, first = repeated(user, item, order)
    pairs = list(zip(user.tolist(), item.tolist(), strict=True))
    assert count == 200 - len(set(pairs))
    assert pairs.index(pairs[first]) < first  # the row repeats an earlier one


def test_rows_that_are_sorted_already_need_no_order() -> None:
    assert pair_order(np.array([0, 0, 1]), np.array([1, 2, 0]), 2, 3) is None
    assert pair_order(np.array([], dtype=np.int64), np.array([], dtype=np.int64), 2, 3) is None
    assert pair_order(np.array([0, 0]), np.array([1, 1]), 1, 2) is not None  # sorted, but not distinct


def test_taken_rows_keep_their_type() -> None:
    values = np.array([0.5, np.nan, 2.0], dtype=np.float32)
    rows = taken(values, np.array([2, 0, 2], dtype=np.int32))
    assert rows.dtype == np.float32 and rows.tolist() == [2.0, 0.5, 2.0]


def test_sums_are_those_of_numpy() -> None:
    draw = np.random.default_rng(4)
    codes, values = draw.integers(0, 9, 500).astype(np.int32), draw.random(500)
    assert np.array_equal(summed(codes, values, 12), np.bincount(codes, values, 12))


def test_pairs_of_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_counter, "_SLOTS", 4)  # it must grow
    draw = np.random.default_rng(1)
    rows = pl.DataFrame({"number": draw.integers(-40, 50, 3000), "value": draw.integers(-1, 3, 3000) / 2 * -1.0})
    counter = PairCounter()
    for start in range(0, 3000, 700):
        counter.add(rows["number"][start : start + 700].to_numpy(), rows["value"][start : start + 700].to_numpy())
    counted = pl.DataFrame(dict(zip(("number", "value", "len"), counter.pairs(), strict=True))).sort("number", "value")
    assert counted.rows() == rows.group_by("number", "value").len().sort("number", "value").rows()
    assert counter.used == counted.height


@pytest.mark.parametrize("most", [2, 10**6])
def test_distinct_values_are_those_of_numpy(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(pair_counter, "_BLOCK", 128)
    monkeypatch.setattr(pair_counter, "_MOST", most)
    values = np.random.default_rng(2).integers(-4, 5, 1000) / 2 * -1.0  # −0 among them
    distinct, counts = distinct_counts(values)
    wanted = np.unique(values, return_counts=True)
    assert np.array_equal(distinct, wanted[0]) and np.array_equal(counts, wanted[1])
    assert [len(part) for part in distinct_counts(np.empty(0))] == [0, 0]


NAN = np.nan


def test_scores_fall_on_between_and_beside_the_thresholds() -> None:
    counts = ScoreCounts.begin(np.array([3.0, 1.0, 3.0, NAN])).add(np.array([0.0, 1.0, 2.0, 2.5, 3.0, 9.0, NAN]))
    assert counts.thresholds.tolist() == [1.0, 3.0]
    assert (counts.at.tolist(), counts.between.tolist(), counts.unscored) == ([1, 1], [1, 2, 1], 1)


def test_blocks_add_up_to_the_whole() -> None:
    scores = np.random.default_rng(1).integers(0, 9, 200).astype(float)
    scores[::7] = NAN
    whole = ScoreCounts.begin(scores[:5]).add(scores)
    parts = ScoreCounts.begin(scores[:5])
    for block in np.split(scores, [3, 3, 90]):
        parts = parts.add(block)
    assert parts.at.tolist() == whole.at.tolist() and parts.between.tolist() == whole.between.tolist()
    assert parts.unscored == whole.unscored == np.isnan(scores).sum()
    assert whole.at.sum() + whole.between.sum() + whole.unscored == 200


def test_without_a_relevant_score_all_lie_in_one_gap() -> None:
    counts = ScoreCounts.begin(np.array([NAN])).add(np.array([1.0, 2.0, NAN]))
    assert (counts.at.tolist(), counts.between.tolist(), counts.unscored) == ([], [2], 1)


def test_a_number_and_its_text_are_one_user() -> None:
    texts = hash_ids(pl.Series(["17", "-3", "0", "007", "u1"]))
    numbers = hash_ids(pl.Series([17, -3, 0, 7, 1]))
    assert texts[:3].tolist() == numbers[:3].tolist()
    assert texts[3] != numbers[3]  # "007" is a text


def test_a_hash_does_not_depend_on_the_ids_beside() -> None:
    ids = ["a", "b", "12", "é", ""]
    together = hash_ids(pl.Series(ids)).tolist()
    assert together == [hash_ids(pl.Series([text])).tolist()[0] for text in ids]
    assert together == hash_ids(pl.Series(ids[::-1])).tolist()[::-1]
    # The same by whole numbers of Python. A change would put users into other groups and so change p-values.
    fnv = 0xCBF29CE484222325
    for byte in "é".encode():
        fnv = (fnv ^ byte) * 0x100000001B3 % 2**64
    assert together[2:4] == [_mixed((12 + 0x9E3779B97F4A7C15) % 2**64), _mixed(fnv)]


def _mixed(state: int) -> int:
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
    return state ^ state >> 31


def test_users_spread_evenly() -> None:
    hashes = hash_ids(pl.Series(np.arange(1_000_000)))
    shards = groups_of(hashes) // (GROUPS // SHARDS)
    counts = np.bincount(shards, minlength=SHARDS)  # Poisson with mean 244: chi-square of 4,095 degrees of freedom
    statistic = float((np.square(counts - counts.mean()) / counts.mean()).sum())
    assert abs(statistic - (SHARDS - 1)) < 5 * np.sqrt(2 * (SHARDS - 1))
