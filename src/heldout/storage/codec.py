"""Frozen dataclasses as JSON types, and back: reports, findings, searches and curves are all kept this way."""

from __future__ import annotations

import dataclasses
import math
import types
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from heldout.errors import shown
from heldout.storage.deferred import Deferred

Record = TypeVar("Record")
SPARSE: dict[str, Any] = {"sparse": True}
"""Metadata of a field that is written only if its value is not the default, and need not be there when read."""


def to_plain(value: Any, *, figures: int | None = None, costly: bool = True) -> Any:
    """A value as JSON types; NaN and infinity are null, and numbers are rounded to so many figures if that is given.

    A costly part (`Deferred`) is computed and written in full; without `costly` it is left out.
    """
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return value if figures is None else float(f"{value:.{figures}g}")
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Deferred):
        return to_plain(value.value)
    if isinstance(value, dict):
        return {key: to_plain(entry, figures=figures, costly=costly) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(entry, figures=figures, costly=costly) for entry in value]
    kind: Any = type(value)
    usual = _sparse(kind)
    fields = {name: getattr(value, name) for name in _hints(kind)}
    if not costly:
        fields = {name: entry for name, entry in fields.items() if not isinstance(entry, Deferred)}
    return {
        name: to_plain(entry, figures=figures, costly=costly)
        for name, entry in fields.items()
        if name not in usual or entry != usual[name]
    }


def from_plain(kind: type[Record], value: Any) -> Record:
    """The dataclass that `to_plain` wrote; KeyError or TypeError if the value is not of its form."""
    record: Record = _read(kind, value)
    return record


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """The fields of a dataclass, with their types."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


@cache
def _sparse(kind: Any) -> dict[str, Any]:
    """The sparse fields of a dataclass, with their defaults."""
    return {field.name: field.default for field in dataclasses.fields(kind) if field.metadata.get("sparse")}


def _read(kind: Any, value: Any) -> Any:
    if kind is Any:
        return value
    if kind is float and value is None:
        return float("nan")
    if kind is float:
        return _as_float(_checked(value, int, float))
    if kind in (str, int, bool):
        return _checked(value, kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        entries = _checked(value, dict)
        absent = {name for name in _sparse(kind) if name not in entries}
        return kind(**{name: _read(hint, entries[name]) for name, hint in _hints(kind).items() if name not in absent})
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if value is None else _read_one([option for option in inside if option is not type(None)], value)
    if origin is Deferred:
        return Deferred.known(_read(inside[0], value))
    if origin is tuple:
        entries = _checked(value, list, tuple)
        each = [inside[0]] * len(entries) if len(inside) == 2 and inside[1] is Ellipsis else inside
        return tuple(_read(option, entry) for option, entry in zip(each, entries, strict=True))
    if origin is dict:
        return {_checked(key, str): _read(inside[1], entry) for key, entry in _checked(value, dict).items()}
    if origin is Literal:
        if value not in inside:
            raise TypeError(f"expected one of {', '.join(map(str, inside))}, found {shown(value)}")
        return value
    raise TypeError(f"cannot read a {kind} from JSON")


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        raise TypeError(f"expected a number that a float holds, found {shown(number)}") from None


def _read_one(options: list[Any], value: Any) -> Any:
    """A value as the first of several types that it has."""
    for option in options[:-1]:
        try:
            return _read(option, value)
        except (TypeError, KeyError, ValueError):
            continue
    return _read(options[-1], value)


def _checked(value: Any, *kinds: type) -> Any:
    """The value, if it has one of these types; a truth value is not a number."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise TypeError(f"expected {' or '.join(kind.__name__ for kind in kinds)}, found {shown(value)}")
    return value
