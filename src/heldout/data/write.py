"""Ratings into files of usual formats, by the ending of the name."""

from __future__ import annotations

from pathlib import Path

import polars as pl

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
        frame.write_csv(temporary)
    elif kind == ".tsv":
        frame.write_csv(temporary, separator="\t")
    elif kind == ".inter":
        types = {"user_id": "token", "item_id": "token", "rating": "float", "timestamp": "float", "utility": "float"}
        frame.rename({name: f"{name}:{types[name]}" for name in frame.columns}).write_csv(temporary, separator="\t")
    else:
        frame.write_csv(temporary, separator="\t", include_header=False)


def _judgements(frame: pl.DataFrame, file: Path) -> pl.DataFrame:
    """The columns of TREC judgements."""
    for name in ("user_id", "item_id"):
        if frame[name].dtype == pl.String and frame[name].str.contains(r"\s").any():
            raise SpecError("ids with blanks cannot be written as TREC judgements", where=str(file), hint="use .tsv")
    whole = (frame["rating"] == frame["rating"].floor()).all()
    grade = pl.col("rating").cast(pl.Int64) if whole else pl.col("rating")
    return frame.select("user_id", pl.lit(0).alias("iteration"), "item_id", grade)
