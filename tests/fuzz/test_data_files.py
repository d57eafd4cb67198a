"""Data and run files from strangers: refused by a sentence, or read as an independent simple reading reads them."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.kit import Refused, damaged, entries, examples, outcome

import heldout as ho
from heldout.data.runs import read_run

Row = tuple[str, str, float]
HEADER = ("user", "item", "rating")


def as_delimited(rows: Sequence[Row], separator: str = ",", header: Sequence[str] | None = HEADER) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerows([*([header] if header else []), *((u, i, repr(v)) for u, i, v in rows)])
    return text.getvalue().encode()


def as_json_lines(rows: Sequence[Row]) -> bytes:
    return "".join(json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in rows).encode()


def as_frame(rows: Sequence[Row], kind: str) -> bytes:
    frame = pl.DataFrame([list(column) for column in zip(*rows, strict=True)], schema=list(HEADER))
    held = io.BytesIO()
    frame.write_parquet(held) if kind == "parquet" else frame.write_ipc(held)
    return held.getvalue()


WRITERS: dict[str, Callable[[Sequence[Row]], bytes]] = {
    "r.csv": as_delimited,
    "r.tsv": lambda rows: as_delimited(rows, "\t"),
    "r.txt": lambda rows: as_delimited(rows, ";"),
    "r.jsonl": as_json_lines,
    "r.parquet": lambda rows: as_frame(rows, "parquet"),
    "r.arrow": lambda rows: as_frame(rows, "arrow"),
    "r.inter": lambda rows: as_delimited(rows, "\t", ("user_id:token", "item_id:token", "rating:float")),
    "r.csv.gz": lambda rows: gzip.compress(as_delimited(rows)),
    "r.csv.xz": lambda rows: lzma.compress(as_delimited(rows)),
    "r.csv.bz2": lambda rows: bz2.compress(as_delimited(rows)),
    "r.csv.zst": lambda rows: zstandard.ZstdCompressor().compress(as_delimited(rows)),
}
TAME: list[Row] = [(f"u{u}", f"i{i}", 1.0 + u * i % 5) for u in range(1, 7) for i in range(1, 6) if (u + i) % 4]

ids = st.one_of(
    st.integers(0, 10**6).map(str),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8).filter(
        lambda t: t.strip() == t and t != ""
    ),
    st.sampled_from(
        [
            "007",
            "1.0",
            "nan",
            "None",
            "u,1",
            'a"b',
            "u;1",
            "a: b",
            "fold 1: x",
            "=1+1",
            "[red]",
            ":x:",
            "\u202eabc",
            "#",
            "-",
        ]
    ),
)
tables = st.lists(
    st.tuples(ids, ids, st.sampled_from([1.0, 2.0, 3.5, 5.0, -1.0, 0.1])), min_size=4, max_size=12, unique_by=lambda r: r[:2]
)


def reading(path: Path) -> list[Row]:
    log = ho.read_log(path)
    return [(str(u), str(i), float(v)) for u, i, v in zip(log.user_id, log.item_id, log.value, strict=True)]


def read_as(name: str, content: bytes, read: Callable[[Path], list[Row]] = reading) -> list[Row] | Refused:
    """What is read from a file of this name, and nothing is left beside it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        rows = outcome(f"files {path.suffix}", lambda: read(path))
        assert entries(Path(folder)) == {name}
        return rows


@pytest.mark.parametrize("name", WRITERS)
def test_tame_files_are_read(name: str) -> None:
    assert read_as(name, WRITERS[name](TAME)) == TAME


@examples(150)
@given(st.sampled_from(sorted(WRITERS)), tables)
def test_what_was_written_is_read_or_refused(name: str, rows: list[Row]) -> None:
    found = read_as(name, WRITERS[name](rows))
    assert isinstance(found, Refused) or found == rows


CR = "\ue000"
"""Stands for a lone carriage return, which the csv module takes for the end of a line and we for a character."""


