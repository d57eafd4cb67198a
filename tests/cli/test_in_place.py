"""The watch tells files written in place, also by compiled code, from files that are renamed when they are whole."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import polars as pl
import pytest
from tests.cli.in_place import Watch

from heldout.storage.files import write_file, write_text

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has inotify")


def test_what_is_written_in_place_is_told(tmp_path: Path) -> None:
    folder, frame = tmp_path / "out", pl.DataFrame({"a": [1]})
    folder.mkdir()
    (folder / "earlier.txt").write_text("earlier")
    watch = Watch(folder, tmp_path / "notes.txt")

    def work() -> None:
        inner = folder / "inner"
        inner.mkdir()
        frame.write_parquet(inner / "compiled.parquet")
        with (folder / "earlier.txt").open("r+") as handle:
            handle.write("changed")
        write_file(inner / "whole.parquet", lambda temporary: frame.write_parquet(temporary))
        write_text(folder / "earlier.txt", "whole")
        (folder / ".lock").touch()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.mkdir", os.mkdir)  # what the watch puts in its place is undone afterwards
        watch.watching(work)()
    assert watch.in_place() == [str(folder / "inner" / "compiled.parquet"), str(folder / "earlier.txt")]
    assert watch.in_place() == []
    watch.close()
