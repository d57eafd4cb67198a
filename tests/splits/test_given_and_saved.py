"""Splits that are read: predefined files, saved folders, and pairs in both parts."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused
from tests.splits.tiny import data, rows

import heldout as ho
from heldout import read
from heldout.catalogue import make
from heldout.errors import UNKNOWN, InputError, SpecError
from heldout.splits import Given
from heldout.splits.pairs import rows_among, without_overlap
from heldout.splits.store import new_folder, save_split, saved_manifest, saved_splits
from heldout.tables import Dropped, Interactions, Split


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def listed(data: Interactions) -> list[tuple[object, ...]]:
    return list(data.to_polars().select("user_id", "item_id", "value").iter_rows())


def test_unknown_test_users_and_items_are_kept(tmp_path: Path) -> None:
    splitter = Given(write(tmp_path, "a.base", "1\t10\t5\n2\t10\t4\n"), write(tmp_path, "a.test", "1\t11\t3\n3\t10\t2\n"))
    (split,) = splitter.split(None, seed=1)
    assert split.train.users.ids.tolist() == [1, 2, 3] and split.train.items.ids.tolist() == [10, 11]
    assert listed(split.train) == [(1, 10, 5.0), (2, 10, 4.0)]
    assert listed(split.test) == [(1, 11, 3.0), (3, 10, 2.0)]
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
    assert listed(split.train) == [(1, 10, 5.0), (2, 10, 3.0)]
    assert listed(split.test) == [(1, 11, 4.0), (3, 10, 2.0)]  # the data's 4, and the file's 2 of a pair they lack
    assert split.test.time is None
    assert "1 of 2 test pairs are not in the data" in caplog.text


def test_a_pair_of_both_parts_is_kept_where_one_says(tmp_path: Path) -> None:
    train = write(tmp_path, "a.base", "1\t10\t5\n2\t10\t4\n2\t11\t1\n")
    test = write(tmp_path, "a.test", "1\t10\t3\n3\t10\t2\n")
    with refused(InputError, file=test, found=["user 1, item 10"], hint="set overlap=train or overlap=test"):
        list(Given(train, test).split(None, seed=1))
    (kept,) = Given(train, test, overlap="train").split(None, seed=1)
    assert listed(kept.train) == [(1, 10, 5.0), (2, 10, 4.0), (2, 11, 1.0)] and listed(kept.test) == [(3, 10, 2.0)]
    assert [(d.reason, d.count) for d in kept.dropped] == [("pairs of test that are in train too", 1)]
    (moved,) = Given(train, test, overlap="test").split(None, seed=1)
    assert listed(moved.train) == [(2, 10, 4.0), (2, 11, 1.0)] and listed(moved.test) == [(1, 10, 3.0), (3, 10, 2.0)]
    assert [(d.reason, d.count) for d in moved.dropped] == [("pairs of train that are in test too", 1)]


def test_bad_rows_of_the_files_are_errors_or_counted(tmp_path: Path) -> None:
    train = write(tmp_path, "a.base", "1\t10\t5\n2\t10\t4\n2\t12\tx\n")
    test = write(tmp_path, "a.test", "1\t11\t3\n3\t10\t2\n3\t11\n")
    with refused(InputError, file="a.test", line=3):
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
    assert listed(split.test) == [(1, 11, 4.0)]


def test_overlap_and_emptiness_are_errors(tmp_path: Path) -> None:
    base = write(tmp_path, "a.base", "1\t10\t5\n2\t10\t4\n")
    with refused(InputError, file="a.test", found=["user 1, item 10", "and 1 more"]):
        list(Given(base, write(tmp_path, "a.test", "1\t10\t5\n2\t10\t4\n")).split(None, seed=1))
    with refused(InputError, file="b.test"):
        list(Given(base, write(tmp_path, "b.test", "")).split(None, seed=1))
    data = read({"user": [1], "item": [10], "value": [5]})
    with refused(InputError, found=["0 training ratings", "1 test ratings"]):
        list(Given(test=write(tmp_path, "c.test", "1\t10\t5\n")).split(data, seed=1))
    with refused(InputError, where="given", hint="set data, or `train`"):
        list(Given(test=base).split(None, seed=1))


def test_parameters_are_checked() -> None:
    with refused(SpecError, where="given: 'test'", hint="such as given"):
        Given("a")
    with refused(SpecError, where="given: 'train'", found=1, expected="2 training files"):
        Given("a", ("b", "c"))


def test_the_digest_follows_the_files(tmp_path: Path) -> None:
    splitter = Given(write(tmp_path, "a", "1\t10\t5\n"), write(tmp_path, "b", "1\t11\t5\n"))
    before = splitter.source_digest()
    write(tmp_path, "b", "1\t11\t4\n")
    assert splitter.source_digest() != before


TRAIN, TEST = rows([0, 1, 3], [1, 2, 3], None), rows([0, 1, 2], [2, 2, 1], None)
"""The pair (1, 2) is in both."""


def test_rows_of_the_same_pairs_are_found() -> None:
    assert rows_among(TEST, TRAIN).tolist() == [-1, 1, -1]
    assert rows_among(TRAIN, TEST).tolist() == [-1, 1, -1]
    assert rows_among(TRAIN, TRAIN).tolist() == [0, 1, 2]
    assert rows_among(TEST, TRAIN.select(np.zeros(3, dtype=np.bool_))).tolist() == [-1] * 3


def test_common_pairs_stay_in_the_part_that_is_named() -> None:
    split = Split(train=TRAIN, test=TEST, dropped=(Dropped("before", 4),))
    in_train, in_test = without_overlap(split, keep="train"), without_overlap(split, keep="test")
    assert (len(in_train.train), len(in_train.test)) == (3, 2) and (len(in_test.train), len(in_test.test)) == (2, 3)
    assert in_train.dropped == (Dropped("before", 4), Dropped("pairs of test that are in train too", 1))
    assert in_test.dropped[1] == Dropped("pairs of train that are in test too", 1)
    disjoint = Split(train=TRAIN, test=rows([0], [2], None))
    assert without_overlap(disjoint, keep="train") is disjoint


@pytest.mark.parametrize("text_ids", [False, True])
def test_a_saved_split_is_read_back_bit_for_bit(tmp_path: Path, text_ids: bool) -> None:
    by = "test_users(0.8, then=replay(times=2))"
    made = ho.split(data(text_ids=text_ids), by, validation="ratio(train=0.9)", development=0.5, seed=4)
    for place in ("a", "b"):
        made.save(tmp_path / place)
    again = list(make("split", f'saved("{tmp_path}/a")').split(None, seed=99))
    assert [s.digest for s in again] == [s.digest for s in made]
    assert [s.dropped for s in again] == [s.dropped for s in made]
    assert all(np.array_equal(a.development, b.development) for a, b in zip(again, made, strict=True))  # type: ignore[arg-type]
    assert make("split", f'saved("{tmp_path}/a")').folds_made == 2
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert all((tmp_path / "a" / f).read_bytes() == (tmp_path / "b" / f).read_bytes() for f in files)


def test_the_digest_is_of_the_folds_that_were_saved(tmp_path: Path) -> None:
    for seed in (1, 1, 2):
        place = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        save_split(place, make("split", "ratio").split(data(), seed=seed), made_by="ratio", seed=seed)
    digests = [make("split", f'saved("{tmp_path}/{k}")').source_digest() for k in range(3)]
    assert digests[0] == digests[1] != digests[2]


def test_a_saved_split_that_was_changed_is_refused(tmp_path: Path) -> None:
    place = save_split(tmp_path / "s", make("split", "ratio").split(data(), seed=1), made_by="ratio", seed=1)
    frame = pl.read_parquet(place / "fold-1" / "train.parquet")
    frame.with_columns(value=pl.col("value") + 1).write_parquet(place / "fold-1" / "train.parquet")
    with refused(InputError, file="fold-1", expected="the digest"):
        list(saved_splits(place))
    (place / "fold-1" / "test.parquet").unlink()
    with refused(InputError, file="test.parquet"):
        list(saved_splits(place))
    (place / "split.json").write_text(json.dumps({"format": "other"}))
    with refused(InputError, file="split.json", found="other", expected="the format"):
        list(saved_splits(place))
    with refused(InputError, file=tmp_path, expected="a saved split"):
        list(saved_splits(tmp_path))
    with refused(InputError, file=place, expected="a new or empty folder"):
        save_split(place, [], made_by="x", seed=1)


def test_where_a_split_can_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    with refused(InputError, file="file", expected="a new or empty folder"):
        new_folder(tmp_path / "file")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert new_folder(empty) == empty and new_folder(tmp_path / "new") == tmp_path / "new"
    monkeypatch.chdir(empty)
    with refused(InputError, expected="another folder"):
        new_folder(".")


def test_a_repeated_id_and_an_unreadable_manifest_are_refused(tmp_path: Path) -> None:
    place = save_split(tmp_path / "s", make("split", "ratio").split(data(), seed=1), made_by="ratio", seed=1, data="d")
    assert {key: saved_manifest(place)[key] for key in ("split", "seed", "data")} == {
        "split": "ratio",
        "seed": 1,
        "data": "d",
    }
    pl.DataFrame({"id": [1, 1]}).write_parquet(place / "users.parquet")
    with refused(InputError, file="users.parquet", found=1):
        list(saved_splits(place))
    (place / "split.json").write_text("{")
    with refused(InputError, file="split.json", found=UNKNOWN):
        list(saved_splits(place))
