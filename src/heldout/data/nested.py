"""Ratings and runs as other libraries hold them in memory: dicts by user, sparse and dense matrices of users × items."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Number
from typing import Any

import numpy as np
import polars as pl

from heldout.data.column_table import LARGEST_EXACT
from heldout.data.columns import AUTO, USUAL, Wanted, folded
from heldout.errors import InputError
from heldout.tables import Vocabulary, id_column

_PAIR = 2


def is_sparse(source: Any) -> bool:
    """Whether a source is a sparse matrix or array of scipy."""
    return type(source).__module__.startswith("scipy.sparse") and hasattr(source, "tocoo")


def is_by_user(source: Any) -> bool:
    """Whether a source is a dict of users' dicts of numbers by item, as pytrec_eval and ranx take them."""
    return isinstance(source, Mapping) and len(source) > 0 and all(_numbers_by_item(items) for items in source.values())


def _numbers_by_item(held: Any) -> bool:
    """Whether something is a dict of numbers, by the first; a sparse matrix by keys (dok) is one too, but of a whole run."""
    if type(held) is not dict and (not isinstance(held, Mapping) or is_sparse(held)):
        return False
    kind = type(next(iter(held.values()), 0))
    return kind is float or kind is int or issubclass(kind, Number | np.bool_)


def is_dense(source: Any) -> bool:
    """Whether a source is a numpy matrix of users × items."""
    return isinstance(source, np.ndarray) and source.ndim == _PAIR and source.dtype.kind in "fiub"


