"""A split as a folder: changed and missing files are refused."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.splits.tiny import data

from heldout.catalogue import make
from heldout.errors import InputError
from heldout.splits.store import new_folder, save_split, saved_manifest, saved_splits


def test_a_saved_split_that_was_changed_is_refused(tmp_path: Path) -> None:
    place = save_split(tmp_path / "s", make("split", "ratio").split(data(), seed=1), made_by="ratio", seed=1)
    frame = pl.read_parquet(place / "fold-1" / "train.parquet")
    frame.with_columns(value=pl.col("value") + 1).write_parquet(place / "fold-1" / "train.parquet")
    with pytest.raises(InputError, match="the ratings are not those that were saved"):
        list(saved_splits(place))
    (place / "fold-1" / "test.parquet").unlink()
    with pytest.raises(InputError, match=r"test\.parquet: cannot be read"):
        list(saved_splits(place))
    (place / "split.json").write_text(json.dumps({"format": "other"}))
    with pytest.raises(InputError, match="not a split that this version reads"):
        list(saved_splits(place))
    with pytest.raises(InputError, match=r"split\.json is missing"):
        list(saved_splits(tmp_path))
    with pytest.raises(InputError, match="this folder is not empty"):
        save_split(place, [], made_by="x", seed=1)


def test_where_a_split_can_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="this is a file, a folder is expected"):
        new_folder(tmp_path / "file")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert new_folder(empty) == empty and new_folder(tmp_path / "new") == tmp_path / "new"
    monkeypatch.chdir(empty)
    with pytest.raises(InputError, match="this is the current folder"):
        new_folder(".")


def test_a_repeated_id_and_an_unreadable_manifest_are_refused(tmp_path: Path) -> None:
    place = save_split(tmp_path / "s", make("split", "ratio").split(data(), seed=1), made_by="ratio", seed=1, data="d")
    assert {key: saved_manifest(place)[key] for key in ("split", "seed", "data")} == {
        "split": "ratio",
        "seed": 1,
        "data": "d",
    }
    pl.DataFrame({"id": [1, 1]}).write_parquet(place / "users.parquet")
    with pytest.raises(InputError, match=r"users\.parquet: an id occurs twice"):
        list(saved_splits(place))
    (place / "split.json").write_text("{")
    with pytest.raises(InputError, match=r"split\.json: cannot be read"):
        list(saved_splits(place))
