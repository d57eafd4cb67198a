"""Keys of study files, declared in the metadata of the fields that hold them; the check of a file and its schema follow.

A field of `Study` or of a table in a study file is a key if its metadata has a `Key`: what it decides, what a file may hold
under it and the default. The type of a value in a file is a plain annotation: str, int, float, list, Literal, a union of
these, or a dataclass for a table with keys of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from heldout.catalogue import KINDS, make_all
from heldout.errors import SpecError, for_each

Options = str | list[str]
"""One option or several."""
Chains = str | list[str | list[str]]
"""Options that are chains: an inner list is one chain, a text a chain of one."""
Place = tuple[Any, ...]
"""Where a value stands in a study file: its key, then numbers of list entries and keys of tables."""


@dataclass(frozen=True, kw_only=True)
class Key:
    """What a study file may hold under a key."""

    about: str
    """What it decides."""
    written: Any = None
    """The type of its value in a file; None if it is that of the field."""
    default: Any = None
    """What a study takes if the key is left out, as a file would hold it; None if the default of the field says it."""
    words: str = ""
    """What sentences call the decision, if it is not the key itself."""
    question: str = ""
    """What a checklist calls the decision."""
    above: float | None = None
    below: float | None = None
    """Bounds of a number, which do not belong to the values."""
    read: Callable[[Any], Any] | None = None
    """Makes the value of a key that holds one value and no components; it is called with the default too."""
    kind: str = ""
    """The kind of component that its options are, by the catalogue; empty if they are none."""

    def optional(self) -> Key:
        """The same key, that may be without a value."""
        return replace(self, written=self.written | None)


class Table:
    """A table in a study file; its fields are its keys."""

    takes_others: ClassVar[bool] = False
    """True if it may have keys that are not declared."""
    one_of: ClassVar[tuple[str, ...]] = ()
    """Keys of which it needs one."""


def setting(about: str, written: Any = None, **more: Any) -> dict[str, Key]:
    """The metadata of a field that is a key of a study file."""
    return {"key": Key(about=about, written=written, **more)}


def decision(about: str, **more: Any) -> dict[str, Key]:
    """The metadata of a field that holds the options of a decision: components, written as text."""
    return setting(about, **{"written": Options, **more})


@cache
def declared_keys(cls: type) -> dict[str, Key]:
    """The keys of a dataclass, in the order of its fields, each complete."""
    hints = get_type_hints(cls)
    kind_by_stage = {kind.stage: kind.name for kind in KINDS.values() if kind.stage}
    keys: dict[str, Key] = {}
    for field in fields(cls):
        if (declared := field.metadata.get("key")) is not None:
            default = field.default if isinstance(field.default, str | int | float) else None
            keys[field.name] = replace(
                declared,
                written=hints[field.name] if declared.written is None else declared.written,
                default=default if declared.default is None else declared.default,
                words=declared.words or field.name,
                kind=kind_by_stage.get(field.name, ""),
            )
    return keys


def listed(value: Any) -> list[Any]:
    """The entries of a key that may hold one or a list of them."""
    return list(value) if isinstance(value, list | tuple) else [value]


def make_options(kind: str, value: Any) -> tuple[Any, ...]:
    """The components of a kind that a key names, each once; all that is wrong is said at once."""
    components = [
        component for several in for_each(lambda text: make_all(kind, text), listed(value)) for component in several
    ]
    if not components:
        raise SpecError(found=[], expected="at least one option")
    return tuple(dict.fromkeys(components))


@dataclass(frozen=True, kw_only=True)
class Problem:
    """What is wrong at one place of a study file."""

    place: Place
    found: Any
    expected: str = ""
    """The type that was expected, in words."""
    known: tuple[str, ...] = ()
    """The keys that a table has, if one of its keys is unknown."""
    missing: bool = False
    """True if a table lacks this key."""


_PLAIN: dict[type, tuple[Any, str]] = {str: (str, "a text"), int: (int, "a whole number"), float: (int | float, "a number")}
_JSON = {str: "string", int: "integer", float: "number", NoneType: "null"}


def problems(value: Any, written: Any, place: Place, key: Key | None = None) -> Iterator[Problem]:
    """What is wrong with a value of a study file; `key` has its bounds.

    A value that may have one of several types and has none of them is wrong by each of them.
    """
    if get_origin(written) in (Union, UnionType):
        if value is None and NoneType in get_args(written):
            return
        tried = [list(problems(value, option, place, key)) for option in get_args(written) if option is not NoneType]
        if all(tried):
            yield from (problem for of_option in tried for problem in of_option)
    elif get_origin(written) is Literal:
        if not isinstance(value, str) or value not in get_args(written):
            yield Problem(place=place, found=value, expected=" or ".join(map(repr, get_args(written))))
    elif get_origin(written) is list:
        if not isinstance(value, list | tuple):
            yield Problem(place=place, found=value, expected="a list")
            return
        for number, entry in enumerate(value):
            yield from problems(entry, get_args(written)[0], (*place, number), key)
    elif issubclass(written, Table):
        if not isinstance(value, Mapping):
            yield Problem(place=place, found=value, expected="a table")
            return
        yield from table_problems(value, declared_keys(written), place, takes_others=written.takes_others)
    else:
        amount: Any = value
        accepted, words = _PLAIN[written]
        if not isinstance(value, accepted) or isinstance(value, bool):
            yield Problem(place=place, found=value, expected=words)
        elif key is not None and key.above is not None and not amount > key.above:
            yield Problem(place=place, found=value, expected=f"a number above {key.above:g}")
        elif key is not None and key.below is not None and not amount < key.below:
            yield Problem(place=place, found=value, expected=f"a number below {key.below:g}")


def table_problems(
    table: Mapping[str, Any], keys: Mapping[str, Key], place: Place = (), *, takes_others: bool = False
) -> Iterator[Problem]:
    """What is wrong with a table of a study file, or with the file as a whole."""
    for name, value in table.items():
        if name in keys:
            yield from problems(value, keys[name].written, (*place, name), keys[name])
        elif not takes_others:
            yield Problem(place=(*place, name), found=value, known=tuple(keys))
    for name in keys:
        if name not in table and keys[name].default is None and not _may_be_none(keys[name]):
            yield Problem(place=(*place, name), found=table, missing=True)


def _may_be_none(key: Key) -> bool:
    return NoneType in get_args(key.written)


def json_schema(keys: Mapping[str, Key], tables: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a table with these keys; the schemas of tables inside it are put into `tables`, by name."""
    properties: dict[str, Any] = {}
    for name, key in keys.items():
        properties[name] = {**_type_schema(key.written, key, tables), "description": key.about}
        if key.default is not None or _may_be_none(key):
            properties[name]["default"] = key.default
    required = [name for name, key in keys.items() if "default" not in properties[name]]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _type_schema(written: Any, key: Key, tables: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a type of values."""
    if get_origin(written) in (Union, UnionType):
        return {"anyOf": [_type_schema(option, key, tables) for option in get_args(written)]}
    if get_origin(written) is Literal:
        return {"type": "string", "enum": list(get_args(written))}
    if get_origin(written) is list:
        return {"type": "array", "items": _type_schema(get_args(written)[0], key, tables)}
    if issubclass(written, Table):
        name = written.__name__
        if name not in tables:
            about = (written.__doc__ or "").partition("\n")[0]
            one_of = {"anyOf": [{"required": [key]} for key in written.one_of]} if written.one_of else {}
            others = {"additionalProperties": written.takes_others}
            tables[name] = {"description": about, **json_schema(declared_keys(written), tables), **others, **one_of}
        return {"$ref": f"#/$defs/{name}"}
    bounds = {"exclusiveMinimum": key.above, "exclusiveMaximum": key.below} if written in (int, float) else {}
    return {"type": _JSON[written]} | {word: bound for word, bound in bounds.items() if bound is not None}
