"""Numbers of a representative set of analyses, bit for bit, and an inventory of everything public.

`make golden` writes both anew. Refactoring changes neither; an intended change is a separate commit that gives the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    lines = list(changes(expected, actual))
    assert not lines, f"{len(lines)} differences from tests/golden/inventory.json:\n" + "\n".join(lines[:40])


def changes(expected: Any, actual: Any, place: str = "") -> Iterator[str]:
    """What was removed, added or changed between two inventories, a line each."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted({*expected, *actual}):
            inside = f"{place} > {key}" if place else key
            if key not in actual:
                yield f"{inside}: missing now"
            elif key not in expected:
                yield f"{inside}: new"
            else:
                yield from changes(expected[key], actual[key], inside)
    elif isinstance(expected, list) and isinstance(actual, list) and set(map(str, expected)) != set(map(str, actual)):
        yield from (f"{place} > {entry}: missing now" for entry in expected if entry not in actual)
        yield from (f"{place} > {entry}: new" for entry in actual if entry not in expected)
    elif expected != actual:
        yield f"{place}: expected {expected}, found {actual}"
