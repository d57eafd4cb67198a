"""Predefined splits."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from tests.refusals import refused

from heldout import read
from heldout.errors import InputError, SpecError
from heldout.splits import Given
from heldout.tables import Interactions


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def rows(data: Interactions) -> list[tuple[object, ...]]:
    return list(data.to_polars().select("user_id", "item_id", "value").iter_rows())


def test_unknown_test_users_and_items_are_kept(tmp_path: Path) -> None:
    splitter = Given(write(tmp_path, "a.base", "1\t10\t5\n2\t10\t4\n"), write(tmp_path, "a.test", "1\t11\t3\n3\t10\t2\n"))
    (split,) = splitter.split(None, seed=1)
    assert split.train.users.ids.tolist() == [1, 2, 3] and split.train.items.ids.tolist() == [10, 11]
    assert rows(split.train) == [(1, 10, 5.0), (2, 10, 4.0)]
    assert rows(split.test) == [(1, 11, 3.0), (3, 10, 2.0)]
    assert split.train.users == split.test.users


def test_folds_share_their_vocabularies_also_of_texts_and_numbers(tmp_path: Path) -> None:
    splitter = Given(
        (write(tmp_path, "a.base", "1\t10\t5\n"), write(tmp_path, "b.base", "x\t10\t5\n")),
        (write(tmp_path, "a.test", "1\t11\t3\n"), write(tmp_path, "b.test", "1\t12\t3\n")),
    )
    first, second = splitter.split(None, seed=1)
    assert first.train.users == second.test.users
    assert first.train.users.ids.tolist() == ["1", "x"]
    assert (first.fold, second.fold) == (0, 1)


def test_without_train_the_rest_of_the_data_trains(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = read({"user": [1, 1, 2], "item": [10, 11, 10], "value": [5, 4, 3], "time": [7, 8, 9]})
    splitter = Given(test=write(tmp_path, "t.tsv", "1\t11\t1\n3\t10\t2\n"))
    assert splitter.needs_data
    with caplog.at_level(logging.WARNING):
        (split,) = splitter.split(data, seed=1)
    assert rows(split.train) == [(1, 10, 5.0), (2, 10, 3.0)]
    assert rows(split.test) == [(1, 11, 4.0), (3, 10, 2.0)]  # the data's 4, and the file's 2 of a pair they lack
    assert split.test.time is None
    assert "1 of 2 test pairs are not in the data" in caplog.text


def test_a_pair_of_both_parts_is_kept_where_one_says(tmp_path: Path) -> None:
    train = write(tmp_path, "a.base", "1\t10\t5\n2\t10\t4\n2\t11\t1\n")
    test = write(tmp_path, "a.test", "1\t10\t3\n3\t10\t2\n")
    with pytest.raises(InputError, match=r"1 \(user, item\) pairs are also in .*say overlap=train or overlap=test"):
        list(Given(train, test).split(None, seed=1))
    (kept,) = Given(train, test, overlap="train").split(None, seed=1)
    assert rows(kept.train) == [(1, 10, 5.0), (2, 10, 4.0), (2, 11, 1.0)] and rows(kept.test) == [(3, 10, 2.0)]
    assert [(d.reason, d.count) for d in kept.dropped] == [("pairs of test that are in train too", 1)]
    (moved,) = Given(train, test, overlap="test").split(None, seed=1)
    assert rows(moved.train) == [(2, 10, 4.0), (2, 11, 1.0)] and rows(moved.test) == [(1, 10, 3.0), (3, 10, 2.0)]
    assert [(d.reason, d.count) for d in moved.dropped] == [("pairs of train that are in test too", 1)]


def test_bad_rows_of_the_files_are_errors_or_counted(tmp_path: Path) -> None:
    train = write(tmp_path, "a.base", "1\t10\t5\n2\t10\t4\n2\t12\tx\n")
    test = write(tmp_path, "a.test", "1\t11\t3\n3\t10\t2\n3\t11\n")
    with refused(InputError, file="a.test", line=3, found=2, expected="3 fields"):
        list(Given(train, test).split(None, seed=1))
    (split,) = Given(train, test, on_bad_rows="skip").split(None, seed=1)
    assert (len(split.train), len(split.test)) == (2, 2)
    assert [(d.reason, d.count) for d in split.dropped] == [
        (f"bad rows of {train}: column 'value': not a finite number", 1),
        (f"bad rows of {test}: too few fields", 1),
    ]


def test_times_come_from_the_data_when_all_pairs_are_there(tmp_path: Path) -> None:
    data = read({"user": [1, 1], "item": [10, 11], "value": [5, 4], "time": [7, 8]})
    (split,) = Given(test=write(tmp_path, "t.tsv", "1\t11\n")).split(data, seed=1)
    assert split.test.time is not None and split.test.time.tolist() == [8]
    assert rows(split.test) == [(1, 11, 4.0)]


def test_overlap_and_emptiness_are_errors(tmp_path: Path) -> None:
    base = write(tmp_path, "a.base", "1\t10\t5\n2\t10\t4\n")
    with pytest.raises(InputError, match=r"a\.test: 1 \(user, item\) pairs are also in .*a\.base \(first: user 2, item 10"):
        list(Given(base, write(tmp_path, "a.test", "1\t11\t5\n2\t10\t4\n")).split(None, seed=1))
    with refused(InputError, file="b.test", expected="at least one line"):
        list(Given(base, write(tmp_path, "b.test", "")).split(None, seed=1))
    data = read({"user": [1], "item": [10], "value": [5]})
    with pytest.raises(InputError, match="the training set of fold 1 is empty"):
        list(Given(test=write(tmp_path, "c.test", "1\t10\t5\n")).split(data, seed=1))
    with pytest.raises(InputError, match="divides a data set, and none is given"):
        list(Given(test=base).split(None, seed=1))


def test_parameters_are_checked() -> None:
    with pytest.raises(SpecError, match="given needs 'test'"):
        Given("a")
    with pytest.raises(SpecError, match="1 training and 2 test files"):
        Given("a", ("b", "c"))


def test_the_digest_follows_the_files(tmp_path: Path) -> None:
    splitter = Given(write(tmp_path, "a", "1\t10\t5\n"), write(tmp_path, "b", "1\t11\t5\n"))
    before = splitter.source_digest()
    write(tmp_path, "b", "1\t11\t4\n")
    assert splitter.source_digest() != before
