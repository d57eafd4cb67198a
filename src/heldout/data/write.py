"""Ratings into files of usual formats, by the ending of the name."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from heldout.data.separator import BLANKS
from heldout.errors import SpecError
from heldout.tables import Interactions
from heldout.writing import write_file

FORMATS = {
    ".parquet": "Parquet",
    ".csv": "CSV with a header",
    ".tsv": "the same with tabs",
    ".jsonl": "one JSON object a line",
    ".arrow": "Arrow (Feather)",
    ".inter": "RecBole's atomic file",
    ".qrels": "TREC judgements",
}


def format_of(path: str | Path) -> str:
    """The ending that says how ratings are written; SpecError names those there are."""
    kind = Path(path).suffix.lower()
    if kind not in FORMATS:
        raise SpecError(f"cannot write ratings as '{kind}'", where=str(path), hint=f"use {', '.join(FORMATS)}")
    return kind


def write_ratings(data: Interactions, path: str | Path) -> Path:
    """Write user_id, item_id, rating and, where known, timestamp and utility; SpecError names the endings there are."""
    file, kind = Path(path), format_of(path)
    frame = data.to_polars().rename({"value": "rating", **({"time": "timestamp"} if data.time is not None else {})})
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
        types = {"user_id": "token", "item_id": "token", "rating": "float", "timestamp": "float", "utility": "float"}
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
        if frame[name].str.contains("\0", literal=True).any():
            raise SpecError("an id with a NUL character cannot be written as text", where=name, hint="use .parquet")


def not_trec(ids: pl.Series) -> pl.Series:
    """True for ids that TREC files cannot hold: blanks of any kind separate their fields, and nothing quotes them."""
    return ids.str.contains(r"^$|[\s\x00\x1C-\x1F\x{FEFF}]")


def _judgements(frame: pl.DataFrame, file: Path) -> pl.DataFrame:
    """The columns of TREC judgements."""
    for name in ("user_id", "item_id"):
        if frame[name].dtype == pl.String and not_trec(frame[name]).any():
            raise SpecError("ids with blanks cannot be written as TREC judgements", where=str(file), hint="use .tsv")
    whole = ((frame["rating"] == frame["rating"].floor()) & (frame["rating"].abs() <= 2**53)).all()
    grade = pl.col("rating").cast(pl.Int64) if whole else pl.col("rating")
    return frame.select("user_id", pl.lit(0).alias("iteration"), "item_id", grade)
