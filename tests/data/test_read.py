"""What may be read: paths, text forms and readers."""

from __future__ import annotations

from pathlib import Path

import pytest

from heldout import read
from heldout.catalogue import make
from heldout.data.read import reader_of
from heldout.errors import InputError, SpecError, UnknownNameError


def test_text_forms_readers_and_paths_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("a\tx\t1\na\tx\t2\n")
    assert str(reader_of(f'tsv("{path}")')) == f'csv(path="{path}")'
    assert reader_of("simulate").key == "simulate"
    with pytest.raises(UnknownNameError, match="did you mean movielens"):
        read('movielenz("x")')
    with pytest.raises(InputError, match="no such file"):
        read("nowhere.csv")
    with pytest.raises(InputError, match="int is no source of ratings"):
        read(3)
    with pytest.raises(SpecError, match="has its own columns"):
        read(make("reader", f'csv("{path}")'), user="a")


def test_repeated_pairs(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("a\tx\t3\t20\na\tx\t4\t10\n")
    with pytest.raises(InputError, match=r"log\.tsv: 1 repeated \(user, item\) pairs"):
        read(path)
    assert read(path, duplicates="latest").value.tolist() == [3.0]
    assert read(path, duplicates="sum").value.tolist() == [7.0]
    assert read(path, duplicates="max").value.tolist() == [4.0]
    with pytest.raises(SpecError, match="latest, sum, max, error"):
        read(path, duplicates="first")  # type: ignore[arg-type]
