"""The way in: any source of ratings becomes Interactions. A file's reader is found by its name and its first lines."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

from heldout.catalogue import classes, make
from heldout.catalogue.component import from_call
from heldout.catalogue.text import Call
from heldout.data.columns import refuse_columns
from heldout.data.dialect import BOM, is_number, split_blanks
from heldout.data.file_patterns import files_of
from heldout.data.frames import is_column, is_frame, log_from_frame, not_a_table
from heldout.data.mixed_up_columns import look_like_times
from heldout.data.paths import is_folder, is_there, located, names_in
from heldout.data.reader import Reader
from heldout.data.readers.csv import Csv
from heldout.data.readers.fimi import Fimi, are_baskets, refuse_ragged
from heldout.data.readers.jsonl import Jsonl
from heldout.data.readers.parquet import Parquet
from heldout.data.readers.trec_qrels import TrecQrels, refuse_run
from heldout.data.sniffing import first_lines
from heldout.data.sources import COMPRESSIONS, plain_name, read_head
from heldout.errors import InputError, SpecError
from heldout.tables import Interactions, Keep, Log
from heldout.tables.log import merge_pairs

_CALL = re.compile(r"\s*([^\W\d][\w\-+]*)\s*(\(.*\))?\s*\Z", re.DOTALL)


def read(source: Any, *, duplicates: Keep = "error", **columns: Any) -> Interactions:
    """Ratings from a path, a pattern of many, a text form such as `movielens("ml-1m")`, a Reader or a frame.

    `duplicates` says what a repeated (user, item) pair becomes: the latest, the sum, the maximum, or an error. Sums
    and maxima carry the time of the pair's first row. Columns are found by their usual names unless named:
    `read("log.csv", user="who", item="what", value=None)`. Bad rows are errors;
    `on_bad_rows="skip"` leaves them out, and `read_log` tells how many there were.
    """
    if duplicates not in ("latest", "sum", "max", "error"):
        raise SpecError(where="duplicates", found=duplicates, expected="one of latest, sum, max, error")
    if isinstance(source, Interactions):
        return source
    log = read_log(source, **columns)
    taken, name = log.columns(), log.source
    del log  # large data need half the memory where nothing else holds the columns
    return merge_pairs(taken, name, duplicates)


def read_log(source: Any, **columns: Any) -> Log:
    """As `read`, before repeated pairs are made one: the rows as they were written, and the bad ones that were skipped."""
    if isinstance(source, str | Path | Reader):
        return reader_of(source, **columns).read()
    if is_frame(source):
        return log_from_frame(source, **columns)
    raise no_ratings(source)


def no_ratings(source: object) -> InputError:
    """The error for a value that is not a source of ratings."""
    if is_column(source):
        return not_a_table(source)
    parts = {"train", "test"} <= set(dir(source))
    return InputError(
        "cannot read ratings from this type",
        found=type(source).__name__,
        expected='a path, a text form such as movielens("ml-1m"), a reader, a frame, a dict, a matrix or arrays',
        hint="pass split.train or split.test" if parts else "",
    )


def reader_of(source: str | Path | Reader, **columns: Any) -> Reader:
    """The reader that a path, a text form or a reader means.

    A text is a path if such a file exists or it does not look like a reader's text form.
    """
    if isinstance(source, Reader):
        if set(columns) == {"on_bad_rows"}:
            return with_bad_rows(source, columns["on_bad_rows"])
        refuse_columns(columns, source)
        return source
    if isinstance(source, str) and not is_there(source) and is_text_form(source):
        return reader_of(cast(Reader, make("reader", source)), **columns)
    return reader_for(source, **columns)


def is_text_form(text: str) -> bool:
    """Whether a text looks like a reader's text form: a call, or the bare name of a reader."""
    match = _CALL.match(text)
    if match is None:
        return False
    names = {name.casefold() for cls in classes("reader") for name in (cls.key, *cls.aliases)}
    return bool(match.group(2)) or match.group(1).casefold() in names


def with_bad_rows(reader: Reader, on_bad_rows: str) -> Reader:
    """The reader that skips bad rows or not; SpecError when it has no rows that could be bad by themselves."""
    if not hasattr(reader, "on_bad_rows"):
        if on_bad_rows == "error":
            return reader
        raise SpecError(f"{reader.key} cannot skip bad rows", where="on_bad_rows", found=on_bad_rows, expected="error")
    return reader.replace(on_bad_rows=on_bad_rows)


def reader_for(path: str | Path, **columns: Any) -> Reader:
    """The reader for a file, a folder or a pattern; columns that the caller names go to the reader of text or Parquet."""
    text = str(path)
    bad_rows = {"on_bad_rows": columns.pop("on_bad_rows")} if "on_bad_rows" in columns else {}
    if is_folder(path):
        reader = _reader_of_folder(located(path))
        refuse_columns(columns, path)
    else:
        reader = _reader_of_file(files_of(path)[0], columns_named=bool(columns))
    return cast(Reader, from_call(reader, Call(reader.key, (text,), columns | bad_rows))[0])


def _readers() -> list[type[Reader]]:
    return [cast(type[Reader], cls) for cls in classes("reader")]


def _reader_of_folder(folder: Path) -> type[Reader]:
    inside = names_in(folder)[:6]
    for cls in classes("reader"):
        if any(
            all(_is_inside(folder, pattern) for pattern in patterns)
            for patterns in cast(type[Reader], cls).recognised_folders
        ):
            return cast(type[Reader], cls)
    raise InputError(
        "no reader recognises this folder",
        file=folder,
        found=inside,
        hint="name a file in it, or the folder that a published archive unpacks to (`heldout list readers`)",
    )


def _is_inside(folder: Path, pattern: str) -> bool:
    return any(True for suffix in ("", *COMPRESSIONS) for _ in folder.glob(pattern + suffix))


def _reader_of_file(file: Path, *, columns_named: bool) -> type[Reader]:
    name = plain_name(file)
    by_name = _declared(name, None)
    if columns_named:
        return by_name if by_name in (Parquet, Jsonl) else Csv
    if by_name not in (None, TrecQrels):
        return by_name
    lines = first_lines(read_head(file).removeprefix(BOM), 20)
    by_lines = Fimi if are_baskets(lines) else _declared(name, lines)
    if by_lines is not None:
        return by_lines
    refuse_run(lines, file)
    refuse_ragged(lines, file)
    return by_name or (TrecQrels if _is_qrels(lines, file) else Csv)


def _declared(name: str, lines: list[str] | None) -> type[Reader] | None:
    """The reader that declares this name and, if `lines` are given, how the file begins."""
    text = "\n".join(lines or ()).replace('"', "")
    for cls in _readers():
        for pattern, beginning in cls.recognised_files.items():
            if bool(beginning) == (lines is not None) and fnmatchcase(name.lower(), pattern) and re.match(beginning, text):
                return cls
    return None


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
