"""Which files an input names, so that none of them is written over."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from tests.refusals import refused

from heldout.api.input_files import refuse_overwriting
from heldout.errors import InputError


def test_a_file_in_a_folder_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("")
    (tmp_path / "folder").mkdir()
    refuse_overwriting(tmp_path / "folder" / "new.csv", "folder")  # nothing is there that could be lost
    (tmp_path / "folder" / "ratings.dat").write_text("1::2::3::4\n")
    with refused(InputError, where="ratings.dat", hint="name another file for the output"):
        refuse_overwriting(tmp_path / "folder" / "ratings.dat", 'movielens("folder")')
    refuse_overwriting(tmp_path / "a.csv", "no-such.csv", "broken(", "none-*.csv", None)


def test_files_that_inputs_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "b.csv", "c(1).csv"):
        (tmp_path / name).write_text("")
    named = {
        "a.csv": ["a.csv"],
        "*.csv": ["a.csv", "b.csv", "c(1).csv"],
        'given(train=["a.csv", "b.csv"], test="no.csv")': ["a.csv", "b.csv"],
        'test_users(0.5, then=given(test="b.csv"))': ["b.csv"],
        "c(1).csv": ["c(1).csv"],  # a file, though it looks like a text form
        "no.csv": [],
        "csv(": [],
    }
    for text, names in named.items():
        for name in ("a.csv", "b.csv", "c(1).csv"):
            with refused(InputError, where=name) if name in names else nullcontext():
                refuse_overwriting(tmp_path / name, text)
    refuse_overwriting(tmp_path / "a.csv", {"user": [1]}, None)


def test_only_a_file_that_is_there_can_be_lost(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    refuse_overwriting(file, str(file))
    refuse_overwriting(None, str(file))
    file.write_text("")
    (tmp_path / "link.csv").symlink_to(file)
    with refused(InputError, where="link.csv", hint="name another file for the output"):
        refuse_overwriting(tmp_path / "link.csv", None, file)
