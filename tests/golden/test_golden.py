"""Numbers of a representative set of analyses, bit for bit, and an inventory of everything public.

`make golden` writes both anew. Refactoring changes neither; an intended change is a separate commit that gives the reason.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.golden.cases import CASES, record_of
from tests.golden.inventory import inventory
from tests.golden.machine import machine
from tests.golden.numbers import differences

FOLDER = Path(__file__).parent


def test_every_record_has_a_case() -> None:
    records = {path.stem for path in FOLDER.glob("*.json")}
    assert records == {*CASES, "machine", "inventory"}


@pytest.mark.parametrize("name", CASES)
def test_numbers(name: str, tmp_path: Path) -> None:
    expected = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    recorded = json.loads((FOLDER / "machine.json").read_text(encoding="utf-8"))
    lines = differences(expected, record_of(name, tmp_path), exact=recorded == machine())
    assert not lines, f"{len(lines)} differences from tests/golden/{name}.json:\n" + "\n".join(lines[:40])


def test_inventory() -> None:
    expected = json.loads((FOLDER / "inventory.json").read_text(encoding="utf-8"))
    actual = json.loads(json.dumps(inventory()))
    lines = [f"{part}: missing now: {key}" for part in expected for key in expected[part] if key not in actual.get(part, {})]
    lines += [f"{part}: new: {key}" for part in actual for key in actual[part] if key not in expected.get(part, {})]
    lines += [
        f"{part}.{key}: expected {expected[part][key]}, found {actual[part][key]}"
        for part in expected
        for key in expected[part]
        if key in actual.get(part, {}) and expected[part][key] != actual[part][key]
    ]
    assert not lines, f"{len(lines)} differences from tests/golden/inventory.json:\n" + "\n".join(lines[:40])
