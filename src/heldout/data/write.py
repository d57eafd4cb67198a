"""Ratings into files of usual formats, by the ending of the name."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from heldout.errors import InputError, SpecError
from heldout.tables import Interactions

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
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(frame, file, kind)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror or error})", file=file) from None
    return file


def _write(frame: pl.DataFrame, file: Path, kind: str) -> None:
    if kind == ".parquet":
        frame.write_parquet(file)
    elif kind == ".arrow":
        frame.write_ipc(file)
    elif kind == ".jsonl":
        frame.write_ndjson(file)
    elif kind == ".csv":
        frame.write_csv(file)
    elif kind == ".tsv":
        frame.write_csv(file, separator="\t")
    elif kind == ".inter":
        types = {"user_id": "token", "item_id": "token", "rating": "float", "timestamp": "float", "utility": "float"}
        frame.rename({name: f"{name}:{types[name]}" for name in frame.columns}).write_csv(file, separator="\t")
    else:
        whole = (frame["rating"] == frame["rating"].floor()).all()
        grade = pl.col("rating").cast(pl.Int64) if whole else pl.col("rating")
        judged = frame.select("user_id", pl.lit(0).alias("iteration"), "item_id", grade)
        if any(" " in str(i) or "\t" in str(i) for name in ("user_id", "item_id") for i in frame[name].head(10_000)):
            raise SpecError("ids with blanks cannot be written as TREC judgements", where=str(file), hint="use .tsv")
        judged.write_csv(file, separator="\t", include_header=False)