def _shapes(tables: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """Rows and columns of those tables that are matrices."""
    return {name: table.shape for name, table in tables.items() if is_sparse(table) or is_dense(table)}


def refuse_other_shapes(tables: Mapping[str, Any]) -> None:
    """InputError where matrices differ in shape: their rows and columns would be other users and items."""
    shapes = _shapes(tables)
    names = list(shapes)
    for name in names[1:]:
        if shapes[name] != shapes[names[0]]:
            raise InputError(
                "rows are users and columns items, the same in all matrices",
                file=name,
                found=shapes[name],
                expected=f"{shapes[names[0]]}, the shape of the {names[0]}",
                hint="lists of item numbers are a dict: {user: [item, …]}",
            )


def refuse_ids_outside(tables: Mapping[str, Any], users: Vocabulary, items: Vocabulary) -> None:
    """InputError where a matrix stands beside a test set that is none, and that names other users or items than it has."""
    for name, (n_users, n_items) in _shapes(tables).items():
        for ids, size, whose in ((users.series, n_users, "user"), (items.series, n_items, "item")):
            numbers = ids.cast(pl.Int64, strict=False)
            outside = ids.filter(numbers.is_null() | (numbers < 0) | (numbers >= size))
            if len(outside):
                raise InputError(
                    f"this matrix is {n_users:,} × {n_items:,}, its rows are users and its columns items",
                    file=name,
                    found=outside[0],
                    expected=f"{whose}s 0 to {size - 1:,} in the test set",
                    hint="pass scores with their ids: a frame of user, item and score, or {user: {item: score}}; lists of "
                    "item numbers are a dict: {user: [item, …]}",
                )


def columns_of_dense(matrix: Any, numeric: str, *, name: str) -> dict[str, Any]:
    """The entries of a numpy matrix: users are rows, items columns, both numbered from 0; NaN is no entry.

    Of scores, −inf is none either: that is how items are masked. A 0 among ratings may be one or none: an InputError.
    """
    absent = np.isnan(matrix) if matrix.dtype.kind == "f" else np.zeros(matrix.shape, dtype=np.bool_)
    if numeric == "score":
        absent |= np.isneginf(matrix)
    elif (matrix == 0).any():
        raise InputError(
            "the zeros of this matrix may be ratings of 0, or no ratings",
            file=name,
            found=int((matrix == 0).sum()),
            hint="pass scipy.sparse.csr_matrix(matrix) if they are no ratings, or put NaN where there is no rating",
        )
    user, item = np.nonzero(~absent)
    return {"user": user, "item": item, numeric: matrix[user, item]}


def columns_of_matrix(matrix: Any, numeric: str, *, name: str) -> dict[str, Any]:
    """The stored entries of a sparse matrix: users are rows, items columns, both numbered from 0.

    A stored zero is a score, but as a rating it may be one or a rating that was taken back: an InputError.
    """
    stored = matrix.tocoo()
    if stored.ndim != _PAIR:
        raise InputError(file=name, found=stored.ndim, expected="a sparse array of 2 dimensions, users × items")
    zeros = int((stored.data == 0).sum())
    if zeros and numeric == "value":
        raise InputError(
            "the zeros that this matrix stores may be ratings of 0, or no ratings",
            file=name,
            found=zeros,
            hint="call its eliminate_zeros() if they are no ratings; pass a table of user, item and value if they are",
        )
    return {"user": np.asarray(stored.row), "item": np.asarray(stored.col), numeric: np.asarray(stored.data)}


def columns_of_dict(source: Mapping[Any, Any], wanted: Wanted, numeric: str, *, name: str) -> Mapping[Any, Any]:
    """The columns that a dict holds: as they are, or made of what it holds of each user.

    A user's items are a dict of numbers by item, (item, number) pairs, or a list: in a run best first, in ratings each
    with the value 1.
    """
    if _holds_columns(source, wanted):
        return source
    items: list[Any] = []
    numbers: list[Any] = []
    lengths: list[int] = []
    for user, held in source.items():
        if type(held) is dict:  # as most are; there may be millions of users
            lengths.append(len(held))
            items += held
            numbers += held.values()
            continue
        listed, own = _held_of(user, held, ordered=numeric == "score", name=name)
        lengths.append(len(listed))
        items += listed
        numbers += own
    users = series_of("user", list(source), name)
    if users.dtype == pl.String and not users.null_count():
        users = id_column(users)  # before they are repeated
    users = users.gather(np.repeat(np.arange(len(lengths)), lengths))
    if not numbers:
        ranks = [rank for length in lengths for rank in range(1, length + 1)]
        return {"user": users, "item": items, **({"rank": ranks} if numeric == "score" else {})}
    if len(numbers) != len(items):
        raise InputError(
            file=name, found=len(numbers), expected=f"a {numeric} for each of {len(items):,} items, or for none of them"
        )
    return {"user": users, "item": items, numeric: numbers}


def series_of(label: str, values: Any, name: str) -> pl.Series:
    """A column of an array or a list; InputError if its values are of several types."""
    try:
        return pl.Series(label, values if hasattr(values, "dtype") else _of_one_type(values))
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise InputError(
            f"cannot make a table of these arrays ({str(error).splitlines()[0]})",
            file=name,
            expected="one-dimensional arrays or lists of one type each",
        ) from error


def _of_one_type(values: Any) -> list[Any]:
    """The values of a list, whole numbers among fractions as fractions: polars takes only one type.

    As texts if a whole number is too large for float64: they are checked before they become numbers.
    """
    listed = values if type(values) is list else list(values)
    if listed and type(listed[0]) is str:
        return listed  # polars refuses anything else among texts
    kinds = set(map(type, listed))
    if any(issubclass(kind, np.generic) for kind in kinds):
        listed = [value.item() if isinstance(value, np.generic) else value for value in listed]
        kinds = set(map(type, listed))
    if kinds - {type(None)} != {int, float}:
        return listed
    too_large = any(isinstance(value, int) and abs(value) >= LARGEST_EXACT for value in listed)
    return [None if value is None else str(value) if too_large else float(value) for value in listed]


def _holds_columns(source: Mapping[Any, Any], wanted: Wanted) -> bool:
    """Whether the keys of a dict are names of columns rather than users."""
    if any(isinstance(held, Mapping) for held in source.values()):
        return False
    keys = {folded(str(key)) for key in source}
    if any(name not in (None, AUTO) for name in wanted.values()):
        return True
    roles = [any(usual in keys for usual in USUAL[role]) for role in ("user", "item")]
    return all(roles) or any(len(usual) > 1 and usual in keys for role in ("user", "item") for usual in USUAL[role])


def _held_of(user: Any, held: Any, *, ordered: bool, name: str) -> tuple[list[Any], list[Any]]:
    """The items that a dict holds of one user, and their numbers, of which there may be none."""
    if isinstance(held, Mapping):
        return list(held), list(held.values())
    if isinstance(held, set | frozenset) and ordered:
        raise InputError(
            f"the items of user {user} have no order", file=name, found=type(held).__name__, expected="a list, best first"
        )
    if (
        isinstance(held, str | bytes)
        or not hasattr(held, "__iter__")
        or getattr(held, "ndim", 1) != 1
        or hasattr(held, "columns")
    ):
        raise InputError(
            f"cannot read the items of user {user}",
            file=name,
            found=type(held).__name__,
            expected="a dict of numbers by item, or a list of items",
            hint="or pass columns user, item and so on",
        )
    listed = [item.item() if isinstance(item, np.generic) else item for item in held]
    if listed and all(isinstance(item, tuple | list) and len(item) == _PAIR for item in listed):
        return [item for item, _ in listed], [number for _, number in listed]
    return listed, []
