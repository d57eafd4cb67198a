"""JSON that knows its key and its bytes."""

from __future__ import annotations

import json
import os
from pathlib import Path

from heldout.sealed_json import read_sealed, sealed
from heldout.writing import write_text


def test_seals_are_json_and_know_their_key(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(sealed('{"a": [1, 2],\n "b": null}', "the key"))
    assert json.loads(path.read_text())["a"] == [1, 2]
    assert read_sealed(path) == ({"a": [1, 2], "b": None}, "the key")
    write_text(path, sealed(json.dumps({"path": os.fsdecode(b"\xff.csv")}, ensure_ascii=False), "k"))
    assert read_sealed(path) == ({"path": os.fsdecode(b"\xff.csv")}, "k")
