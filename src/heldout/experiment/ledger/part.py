"""A part of the results: a Parquet file that holds its own key and the digest of all its bytes.

Both are in the file's own metadata, so that other programs read it as any Parquet file. The digest is of the file with
zeros in its place. It is checked before anything else is read: damaged bytes never reach a Parquet reader. A part of scores
is one system on one fold, a row for each protocol and user.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout import __version__
from heldout.data.parquet_check import refuse_damaged
from heldout.storage.codec import from_plain, to_plain
from heldout.storage.deferred import Deferred
from heldout.storage.results_files import ChangedPartError
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.arrays import frozen
from heldout.tables.cell_scores import CellScores, Pictured, Points
from heldout.tables.scores import is_count

_HEADER, _SEAL = "heldout", "heldout.seal"
_UNSEALED = "0" * 32
_MARK = _SEAL.encode() + b"\x18\x20"
"""How the metadata of Parquet has a text of 32 characters under that name: the name, the text's type, its length."""


def write_part(
    frame: pl.DataFrame, temporary: Path, key: str, header: dict[str, Any], *, compression_level: int | None = None
) -> None:
    """Write a frame with its key and a header of plain values, and seal the file."""
    text = json.dumps({**header, "key": key}, ensure_ascii=False, separators=(",", ":"))
    metadata = {_HEADER: text, _SEAL: _UNSEALED}
    frame.write_parquet(
        temporary, compression="zstd", compression_level=compression_level, statistics=False, metadata=metadata
    )
    with temporary.open("r+b") as stream, mmap.mmap(stream.fileno(), 0) as content:
        at = _place(content)
        content[at : at + 32] = _digest(content, at)


def read_header(path: Path, key: str) -> dict[str, Any]:
    """The header of a part; ChangedPartError where a byte of the file was changed, or its key is another."""
    with path.open("rb") as stream:
        if not stream.read(1):
            raise ChangedPartError("it is empty")
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            at = _place(content)
            if content[at : at + 32] != _digest(content, at):
                raise ChangedPartError("its digest is another")
    refuse_damaged(path)  # a damaged file may carry a recomputed digest
    header: dict[str, Any] = json.loads(pl.read_parquet_metadata(path)[_HEADER])
    if header["key"] != key:
        system = header.get("about", {}).get("system")
        raise ChangedPartError(f"it is the part {header['key']}{f' of {system}' if system else ''}, under another name")
    return header


def _place(content: mmap.mmap) -> int:
    at = content.rfind(_MARK)
    if at < 0 or at + len(_MARK) + 32 > len(content):
        raise ChangedPartError("it is cut off, or another program's")
    return at + len(_MARK)


def _digest(content: mmap.mmap, at: int) -> bytes:
    state = hashlib.sha256()
    with memoryview(content) as view, view[:at] as before, view[at + 32 :] as after:
        for piece in (before, _UNSEALED.encode(), after):
            state.update(piece)
    return state.hexdigest()[:32].encode()


_PROTOCOL = [f.name for f in fields(ProtocolKey)]
_BESIDE = {"system", "fold", "user_id", "length", "computed", "lists", *_PROTOCOL}


Curves = Callable[[Path], tuple[Points, ...]]


def write_scores(part: CellScores, temporary: Path, key: str) -> None:
    """Write a part; the file tells what the curves beside it must be, if there are any."""
    frame = pl.concat([s.to_polars(part.users) for s in part.scores], how="diagonal")
    first = part.scores[0]
    about: dict[str, Any] = {"system": first.system, "fold": first.fold, "heldout": __version__}
    if part.curves:
        about["curves"] = _digest_of_text(curves_text(part))
    if part.pictured.value != Pictured():
        about["pictured"] = to_plain(part.pictured.value)
    write_part(frame, temporary, key, {"about": about})


def read_scores(path: Path, key: str) -> tuple[CellScores, Curves | None]:
    """A part without its curves, and how to read these where it has any; ChangedPartError where a byte has changed."""
    about = read_header(path, key)["about"]
    part = part_of(pl.read_parquet(path))
    if "pictured" in about:
        part = replace(part, pictured=Deferred.known(from_plain(Pictured, about["pictured"])))
    return part, partial(_read_curves, about["curves"]) if "curves" in about else None


def curves_text(part: CellScores) -> str:
    """The curves of a part, as they are written beside it."""
    return json.dumps(to_plain(part.curves), ensure_ascii=False) + "\n"


def _read_curves(sha256: str, path: Path) -> tuple[Points, ...]:
    text = path.read_text(encoding="utf-8")
    if _digest_of_text(text) != sha256:
        raise ChangedPartError("it does not hold what was written")
    return tuple(from_plain(Points, record) for record in json.loads(text))


def _digest_of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def part_of(frame: pl.DataFrame) -> CellScores:
    """Scores from the rows of a part."""
    users = Vocabulary.of(frame["user_id"])
    counts = [c for c in frame.columns if is_count(c)]
    metrics = tuple(c for c in frame.columns if c not in _BESIDE and c not in counts)
    scores = []
    for keys, rows in frame.group_by(["system", "fold", *_PROTOCOL], maintain_order=True):
        system, fold, *choices = keys
        measured = tuple(m for m in metrics if rows[m].null_count() < len(rows) or not len(rows))
        scores.append(
            Scores(
                system=str(system),
                protocol=ProtocolKey(**dict(zip(_PROTOCOL, map(str, choices), strict=True))),
                fold=int(fold),
                users=frozen(users.encode(rows["user_id"]), np.int32),
                metrics=measured,
                values=frozen(np.column_stack([rows[m].to_numpy() for m in measured]), np.float64),
                length=frozen(rows["length"].to_numpy(), np.float64),
                computed=frozen(rows["computed"].to_numpy(), np.float64),
                lists=frozen(rows["lists"].to_numpy(), np.int32),
                counts={name: frozen(rows[name].to_numpy(), np.float64) for name in counts if rows[name].null_count() == 0},
            )
        )
    return CellScores(tuple(scores), users)
