"""Paths that lead nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.data.files import WAYS, write

from heldout import read
from heldout.errors import InputError


def test_paths_that_cannot_be_followed(tmp_path: Path) -> None:
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    bad = {
        str(tmp_path / ("x" * 300)): "File name too long",
        str(tmp_path) + "/x" * 3000: "File name too long",
        "x" * 300 + "*": "no file matches|too long",
        str(loop): "Too many levels of symbolic links",
        "~nosuchuser/r.csv": "no home folder of this name",
        "a\0b": "no path holds a NUL",
        "/dev/zero": "neither a file nor a pipe",
        str(tmp_path / "none" / "r.csv"): "no such file; nor is there a folder",
    }
    for path, message in bad.items():
        for way in WAYS[:3]:
            with pytest.raises(InputError, match=message):
                way(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_folders_that_may_not_be_read(tmp_path: Path) -> None:
    inside = tmp_path / "closed"
    inside.mkdir()
    write(inside / "r.csv", "1,2,3\n")
    inside.chmod(0)
    try:
        for path in (inside / "r.csv", inside):
            with pytest.raises(InputError, match="Permission denied"):
                read(path)
    finally:
        inside.chmod(0o700)
