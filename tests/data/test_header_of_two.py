"""Two columns: whether the first line is a header cannot be told by a value."""

from __future__ import annotations

from pathlib import Path

import pytest

import heldout as ho


def test_strange_names_above_numbers_are_no_row(tmp_path: Path) -> None:
    (tmp_path / "clicks.csv").write_text("wer,was\n1,2\n1,3\n2,3\n")
    with pytest.raises(ho.InputError, match="no column for the user; found wer, was"):
        ho.read(tmp_path / "clicks.csv")
    assert len(ho.read(tmp_path / "clicks.csv", user="wer", item="was")) == 3


@pytest.mark.parametrize("text", ["a,x\nb,y\n", "1,2\n3,4\n", "user,item\n1,2\n3,4\n"])
def test_rows_of_words_or_numbers_stay_rows(tmp_path: Path, text: str) -> None:
    (tmp_path / "clicks.csv").write_text(text)
    assert len(ho.read(tmp_path / "clicks.csv")) == 2
