"""JSON that knows its key and its bytes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.refusals import refused

from heldout.errors import ResultsError
from heldout.storage.files import write_text
from heldout.storage.sealed import digest_of_bytes, other_version, parts_key, read_sealed, sealed


def test_seals_are_json_and_know_their_key(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(sealed('{"a": [1, 2],\n "b": null}', "the key"))
    assert json.loads(path.read_text())["a"] == [1, 2]
    assert read_sealed(path) == ({"a": [1, 2], "b": None}, "the key")
    write_text(path, sealed(json.dumps({"path": os.fsdecode(b"\xff.csv")}, ensure_ascii=False), "k"))
    assert read_sealed(path) == ({"path": os.fsdecode(b"\xff.csv")}, "k")


def test_every_change_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    good = sealed('{"a": [1, 2]}', "k").encode()
    key, digest = b'"key": "k"', good.partition(b'"digest": "')[2][:32]
    changes = (
        good.replace(b"1, 2", b"1, 3"),
        good.replace(key, b'"key": "l"'),
        good.replace(digest, b"0" * 32),
        good.replace(key + b", ", b""),
        good[:-3],
        b"[1]",
        b"\xff",
        b"[" * 100_000,
    )
    for content in changes:
        assert content != good
        path.write_bytes(content)
        with refused(ResultsError, where=str(path), hint="do this"):
            read_sealed(path, "do this")


def test_a_missing_file_is_left_to_the_caller_and_an_unreadable_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_sealed(tmp_path / "no.json")
    with refused(ResultsError, where=str(tmp_path), hint="run the study again: what it kept is not computed anew"):
        read_sealed(tmp_path)
    error = other_version(tmp_path, KeyError("x"))
    assert error.where == str(tmp_path) and "KeyError('x')" in error.what


def test_keys_of_parts_and_digests_of_bytes() -> None:
    assert parts_key({"parts": {"a": 1, "b": 2}}) == parts_key({"parts": {"b": 2, "a": 1}, "seed": 3})
    assert parts_key({"parts": {"a": 1}}) != parts_key({"parts": {"a": 2}}) != parts_key({})
    assert digest_of_bytes(b"ab", b"c") != digest_of_bytes(b"a", b"bc") and len(digest_of_bytes()) == 32
