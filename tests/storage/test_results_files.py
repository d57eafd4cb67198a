"""Files of a results folder: whole or not at all, and plainly told."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.experiment.conftest import LEAST
from tests.refusals import refused

from heldout.errors import ResultsError
from heldout.storage import results_files as files

_SMALL = """
import resource, signal, sys, json
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
import heldout as ho
from heldout.errors import ResultsError
study, out = json.loads(sys.argv[1]), sys.argv[2]
ho.run(study)
resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))
try:
    ho.run(study, out=out)
except ResultsError as error:
    print(error)
"""


def test_files_that_a_system_cuts_off_are_not_kept(tmp_path: Path) -> None:
    """The real thing, by a limit of the process: Parquet's writer, not Python's, is what fails."""
    out = tmp_path / "out"
    large = {**LEAST, "recommend": "Random", "data": "simulate(users=300, items=60, ratings=8000)"}
    ran = subprocess.run(
        [sys.executable, "-c", _SMALL, json.dumps(large), str(out)], capture_output=True, text=True, check=True
    )
    assert "cannot be written" in ran.stdout, ran.stdout + ran.stderr
    assert "what was kept before is untouched" in ran.stdout
    assert not list(out.rglob("*.parquet"))
    assert not list(out.rglob(".*.part-*"))


FULL = (errno.EDQUOT, errno.EFBIG)


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EIO, errno.EDQUOT, errno.EFBIG])
def test_what_cannot_be_written_is_told_plainly(number: int, tmp_path: Path) -> None:
    def write(_: Path) -> None:
        raise OSError(number, os.strerror(number))

    with refused(
        ResultsError,
        where=str(tmp_path / "x" / "part"),
        hint="the same study again" if number in FULL else "choose another --out",
    ):
        files.write_whole(tmp_path / "x" / "part", write)
    assert list((tmp_path / "x").iterdir()) == []


def test_what_reading_raises_is_told_plainly(tmp_path: Path) -> None:
    """An error that says what to do already is left as it is; so are a full memory and a user who stops."""
    path = tmp_path / "part"

    def raising(error: BaseException) -> Any:
        def read() -> None:
            raise error

        return read

    reason_by_error = {
        PermissionError(errno.EACCES, "Permission denied"): ("Permission denied", "make it readable"),
        files.ChangedPartError("it is empty"): ("it is empty", "delete this file"),
        ValueError("first line\nsecond"): ("ValueError: first line", "delete this file"),
        pl.exceptions.PanicException(""): ("PanicException: ", "delete this file"),
    }
    for error, (reason, hint) in reason_by_error.items():
        with refused(ResultsError, where=str(path), hint=hint) as refusal:
            files.read_whole(path, raising(error))
        assert f"({reason}" in refusal.value.what and "\n" not in refusal.value.what
    for passed in (ResultsError("own words"), MemoryError(), KeyboardInterrupt()):
        with pytest.raises(type(passed)) as same:
            files.read_whole(path, raising(passed))
        assert same.value is passed
    assert files.read_whole(path, lambda: 7) == 7
