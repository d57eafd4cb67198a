"""Ratings into files of usual formats, by the ending of the name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.dialect import BLANKS
from heldout.data.times import TwoUnits, in_one_unit, number_of_date
from heldout.errors import SpecError
from heldout.storage.files import write_file
from heldout.tables import Interactions
from heldout.tables.arrays import Int64
from heldout.tables.time_units import TimeUnit, coarsest

FORMATS = {
    ".parquet": "Parquet",
    ".csv": "CSV with a header",
    ".tsv": "the same with tabs",
    ".jsonl": "one JSON object a line",
    ".arrow": "Arrow (Feather)",
    ".inter": "RecBole's atomic file",
    ".qrels": "TREC judgements",
}
_FRACTION: dict[TimeUnit, str] = {"s": "", "ms": "%.3f", "us": "%.6f", "ns": "%.9f"}


def format_of(path: str | Path) -> str:
    """The ending that says how ratings are written; SpecError names those there are."""
    kind = Path(path).suffix.lower()
    if kind not in FORMATS:
        endings = ", ".join(FORMATS)
        raise SpecError("cannot write ratings in this format", where=str(path), found=kind, expected=f"one of {endings}")
    return kind


def write_ratings(data: Interactions, path: str | Path) -> Path:
    """Write user_id, item_id, rating and, where known, timestamp and utility; SpecError names the endings there are."""
    file, kind = Path(path), format_of(path)
    frame = data.to_polars().rename({"value": "rating"})
    if data.time is not None:
        frame = frame.with_columns(time=_timestamps(data.time, data.time_unit, kind)).rename({"time": "timestamp"})
    if kind == ".qrels":
        frame = _judgements(frame, file)
    return write_file(file, lambda temporary: _write(frame, temporary, kind), make_folder=True)


def _write(frame: pl.DataFrame, temporary: Path, kind: str) -> None:
    if kind == ".parquet":
        frame.write_parquet(temporary)
    elif kind == ".arrow":
        frame.write_ipc(temporary)
    elif kind == ".jsonl":
        frame.write_ndjson(temporary)
    elif kind == ".csv":
        write_delimited(frame, temporary, ",")
    elif kind == ".tsv":
        write_delimited(frame, temporary, "\t")
    elif kind == ".inter":
        tokens = {name for name, dtype in frame.schema.items() if name.endswith("_id") or dtype == pl.String}
        types = {name: "token" if name in tokens else "float" for name in frame.columns}
        write_delimited(frame.rename({name: f"{name}:{types[name]}" for name in frame.columns}), temporary, "\t")
    else:
        frame.write_csv(temporary, separator="\t", include_header=False, quote_style="never")


def write_delimited(frame: pl.DataFrame, temporary: Path, separator: str) -> None:
    """Write delimited text with a header that reads back as it is.

    Texts are quoted if they hold the separator, a quotation mark or a line break, or begin or end with a blank. Of a row
    with a line break, all fields are quoted: only then is it certain that no quotation mark was left open.
    """
    texts = [name for name in frame.columns if frame[name].dtype == pl.String]
    _refuse_nul(frame, texts)
    if not any(frame[name].str.contains(rf"^[{BLANKS}]|[{BLANKS}]$|[\r\n]").any() for name in texts):
        frame.write_csv(temporary, separator=separator)
        return
    broken = pl.any_horizontal(pl.col(texts).str.contains("\n", literal=True))
    special = rf'^[{BLANKS}]|[{BLANKS}]$|["\r\n{separator}]'
    fields = []
    for name in frame.columns:
        field = pl.col(name).cast(pl.String)
        quoted = pl.concat_str(pl.lit('"'), field.str.replace_all('"', '""', literal=True), pl.lit('"'))
        fields.append(pl.when(broken | field.str.contains(special)).then(quoted).otherwise(field).alias(name))
    frame.select(fields).write_csv(temporary, separator=separator, quote_style="never")


def _refuse_nul(frame: pl.DataFrame, texts: list[str]) -> None:
    for name in texts:
        nul = frame[name].filter(frame[name].str.contains("\0", literal=True))
        if len(nul):
            raise SpecError(
                "text files cannot contain ids with NUL characters", where=name, found=nul[0], hint="use .parquet"
            )


def not_trec(ids: pl.Series) -> pl.Series:
    """True for ids that TREC files cannot hold: blanks of any kind separate their fields, and nothing quotes them."""
    return ids.str.contains(r"^$|[\s\x00\x1C-\x1F\x{FEFF}]")


def _timestamps(time: Int64, unit: TimeUnit, kind: str) -> pl.Series:
    """Times so that a reader takes the same times from them.

    They are numbers of their unit, or datetimes if the format has such a type. Numbers that would be taken for another
    unit or for dates, such as milliseconds of 1970, are written as dates.
    """
    numbers, typed = pl.Series(time), kind in (".parquet", ".arrow")
    exact = number_of_date(numbers) is None and _same(in_one_unit(numbers), coarsest(time, unit))
    if exact and (unit == "s" or not typed):
        return numbers
    dates = (numbers * 1000).cast(pl.Datetime("ms")) if unit == "s" else numbers.cast(pl.Datetime(unit))
    return dates if typed else dates.dt.strftime(f"%Y-%m-%dT%H:%M:%S{_FRACTION[unit]}")


def _same(read: tuple[Int64, TimeUnit] | TwoUnits, written: tuple[Int64, TimeUnit]) -> bool:
    return not isinstance(read, TwoUnits) and read[1] == written[1] and np.array_equal(read[0], written[0])


def _judgements(frame: pl.DataFrame, file: Path) -> pl.DataFrame:
    """The columns of TREC judgements."""
    for name in ("user_id", "item_id"):
        if frame[name].dtype == pl.String and not_trec(frame[name]).any():
            blank = frame[name].filter(not_trec(frame[name]))[0]
            what = "TREC judgements cannot contain ids with blanks"
            raise SpecError(what, where=str(file), found=blank, hint="use .tsv")
    whole = ((frame["rating"] == frame["rating"].floor()) & (frame["rating"].abs() <= 2**53)).all()
    grade = pl.col("rating").cast(pl.Int64) if whole else pl.col("rating")
    return frame.select("user_id", pl.lit(0).alias("iteration"), "item_id", grade)
