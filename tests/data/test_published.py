"""What is known of published data sets."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from heldout.catalogue.references import reference
from heldout.data.published import PUBLISHED


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
