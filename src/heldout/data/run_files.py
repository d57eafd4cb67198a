"""Writing runs in the formats that other tools read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.runs import RunFrame
from heldout.data.write import not_trec, write_delimited
from heldout.errors import SpecError
from heldout.tables.arrays import Float64, Floats
from heldout.writing import write_file

FORMATS = {".parquet": "Parquet", ".csv": "CSV", ".tsv": "TSV", ".txt": "TREC", ".run": "TREC", ".trec": "TREC"}
"""Name endings, and what is written under them."""


def format_of(path: str | Path) -> str:
    """The format that a file's name asks for; SpecError when it asks for none."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        found, endings = suffix or Path(path).name, ", ".join(FORMATS)
        raise SpecError("cannot write a run in this format", where=str(path), found=found, expected=f"one of {endings}")
    return FORMATS[suffix]


def frame_of(run: RunFrame) -> pl.DataFrame:
    """Columns user_id, item_id, rank and score of a run whose rows stand by user, best item first."""
    new = np.ones(len(run), bool)
    if len(run):
        new[1:] = (run.user_id[1:] != run.user_id[:-1]).to_numpy()
    first = np.flatnonzero(new)
    rank = np.arange(len(run)) - np.repeat(first, np.diff(np.append(first, len(run)))) + 1
    return pl.DataFrame(
        {
            "user_id": run.user_id,
            "item_id": run.item_id,
            "rank": pl.Series(rank.astype(np.int32)),
            "score": pl.Series(_shortest(run.score)),
        }
    )


def _shortest(score: Float64) -> Floats:
    """Scores as float32 where all of them are such numbers, so that text shows no digits that the model did not give."""
    with np.errstate(over="ignore"):
        single = score.astype(np.float32)
    return single if np.array_equal(single, score) else score


def write_run(run: RunFrame, path: str | Path, *, tag: str = "heldout") -> None:
    """Write a run whose rows stand by user, best item first; afterwards the file is there whole, or not at all.

    Columns of Parquet, CSV and TSV are user_id, item_id, rank and score; TREC lines are `user Q0 item rank score tag`.
    """
    kind, frame = format_of(path), frame_of(run)
    if kind == "TREC":
        _refuse_spaces(frame, path)
        name = "_".join(tag.split()) or "heldout"
        frame = frame.select("user_id", pl.lit("Q0").alias("q"), "item_id", "rank", "score", pl.lit(name).alias("tag"))
    write_file(path, lambda temporary: _write(frame, temporary, kind))


def _write(frame: pl.DataFrame, temporary: Path, kind: str) -> None:
    if kind == "Parquet":
        frame.write_parquet(temporary, compression="zstd")
    elif kind == "TREC":
        frame.write_csv(temporary, include_header=False, separator=" ", quote_style="never")
    else:
        write_delimited(frame, temporary, "\t" if kind == "TSV" else ",")


def _refuse_spaces(frame: pl.DataFrame, path: str | Path) -> None:
    for column in ("user_id", "item_id"):
        if frame[column].dtype == pl.String:
            spaced = frame.filter(not_trec(frame[column]))
            if spaced.height:
                raise SpecError(
                    "TREC runs cannot contain ids with spaces",
                    where=str(path),
                    found=spaced[column][0],
                    hint="write .csv or .parquet",
                )
