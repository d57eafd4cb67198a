"""Numbers of results as plain JSON, bit for bit, and a comparison of two such records.

A record maps section names to tables (column name -> list of cells) or to flat mappings (path -> cell). Floats are
written as hexadecimal text, so that they read back to the same bits; times and machine facts are left out.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

Cell = str | int | bool | None
Section = dict[str, Any]
Record = dict[str, Section]

RELATIVE = 1e-12
"""Largest relative difference on another type of CPU."""
ROUNDING = 1e-15
"""Largest difference there of numbers near 0, such as a sum of terms of size one that cancel."""
RELATIVE_SINGLE = 2.0**-20
"""Largest relative difference there of numbers in single precision, which have 24 bits."""
SINGLE = "single "
"""Begins a cell in single precision."""
COMPUTED = "digests of computed files"
"""Section of digests that depend on the last bits of numbers or on library versions: compared on one type of CPU only."""


def cell(value: Any) -> Cell:
    """A number, text or truth value as JSON that reads back to the same bits."""
    if isinstance(value, np.float32):
        return SINGLE + float(value).hex()
    if isinstance(value, (float, np.floating)):
        return "nan" if math.isnan(value) else float(value).hex()
    if isinstance(value, np.integer):
        return int(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    raise TypeError(f"a golden cell cannot hold {type(value).__name__}: {value!r}")


def table(frame: pl.DataFrame, *, without: Iterable[str] = ()) -> Section:
    """A frame as column name -> cells; sentences are named in `without`."""
    return {name: _column(frame[name]) for name in frame.columns if name not in set(without)}


def _column(column: pl.Series) -> Any:
    if column.dtype == pl.Float32:
        return _packed([cell(value) for value in column.to_numpy()])
    return _packed([[cell(v) for v in value] if isinstance(value, (list, pl.Series)) else cell(value) for value in column])


def numbers(value: Any, *, skip: Sequence[str] = ()) -> Section:
    """Every number and truth value inside a record, as path -> cells; texts are left out, and so are keys in `skip`.

    Entries of a list share a path: `pairs[].difference` holds the differences of all pairs in order.
    """
    section: Section = {}
    for path, number in _numbers("", value, frozenset(skip)):
        section.setdefault(path, []).append(number)
    return {path: _packed(cells) for path, cells in section.items()}


def _numbers(path: str, value: Any, skip: frozenset[str]) -> Iterator[tuple[str, Cell]]:
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in skip:
                yield from _numbers(f"{path}.{key}" if path else str(key), inner, skip)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _numbers(f"{path}[]", inner, skip)
    elif isinstance(value, (bool, int, float, np.integer, np.floating)):
        yield path, cell(value)


def _packed(cells: list[Any]) -> Any:
    """Cells as a list, or as runs `{"runs": [[cell, count], ...]}` if that is shorter."""
    runs: list[list[Any]] = []
    for value in cells:
        if runs and runs[-1][0] == value and type(runs[-1][0]) is type(value):
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    return {"runs": runs} if 2 * len(runs) < len(cells) else cells


def _unpacked(packed: Any) -> Any:
    if isinstance(packed, dict):
        return [value for value, count in packed["runs"] for _ in range(count)]
    return packed


def file_digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def content_digest(path: Path) -> str:
    """The SHA-256 of the rows of a Parquet file, whose bytes depend on the version of polars."""
    frame = pl.read_parquet(path)
    schema = f"Schema({list(frame.schema.items())})"  # Python 3.12 prints a schema as a dict
    return hashlib.sha256(f"({schema}, {frame.rows()})".encode()).hexdigest()


def differences(expected: Mapping[str, Any], actual: Mapping[str, Any], *, exact: bool) -> list[str]:
    """What differs between two records, a line each."""
    lines = [f"{name}: missing now" for name in expected if name not in actual]
    lines += [f"{name}: not in the golden record" for name in actual if name not in expected]
    for section in expected:
        if section in actual and (exact or section != COMPUTED):
            lines += _section_differences(section, expected[section], actual[section], exact=exact)
    return lines


def _section_differences(section: str, expected: Section, actual: Section, *, exact: bool) -> list[str]:
    expected, actual = ({key: _unpacked(cells) for key, cells in part.items()} for part in (expected, actual))
    lines = [f"{section}.{key}: missing now" for key in expected if key not in actual]
    lines += [f"{section}.{key}: not in the golden record" for key in actual if key not in expected]
    if lines and sorted(map(str, expected.values())) == sorted(map(str, actual.values())):
        lines.append(f"{section}: the numbers are the same under other names")
    for key in expected:
        if key in actual and not _same(expected[key], actual[key], exact=exact):
            lines.append(f"{section}.{key}: {_first_difference(expected[key], actual[key], exact=exact)}")
    return lines


def _same(expected: Any, actual: Any, *, exact: bool) -> bool:
    if expected == actual and type(expected) is type(actual):
        return True
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(_same(a, b, exact=exact) for a, b in zip(expected, actual, strict=True))
    return not exact and _near(expected, actual)


def _near(expected: Any, actual: Any) -> bool:
    """True if two cells are one number, but for rounding on another type of CPU."""
    single = str(expected).startswith(SINGLE) and str(actual).startswith(SINGLE)
    a, b = _float(expected), _float(actual)
    if a is None or b is None:
        return False
    size = max(abs(a), abs(b))
    if a == b or abs(a - b) <= (RELATIVE_SINGLE if single else RELATIVE) * size:
        return True
    if size < sys.float_info.min:  # numbers this small have few digits or are rounded to 0
        return True
    if size < 1e-100:  # the tail of a distribution multiplies a relative error of its statistic by ln p
        return min(a, b) > 0 and abs(math.log(a) - math.log(b)) <= RELATIVE * abs(math.log(b))
    return abs(a - b) <= ROUNDING


def _float(value: Any) -> float | None:
    number = value.removeprefix(SINGLE) if isinstance(value, str) else ""
    return float.fromhex(number) if number.lstrip("-").startswith(("0x", "inf")) else None


def _first_difference(expected: Any, actual: Any, *, exact: bool) -> str:
    if not isinstance(expected, list) or not isinstance(actual, list):
        return f"expected {_shown(expected)}, found {_shown(actual)}"
    if len(expected) != len(actual):
        return f"expected {len(expected)} rows, found {len(actual)}"
    rows = [k for k, (a, b) in enumerate(zip(expected, actual, strict=True)) if not _same(a, b, exact=exact)]
    first = rows[0]
    return (
        f"{len(rows)} of {len(expected)} rows differ; row {first}: "
        f"expected {_shown(expected[first])}, found {_shown(actual[first])}"
    )


def _shown(value: Any) -> str:
    number = _float(value)
    return repr(value) if number is None else f"{number!r} ({value})"
