"""Write the golden numbers and the inventory: `make golden`, or `python -m tests.golden CASE ...`."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.golden.cases import CASES, record_of
from tests.golden.inventory import inventory
from tests.golden.machine import machine

FOLDER = Path(__file__).parent


def as_text(record: dict[str, Any]) -> str:
    """A record as JSON with one column a line, so that a change shows where it is."""
    sections = []
    for name, section in record.items():
        lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in section.items()]
        body = ",\n".join(lines)
        sections.append(f"{json.dumps(name)}: {{\n{body}\n}}" if lines else f"{json.dumps(name)}: {{}}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def main(names: list[str]) -> None:
    """Write the named cases, or all of them with the machine and the inventory."""
    for name in names or [*CASES]:
        with tempfile.TemporaryDirectory() as folder:
            record = record_of(name, Path(folder))
        (FOLDER / f"{name}.json").write_text(as_text(record), encoding="utf-8")
    if not names:
        (FOLDER / "machine.json").write_text(json.dumps(machine(), indent=1) + "\n", encoding="utf-8")
        text = json.dumps(inventory(), indent=1, ensure_ascii=False, sort_keys=True)
        (FOLDER / "inventory.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
