"""Archives known by what they hold."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from tests.data.archives import archive, tiny

from heldout.data.fetch import fetch
from heldout.errors import InputError


def test_an_archive_known_by_its_members_holds_no_others(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    ratings = "1\t2\t3\t4\n"
    members = {"u.data": hashlib.sha256(ratings.encode()).hexdigest()}
    what = replace(tiny(b"", url), checksum="", members=members, others=("tags.dat",))
    (served / "tiny.zip").write_bytes(archive({"tiny/u.data": ratings, "tiny/ratings.csv": "planted"}))
    with pytest.raises(InputError, match=r"holds 'tiny/ratings\.csv', which the published one does not"):
        fetch(what, tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []
    (served / "tiny.zip").write_bytes(archive({"tiny/u.data": ratings, "tiny/tags.dat": "not known"}))
    place = fetch(what, tmp_path / "data")
    assert sorted(p.name for p in place.iterdir()) == ["SHA256SUMS", "u.data"]
    (place / "SHA256SUMS").unlink()
    assert fetch(what, tmp_path / "data") == place  # what is known here is enough
