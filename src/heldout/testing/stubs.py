"""Type stubs of `heldout` and its groups: what editors complete, show and check.

A component's stub has the parameters of its constructor with their defaults and meanings. Where a parameter is itself a
component, its text form is accepted: `NDCG(gain="exp2", n=10)`.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, Union, get_args, get_origin

from heldout.catalogue import Component, parameters
from heldout.catalogue.component import type_of
from heldout.namespaces import public_name

HEAD = '"""{}; written by `make exports`."""\n'


def top_stub(interface: Mapping[str, Iterable[str]], rooms: Iterable[str]) -> str:
    """The stub of `heldout`: verbs, tables, results, and the groups of components."""
    lines = [HEAD.format("Everything public, for editors and type checkers")]
    for room in (room for room in rooms if "." not in public_name(room)):
        package, _, name = room.rpartition(".")
        lines.append(f"from {package} import {name} as {name}")
    lines += [
        f"from {module} import {name} as {name}" for module, names in sorted(interface.items()) for name in sorted(names)
    ]
    return "\n".join([*lines, "", "__version__: str", ""])


def group_stub(room: str, members: Iterable[type[Component]], inner: Iterable[str]) -> str:
    """The stub of a room: its classes with their parameters, and the rooms inside it."""
    members = list(members)
    bodies = [line for cls in members for line in _class_lines(cls)]
    hints = [type_of(cls, field.name) for cls in members for field in parameters(cls)]
    kinds = {part for hint in hints for part in _component_types(hint)}
    imports = {f"from {cls.__module__} import {cls.__name__} as _{cls.__name__}" for cls in members}
    imports |= {f"from {cls.__module__} import {cls.__name__} as _{cls.__name__}" for cls in kinds}
    imports |= {f"from {room} import {name.rpartition('.')[2]} as {name.rpartition('.')[2]}" for name in inner}
    if any("Literal[" in line for line in bodies):
        imports.add("from typing import Literal")
    return "\n".join([HEAD.format(f"Components of `ho.{public_name(room)}`"), *sorted(imports), "", *bodies]).rstrip() + "\n"


def _class_lines(cls: type[Component]) -> Iterator[str]:
    yield f"class {cls.__name__}(_{cls.__name__}):"
    fields = {field.name: field for field in parameters(cls)}
    if not fields:
        yield f"    {_docstring([cls.summary()])}"
        yield "    def __init__(self) -> None: ..."
        yield ""
        return
    docs = [f"{name}: {field.metadata['doc']}" for name, field in fields.items()]
    yield from _indented(_docstring([cls.summary(), "", *docs]))
    signature = inspect.signature(cls)
    written = []
    for name, argument in signature.parameters.items():
        if argument.kind is argument.KEYWORD_ONLY and "*" not in written:
            written.append("*")
        hint = _accepted(type_of(cls, name)) if name in fields else "object"
        default = "" if argument.default is argument.empty else f" = {_default(argument.default)}"
        written.append(f"{name}: {hint}{default}")
    yield "    def __init__(self, " + ", ".join(written) + ") -> None: ..."
    yield ""


def _docstring(lines: list[str]) -> str:
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''")
    return f'"""{text}"""' if len(lines) == 1 else f'"""{text}\n"""'


def _indented(text: str) -> Iterator[str]:
    return (f"    {line}" if line else "" for line in text.splitlines())


def _default(value: Any) -> str:
    return repr(value) if value is None or isinstance(value, str | int | float | tuple) else "..."


def _accepted(hint: Any) -> str:
    """What a constructor takes where a component holds a value of this type."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(part for option in get_args(hint) for part in _accepted(option).split(" | ")))
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, get_args(hint)))}]"
    if origin is tuple:
        inner = _accepted(get_args(hint)[0])
        return f"tuple[{inner}, ...] | list[{inner}]"
    if hint is type(None):
        return "None"
    return f"_{hint.__name__} | str" if issubclass(hint, Component) else str(hint.__name__)


def _component_types(hint: Any) -> Iterator[type[Component]]:
    if inspect.isclass(hint) and issubclass(hint, Component):
        yield hint
    for inner in get_args(hint) if get_origin(hint) is not Literal else ():
        yield from _component_types(inner)
