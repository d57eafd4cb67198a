"""Frozen dataclasses as JSON types and back."""

from __future__ import annotations

import dataclasses
import math
import types
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Made = TypeVar("Made")


def to_plain(value: Any) -> Any:
    """JSON types only: a number that is none is null, other numbers have seven figures."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: to_plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, list | tuple):
        return [to_plain(one) for one in value]
    if isinstance(value, float):
        return float(f"{value:.7g}") if math.isfinite(value) else None
    return value


def from_plain(kind: type[Made], value: Any) -> Made:
    """The dataclass that `to_plain` wrote."""
    made: Made = _made(kind, value)
    return made


def _made(kind: Any, value: Any) -> Any:
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return kind(**{one.name: _made(hints[one.name], value[one.name]) for one in dataclasses.fields(kind)})
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if value is None else _made(next(one for one in inside if one is not type(None)), value)
    if origin is tuple:
        each = [inside[0]] * len(value) if len(inside) == 2 and inside[1] is Ellipsis else inside
        return tuple(_made(one, part) for one, part in zip(each, value, strict=True))
    if kind is float:
        return float("nan") if value is None else float(value)
    if origin is Literal or kind in (str, int, bool):
        return value
    raise TypeError(f"cannot read a {kind} from JSON")
