"""A results folder as a zip."""

from __future__ import annotations

import io
import os
import zipfile

from heldout.web.archive import LACKING, zipped


def opened(folder):
    return zipfile.ZipFile(io.BytesIO(b"".join(zipped(folder))))


def test_the_zip_has_the_files_as_they_are(home):
    folder = home / "small"
    archive = opened(folder)
    assert archive.testzip() is None
    kept = {name.removeprefix("small/") for name in archive.namelist()}
    assert kept == {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert archive.read("small/facts.json") == (folder / "facts.json").read_bytes()


def test_links_locks_and_pipes_are_left_out(home, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (home / "small" / "link").symlink_to(secret)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inside").write_text("secret")
    (home / "small" / "linked").symlink_to(tmp_path / "folder")
    (home / "small" / ".lock").write_text("{}")
    os.mkfifo(home / "small" / "pipe")
    names = opened(home / "small").namelist()
    assert (
        not {"small/link", "small/linked/inside", "small/.lock", "small/pipe"} & set(names) and "small/report.html" in names
    )


def test_what_cannot_be_read_is_named(home):
    pieces = zipped(home / "small")
    first = next(pieces)  # the list of files is made
    (home / "small" / "report.html").unlink()
    archive = zipfile.ZipFile(io.BytesIO(first + b"".join(pieces)))
    assert b"report.html: No such file" in archive.read(f"small/{LACKING}")
