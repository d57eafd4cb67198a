"""A part of the results: a Parquet file that holds its own key and the digest of all its bytes.

Both stand in the file's own metadata, so that other programs read it as any Parquet file. The digest is of the file with
zeros in its place. It is checked before anything else is read: damaged bytes never reach a Parquet reader.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from pathlib import Path
from typing import Any

import polars as pl

from heldout.data.parquet_check import refuse_damaged
from heldout.storage.results_files import ChangedPartError

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
