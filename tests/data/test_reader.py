"""What every reader of files does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.data.files import write

from heldout import read_log
from heldout.catalogue import classes
from heldout.errors import InputError


def test_every_reader_of_files_can_skip_bad_rows() -> None:
    assert {cls.key for cls in classes("reader") if not hasattr(cls, "on_bad_rows")} == {"simulate"}


def test_where_most_lines_are_bad_the_format_is_another(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "user,item,rating\n1,2,5,\n1,3,4,\n1,4,3\n")
    with pytest.raises(InputError, match=r"most lines are bad, 2 of 3 \(too many fields: 2\); check the separator"):
        read_log(path, on_bad_rows="skip")
