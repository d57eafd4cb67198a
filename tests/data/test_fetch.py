"""Data sets are downloaded, checked against their digests, and unpacked."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.refusals import refused

from heldout import InputError, UnknownNameError, read
from heldout.catalogue.references import reference
from heldout.data.fetch import fetch
from heldout.data.published import PUBLISHED, Published, published
from heldout.errors import UNKNOWN


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


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
    with refused(InputError, file="README", found=sha256(b"other terms"), expected=sha256(b"terms"), hint="fetch it again"):
        fetch(tiny(content, url), tmp_path / "data")
    (place / "README").unlink()
    with refused(InputError, file="README", found=UNKNOWN, hint="fetch it again"):
        fetch(tiny(content, url), tmp_path / "data")
    (place / "SHA256SUMS").write_text("0\n")
    with refused(InputError, file="SHA256SUMS", line=1, found="0", expected="a digest"):
        fetch(tiny(content, url), tmp_path / "data")
    (place / "SHA256SUMS").unlink()
    with refused(InputError, file="tiny", expected="SHA256SUMS", hint="move it away"):
        fetch(tiny(content, url), tmp_path / "data")


def test_another_address_and_a_plain_file(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    (served / "retail.dat").write_text("1 2 3\n4 5\n")
    digest = sha256(b"1 2 3\n4 5\n")
    what = replace(PUBLISHED["retail"], checksum=f"sha256:{digest}", members={"retail.dat": digest})
    place = fetch(what, tmp_path, mirror=f"{url}/")
    assert len(read(what.reader.format(place))) == 5
    (place / "retail.dat").write_text("1 2 3\n")
    with refused(InputError, file="retail.dat", found=sha256(b"1 2 3\n"), expected=digest, hint="fetch it again"):
        fetch(what, tmp_path)


def test_a_changed_download_leaves_nothing_behind(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    content = archive({"tiny/u.data": "1\t2\t3\t4\n"})
    (served / "tiny.zip").write_bytes(content + b"x")
    with refused(InputError, file="tiny.zip", found=sha256(content + b"x"), expected=sha256(content)):
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
    for content, part in (
        (encrypted, {"hint": "another program"}),
        (strange, {"hint": "another program"}),
        (damaged, {"expected": "a zip archive"}),
        (whole[:200], {"expected": "a zip archive"}),
    ):
        (served / "tiny.zip").write_bytes(bytes(content))
        with refused(InputError, file="tiny.zip", **part):
            fetch(tiny(bytes(content), url), tmp_path / "data")
        assert list((tmp_path / "data").iterdir()) == []


def test_what_can_go_wrong(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    with refused(InputError, found="404 File not found", hint="try later"):
        fetch(tiny(b"", url), tmp_path / "data")
    with refused(InputError, hint="check the connection"):
        fetch(tiny(b"", "http://127.0.0.1:9"), tmp_path / "data")
    (served / "tiny.zip").write_bytes(b"no zip")
    with refused(InputError, file="tiny.zip", expected="a zip archive"):
        fetch(tiny(b"no zip", url), tmp_path / "data")
    evil = archive({"../evil.txt": "x"})
    (served / "tiny.zip").write_bytes(evil)
    with refused(InputError, found="../evil.txt", expected="paths inside the folder"):
        fetch(tiny(evil, url), tmp_path / "data")
    assert not (tmp_path / "evil.txt").exists()
    with refused(UnknownNameError, hint="did you mean ml-100k"):
        published("ml100k")


def test_an_archive_known_by_its_members_holds_no_others(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    ratings = "1\t2\t3\t4\n"
    members = {"u.data": hashlib.sha256(ratings.encode()).hexdigest()}
    what = replace(tiny(b"", url), checksum="", members=members, others=("tags.dat",))
    (served / "tiny.zip").write_bytes(archive({"tiny/u.data": ratings, "tiny/ratings.csv": "planted"}))
    with refused(InputError, found="tiny/ratings.csv", expected="files of the published archive only"):
        fetch(what, tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []
    (served / "tiny.zip").write_bytes(archive({"tiny/u.data": ratings, "tiny/tags.dat": "not known"}))
    place = fetch(what, tmp_path / "data")
    assert sorted(p.name for p in place.iterdir()) == ["SHA256SUMS", "u.data"]
    (place / "SHA256SUMS").unlink()
    assert fetch(what, tmp_path / "data") == place  # what is known here is enough


@pytest.mark.parametrize("name", ["ml-100k", "ml-1m", "lastfm-2k", "retail"])
def test_known_digests_are_those_of_the_published_files(name: str, real_data: Callable[[str], Path]) -> None:
    folder = real_data({"lastfm-2k": "lastfm-hetrec-2k", "retail": "fimi"}.get(name, name))
    for member, digest in PUBLISHED[name].members.items():
        assert hashlib.sha256((folder / member).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_every_entry_has_a_checksum_terms_and_a_citation(name: str) -> None:
    what = PUBLISHED[name]
    kind, _, digest = what.checksum.partition(":")
    assert what.members or (kind, len(digest)) in (("md5", 32), ("sha256", 64))
    assert all(len(digest) == 64 for digest in what.members.values())
    assert len(what.licence) > 40 and reference(what.reference)
    assert "{}" in what.reader and what.url.startswith("http")


def archive(members: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        for name, text in members.items():
            packed.writestr(name, text)
    return made.getvalue()


def tiny(content: bytes, url: str) -> Published:
    return replace(
        PUBLISHED["ml-100k"],
        name="tiny",
        url=f"{url}/tiny.zip",
        checksum=f"sha256:{hashlib.sha256(content).hexdigest()}",
        folder="tiny",
        members={},
    )
