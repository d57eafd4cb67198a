"""Which reader a file is for, by its name and its first lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from heldout.catalogue import classes
from heldout.catalogue.component import from_call
from heldout.catalogue.text import Call
from heldout.data.columns import refuse_columns
from heldout.data.dialect import first_lines
from heldout.data.file_patterns import files_of
from heldout.data.index_column import look_like_times
from heldout.data.parquet import SUFFIXES
from heldout.data.paths import is_folder, located, names_in
from heldout.data.reader import Reader
from heldout.data.readers.csv import Csv
from heldout.data.readers.fimi import refuse_ragged
from heldout.data.readers.jsonl import Jsonl
from heldout.data.readers.parquet import Parquet
from heldout.data.readers.trec_qrels import TrecQrels, refuse_run
from heldout.data.separator import is_number, split_blanks
from heldout.data.sources import plain_name, read_head
from heldout.errors import InputError

_QRELS = (".qrel", ".qrels")
_JSON = (".jsonl", ".ndjson")


def reader_for(path: str | Path, **columns: Any) -> Reader:
    """The reader for a file, a folder or a pattern; columns that the caller names go to the reader of text or Parquet."""
    text = str(path)
    bad_rows = {"on_bad_rows": columns.pop("on_bad_rows")} if "on_bad_rows" in columns else {}
    if is_folder(path):
        return _folder(located(path), text, columns, bad_rows)
    first_file = files_of(path)[0]
    name = plain_name(first_file)
    suffix = Path(name).suffix.lower()
    if suffix in SUFFIXES:
        return _with(Parquet, text, columns | bad_rows)
    if suffix in _JSON:
        return _with(Jsonl, text, columns | bad_rows)
    if columns:
        return _with(Csv, text, columns | bad_rows)
    lines = first_lines(read_head(first_file).removeprefix(b"\xef\xbb\xbf"), 20)
    reader = _recognised(first_file, lines)
    if reader is not None:
        return _with(reader, text, bad_rows)
    refuse_run(lines, first_file)
    refuse_ragged(lines, first_file)
    if suffix in _QRELS or _is_qrels(lines, first_file):
        return _with(TrecQrels, text, bad_rows)
    return _with(Csv, text, bad_rows)


def _folder(folder: Path, text: str, columns: dict[str, Any], bad_rows: dict[str, Any]) -> Reader:
    inside = names_in(folder)[:6]
    reader = _recognised(folder, [])
    refuse_columns(columns, folder)
    if reader is not None:
        return _with(reader, text, bad_rows)
    raise InputError(
        "no reader recognises this folder",
        file=folder,
        found=inside,
        hint="name a file in it, or the folder that a published archive unpacks to (`heldout list readers`)",
    )


def _recognised(path: Path, lines: list[str]) -> type[Reader] | None:
    readers = (cast(type[Reader], cls) for cls in classes("reader"))
    return next((cls for cls in readers if cls.recognises(path, lines)), None)


def _with(cls: type[Reader], path: str, columns: dict[str, Any]) -> Reader:
    """The reader with columns that the caller names; UnknownNameError when it has no such parameter."""
    return cast(Reader, from_call(cls, Call(cls.key, (path,), columns))[0])


def _is_qrels(lines: list[str], file: Path) -> bool:
    """Whether the first lines are `user 0 item grade`, also with a time; InputError if a fifth column may be a score."""
    rows = [split_blanks(line) for line in lines]
    widths = {len(row) for row in rows}
    if widths not in ({4}, {5}) or not all(row[1] in ("0", "Q0") and is_number(row[3]) for row in rows):
        return False
    if all(row[1] == "0" for row in rows) and look_like_times([row[3] for row in rows]):
        return False  # ratings and times of one item
    if widths == {5} and not look_like_times([row[4] for row in rows]):
        raise InputError(
            "these may be judgements (user Q0 item grade, and a fifth column) or a run without a tag (user Q0 item rank "
            "score)",
            file=file,
            line=1,
            found=lines[0],
            hint=f'pass trec_qrels("{file}") if they are judgements; a run has a tag as sixth column',
        )
    return True
