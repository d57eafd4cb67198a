"""Downloads, from a server on this machine."""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from heldout.catalogue.references import reference
from heldout.data.fetch import fetch
from heldout.data.published import PUBLISHED, Published, published
from heldout.data.read import read
from heldout.errors import InputError, UnknownNameError


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    folder = tmp_path / "served"
    folder.mkdir()
    with HTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as http:
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        yield folder, f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


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
    )


def test_an_archive_is_downloaded_checked_and_unpacked(tmp_path: Path, server: tuple[Path, str]) -> None:
    served, url = server
    content = archive({"tiny/u.data": "1\t2\t3\t4\n5\t6\t1\t7\n", "tiny/README": "terms"})
    (served / "tiny.zip").write_bytes(content)
    told: list[tuple[int, int]] = []
    place = fetch(tiny(content, url), tmp_path / "data", progress=lambda done, total: told.append((done, total)))
    assert place == tmp_path / "data" / "tiny"
    assert sorted(p.name for p in place.iterdir()) == ["README", "u.data"]
    assert told[-1] == (len(content), len(content))
    assert len(read(place)) == 2
    (served / "tiny.zip").unlink()
    assert fetch(tiny(content, url), tmp_path / "data") == place  # it is there already
    assert [p.name for p in (tmp_path / "data").iterdir()] == ["tiny"]


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


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_every_entry_has_a_checksum_terms_and_a_citation(name: str) -> None:
    what = PUBLISHED[name]
    kind, _, digest = what.checksum.partition(":")
    assert what.members or (kind, len(digest)) in (("md5", 32), ("sha256", 64))
    assert all(len(digest) == 64 for digest in what.members.values())
    assert len(what.licence) > 40 and reference(what.reference)
    assert "{}" in what.reader and what.url.startswith("http")
