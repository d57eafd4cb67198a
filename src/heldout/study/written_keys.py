"""Which keys of a study somebody wrote, as opposed to those left to their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TABLES = ("compare", "multiverse", "meta")
"""Keys that hold a table whose own keys are listed one by one."""


def written_keys(keys: Mapping[str, Any]) -> list[str]:
    """The keys that are written, sorted, those of tables as `compare.level`; a list of tests is `compare.tests`."""
    written = {key for key, value in keys.items() if value is not None and key not in TABLES}
    for table in TABLES:
        value = keys.get(table)
        if isinstance(value, Mapping):
            written |= {f"{table}.{key}" for key, inner in value.items() if inner is not None}
        elif value is not None:
            written.add(f"{table}.tests")
    return sorted(written)
