"""Downloads, from a server on this machine."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from tests.data.archives import archive, tiny

from heldout import read
from heldout.data.fetch import fetch
from heldout.data.published import PUBLISHED, published
from heldout.errors import InputError, UnknownNameError


def test_an_archive_is_downloaded_checked_and_unpacked(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    content = archive({"tiny/u.data": "1\t2\t3\t4\n5\t6\t1\t7\n", "tiny/README": "terms"})
    (served / "tiny.zip").write_bytes(content)
    told: list[tuple[int, int]] = []
    place = fetch(tiny(content, url), tmp_path / "data", progress=lambda done, total: told.append((done, total)))
    assert place == tmp_path / "data" / "tiny"
    assert sorted(p.name for p in place.iterdir()) == ["README", "SHA256SUMS", "u.data"]
    assert told[-1] == (len(content), len(content))
    assert len(read(place)) == 2
    (served / "tiny.zip").unlink()
    assert fetch(tiny(content, url), tmp_path / "data") == place  # it is there already
    assert [p.name for p in (tmp_path / "data").iterdir()] == ["tiny"]
    (place / "README").write_text("other terms")
    with pytest.raises(InputError, match=r"README: sha256 is .*, expected .*delete the folder and fetch it again"):
        fetch(tiny(content, url), tmp_path / "data")
    (place / "README").unlink()
    with pytest.raises(InputError, match="README is missing"):
        fetch(tiny(content, url), tmp_path / "data")
    (place / "SHA256SUMS").write_text("0\n")
    with pytest.raises(InputError, match="SHA256SUMS, line 1: this line is no digest and name"):
        fetch(tiny(content, url), tmp_path / "data")
    (place / "SHA256SUMS").unlink()
    with pytest.raises(InputError, match="this folder cannot be checked: it has no SHA256SUMS"):
        fetch(tiny(content, url), tmp_path / "data")


def test_another_address_and_a_plain_file(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    (served / "retail.dat").write_text("1 2 3\n4 5\n")
    digest = hashlib.sha256(b"1 2 3\n4 5\n").hexdigest()
    what = replace(PUBLISHED["retail"], checksum=f"sha256:{digest}", members={"retail.dat": digest})
    place = fetch(what, tmp_path, mirror=f"{url}/")
    assert len(read(what.reader.format(place))) == 5
    (place / "retail.dat").write_text("1 2 3\n")
    with pytest.raises(InputError, match=r"sha256 is .*, expected .*delete the folder and fetch it again"):
        fetch(what, tmp_path)


def test_a_changed_download_leaves_nothing_behind(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    content = archive({"tiny/u.data": "1\t2\t3\t4\n"})
    (served / "tiny.zip").write_bytes(content + b"x")
    with pytest.raises(InputError, match=r"tiny\.zip: the download has sha256 .*, expected .*it was deleted"):
        fetch(tiny(content, url), tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []


def test_encrypted_and_damaged_archives(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    whole = archive({"tiny/u.data": "1\t2\t3\t4\n" * 1000})
    encrypted = bytearray(whole)
    encrypted[6] |= 1
    encrypted[whole.index(b"PK\x01\x02") + 8] |= 1
    strange = bytearray(whole)
    strange[8] = strange[whole.index(b"PK\x01\x02") + 10] = 99
    damaged = bytearray(whole)
    damaged[60] ^= 255
    for content, message in (
        (encrypted, "encrypted"),
        (strange, "compression"),
        (damaged, "CRC"),
        (whole[:200], "zip file"),
    ):
        (served / "tiny.zip").write_bytes(bytes(content))
        with pytest.raises(InputError, match=message):
            fetch(tiny(bytes(content), url), tmp_path / "data")
        assert list((tmp_path / "data").iterdir()) == []


def test_what_can_go_wrong(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    with pytest.raises(InputError, match="the server answers 404"):
        fetch(tiny(b"", url), tmp_path / "data")
    with pytest.raises(InputError, match="cannot be downloaded"):
        fetch(tiny(b"", "http://127.0.0.1:9"), tmp_path / "data")
    (served / "tiny.zip").write_bytes(b"no zip")
    with pytest.raises(InputError, match="this is no zip archive"):
        fetch(tiny(b"no zip", url), tmp_path / "data")
    evil = archive({"../evil.txt": "x"})
    (served / "tiny.zip").write_bytes(evil)
    with pytest.raises(InputError, match="unsafe path"):
        fetch(tiny(evil, url), tmp_path / "data")
    assert not (tmp_path / "evil.txt").exists()
    with pytest.raises(UnknownNameError, match="did you mean ml-100k"):
        published("ml100k")