def simple_csv(content: bytes) -> list[Row] | None:
    """The rows of a file whose header is intact, by the csv module alone; None where it is no such file."""
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8").replace("\r\n", "\n").replace("\r", CR)
        limit = csv.field_size_limit(10**6)
        try:
            lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        finally:
            csv.field_size_limit(limit)
        # A line of nothing but blanks holds no row, whatever Unicode calls a blank: also the separators of U+001C to U+001F.
        lines = [line for line in lines if any(field.replace(CR, " ").strip() for field in line)]
        if not lines or tuple(lines[0]) != HEADER or any(len(line) != 3 for line in lines):
            return None
        rows = [(u.replace(CR, "\r"), i.replace(CR, "\r"), float(v.replace(CR, " "))) for u, i, v in lines[1:]]
    except (UnicodeDecodeError, csv.Error, ValueError):
        return None
    return rows if all(u and i and math.isfinite(v) for u, i, v in rows) else None


def alike(found: list[Row], simple: list[Row]) -> bool:
    """Whether two readings are of the same rows; blanks around ids may be left out."""
    return [(u.strip(), i.strip(), v) for u, i, v in found] == [(u.strip(), i.strip(), v) for u, i, v in simple]


@examples(250)
@given(damaged(as_delimited(TAME)))
@example(as_delimited(TAME) + b"\x1f")
def test_damaged_csv_is_read_as_it_stands_or_refused(content: bytes) -> None:
    found = read_as("r.csv", content)
    if isinstance(found, Refused):
        return
    simple = simple_csv(content)
    if simple is None:
        assert not content.removeprefix(b"\xef\xbb\xbf").startswith(b"user,item,rating\n"), "the csv module refuses it"
    else:
        assert alike(found, simple)


@examples(120)
@given(
    st.sampled_from([n for n in WRITERS if n != "r.csv"]).flatmap(lambda n: st.tuples(st.just(n), damaged(WRITERS[n](TAME))))
)
def test_damaged_files_of_other_formats(case: tuple[str, bytes]) -> None:
    """Compressed files hold checksums; the others hold rows of which none may come from nowhere."""
    name, content = case
    found = read_as(name, content)
    if isinstance(found, Refused):
        return
    if name.endswith((".gz", ".xz", ".bz2")):
        assert found == TAME[: len(found)]
    assert all(math.isfinite(v) for _, _, v in found)


RUN = b"".join(b"u%d Q0 i%d %d %.2f tag\n" % (u, i, i, 9.0 - i) for u in range(1, 5) for i in range(1, 6))


def run_rows(path: Path) -> list[Row]:
    run = read_run(path)
    return [(str(u), str(i), float(v)) for u, i, v in zip(run.user_id, run.item_id, run.score, strict=True)]


def simple_run(content: bytes) -> list[Row] | None:
    try:
        texts = [line.strip(" \t\r") for line in content.removeprefix(b"\xef\xbb\xbf").decode("utf-8").split("\n")]
        lines = [re.split(r"[ \t]+", line) for line in texts if line]
        rows = [(u, i, float(score)) for u, _, i, _, score, _ in lines]
    except (UnicodeDecodeError, ValueError):
        return None
    return rows if all(math.isfinite(v) for _, _, v in rows) else None


@examples(150)
@given(damaged(RUN))
def test_damaged_run_files(content: bytes) -> None:
    found = read_as("r.run", content, run_rows)
    simple = simple_run(content)
    if not isinstance(found, Refused) and simple is not None:
        assert alike(found, simple)


@examples(60)
@given(st.binary(max_size=400), st.sampled_from([*WRITERS, "r.zip", "r.qrels", "r.run", "r"]))
def test_random_bytes(content: bytes, name: str) -> None:
    read_as(name, content)
    if not name.endswith((".inter", ".zip")):
        read_as(name, content, run_rows)
