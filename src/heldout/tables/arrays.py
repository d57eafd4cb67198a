"""Array types and the two habits of every table: arrays are read-only, and content has a digest."""

from __future__ import annotations

import hashlib
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from heldout.threads import refuse_no_threads

refuse_no_threads("POLARS_MAX_THREADS")  # before a table is made: polars panics over it

Ints = NDArray[np.integer[Any]]
Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Floats = Float32 | Float64
"""Scores: of the width at which the model gives them."""
Bool = NDArray[np.bool_]
Scalar = TypeVar("Scalar", bound=np.generic)


def frozen(array: Any, dtype: type[Scalar]) -> NDArray[Scalar]:
    """The array as `dtype`, contiguous and read-only; the caller's own array is never locked."""
    contiguous = np.ascontiguousarray(array, dtype=dtype)
    if contiguous.flags.writeable:
        contiguous = contiguous.view()
        contiguous.flags.writeable = False
    return contiguous


def floats(scores: NDArray[Any]) -> Floats:
    """Scores as a contiguous array: float32 as they are, anything else as float64."""
    if scores.dtype == np.float32:
        return np.ascontiguousarray(scores, dtype=np.float32)
    return np.ascontiguousarray(scores, dtype=np.float64)


def digest_of(*parts: Any) -> str:
    """sha256 of arrays and texts: 64 hex digits, the same for the same content on any machine."""
    state = hashlib.sha256()
    for part in parts:
        if part is None:
            state.update(b"none;")
        elif isinstance(part, np.ndarray):
            if part.dtype == object:
                texts = [str(entry).encode() for entry in part.tolist()]
                state.update(f"text{len(texts)};".encode())
                state.update(np.array([len(text) for text in texts], dtype="<i8").data)
                state.update(b"".join(texts))
            else:
                state.update(f"{part.dtype.str}{part.shape};".encode())
                state.update(np.ascontiguousarray(part).data)
        else:
            text = str(part).encode()
            state.update(f"str{len(text)};".encode())
            state.update(text)
    return state.hexdigest()


def pointers(codes: Ints, n: int) -> Int64:
    """CSR row pointers of sorted codes in 0…n−1."""
    return np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=n), dtype=np.int64)]).astype(np.int64)


def expand(indptr: Int64) -> Int64:
    """The row number of every entry of a CSR structure."""
    return np.repeat(np.arange(len(indptr) - 1, dtype=np.int64), np.diff(indptr))


def take_rows(indptr: Int64, rows: Ints) -> tuple[Int64, Int64 | slice]:
    """Select rows of a CSR structure: the new pointers and where their entries are; a slice where that is everywhere.

    Entries taken by a slice are not copied.
    """
    counts = np.diff(indptr)[rows]
    new = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    if indptr[0] == 0 and new[-1] == indptr[-1] and (np.diff(rows) > 0).all():
        return new, slice(None)
    positions = np.arange(new[-1], dtype=np.int64) + np.repeat(indptr[rows] - new[:-1], counts)
    return new, positions
