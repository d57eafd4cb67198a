"""One JSON object a line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, LARGEST_EXACT, BadLine, BadRows, Table, log_of
from heldout.data.columns import AUTO, by_name
from heldout.data.file_patterns import digest_all, read_all
from heldout.data.lines import LineOrigin, text_lines
from heldout.data.reader import Reader
from heldout.errors import InputError
from heldout.tables import Log

_TWICE = "an object that has a key twice"
_OTHER = "not a JSON object"


class Jsonl(Reader):
    """Ratings as JSON lines: one object for each (user, item) pair, such as the Amazon and Yelp reviews.

    Assumes: UTF-8; keys are those of the object itself, not of one inside it; `auto` finds them by their usual names; a key
    that a line lacks is a missing value. Without a value every value is 1. Lines that are no object are errors unless
    `on_bad_rows=skip`.

    Example: the line `{"reviewerID": "a", "asin": "x", "overall": 5}` gives user a, item x, value 5.
    """

    key = "jsonl"
    aliases = ("ndjson", "json")
    recognised_files = {"*.jsonl": "", "*.ndjson": "", "*": r"\{.*\}(\n|$)"}

    path: str = param(REQUIRED, "the file, plain or compressed, or a pattern of many")
    user: str = param(AUTO, "the key of users")
    item: str = param(AUTO, "the key of items")
    value: str | None = param(AUTO, "the key of ratings or counts", also=("rating",))
    time: str | None = param(AUTO, "the key of times", also=("timestamp",))
    utility: str | None = param(AUTO, "the key of utilities, such as profits")
    time_format: str | None = param(None, "how dates are written, such as %d.%m.%Y or %Y%m%d; none: found out")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        return read_all(self.path, self._read)

    def _read(self, file: Path) -> Log:
        lines, broken = text_lines(file)
        objects = [_object(text) for text in lines["text"]]
        wrong = [
            BadLine(line, reason, f"this line is {reason}", found=text, expected="a JSON object")
            for (line, text), reason in zip(lines.iter_rows(), objects, strict=True)
            if isinstance(reason, str)
        ]
        broken = tuple(sorted((*broken, *wrong), key=lambda bad: bad.line))
        lines = lines.filter(~pl.col("line").is_in([bad.line for bad in wrong]))
        rows = [row for row in objects if not isinstance(row, str)]
        if not rows:
            raise InputError(file=file, found=0, expected="at least one JSON object")
        names = list(dict.fromkeys(name for keys in dict.fromkeys(map(tuple, rows)) for name in keys))
        wanted = {"user": self.user, "item": self.item, "value": self.value, "time": self.time, "utility": self.utility}
        places = by_name(names, wanted, ("user", "item"), file=file)
        labels = {role: names[k] for role, k in places.items()}
        columns = {
            role: _column([row.get(key) for row in rows], ids=role in ("user", "item")) for role, key in labels.items()
        }
        origin = LineOrigin(str(file), lines["line"].to_numpy())
        table = Table(columns=columns, labels=labels, origin=origin, header=tuple(names), broken=broken)
        return log_of(replace(table, time_format=self.time_format), self.on_bad_rows)

    def source_digest(self) -> str:
        return digest_all(self.path)


def _object(text: str) -> dict[str, object] | str:
    """The object of a line, or what the line is instead."""
    try:
        value = json.loads(text, object_pairs_hook=_with_distinct_keys)
        if "\\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        return "nested too deeply"
    except UnicodeEncodeError:
        return "not a text: it contains half of a character"
    except ValueError as error:
        return str(error) if str(error) == _TWICE else _OTHER
    return value if isinstance(value, dict) else _OTHER


def _with_distinct_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError(_TWICE)
    return row


def _is_exact(value: object) -> bool:
    """Whether something is a number that float64 holds as it is; others stay texts, which are checked later."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) < LARGEST_EXACT


def _column(values: list[object], *, ids: bool) -> pl.Series:
    """Whole numbers, numbers or, where a value is neither, texts; what is nested is no id, and a text that is no number."""
    if ids:
        values = [None if isinstance(v, dict | list | bool) else v for v in values]
    if all(v is None or (isinstance(v, int) and not isinstance(v, bool) and abs(v) < 2**63) for v in values):
        return pl.Series(values, dtype=pl.Int64)
    if not ids and all(v is None or _is_exact(v) for v in values):
        return pl.Series([None if v is None else float(v) for v in values], dtype=pl.Float64)  # type: ignore[arg-type]
    return pl.Series([None if v is None else v if isinstance(v, str) else json.dumps(v) for v in values], dtype=pl.String)
