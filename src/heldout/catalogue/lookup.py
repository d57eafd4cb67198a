"""Finding components by name: those of the house, found by walking its rooms, and those of third parties."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from heldout.catalogue.component import Component, from_call, registered
from heldout.catalogue.kinds import KINDS
from heldout.catalogue.suggest import not_a_text, read_trec_cuts, respelled, suggestion, warn_ambiguous
from heldout.catalogue.text import Call, parse
from heldout.errors import SpecError, UnknownNameError, brief


@cache
def _load_room(room: str) -> None:
    """Import every module of a room, so that all that it declares is known."""
    package = importlib.import_module(room)
    for module in pkgutil.walk_packages(package.__path__, prefix=f"{room}."):
        importlib.import_module(module.name)


@cache
def _modules(kind: str) -> dict[str, str]:
    """The module of the house that declares each name of a kind, by casefolded name."""
    from heldout._components import COMPONENTS

    return {name.casefold(): module for name, module in COMPONENTS[kind].items()}


def _load_module(kind: str, folded: str) -> None:
    """Import the one module of the house that declares a component, so that a name costs no walk through its room."""
    module = _modules(kind).get(folded)
    if module is not None:
        importlib.import_module(module)


@cache
def _load_entry_points(plural: str) -> None:
    for point in entry_points(group=f"heldout.{plural}"):
        entry = f"the entry point '{point.name}' of 'heldout.{plural}' ({point.value})"
        try:
            loaded = point.load()
        except Exception as error:
            raise SpecError(
                f"{entry} cannot be loaded ({type(error).__name__}: {error})",
                hint="mend or remove the package that declares it",
            ) from error
        if not (isinstance(loaded, type) and issubclass(loaded, Component) and loaded.key and loaded.kind.plural == plural):
            raise SpecError(f"{entry} is {loaded!r}", hint=f"it must name a class of {plural} that has a `key`")


def classes(kind: str) -> list[type[Component]]:
    """All components of a kind, by name."""
    of_kind = KINDS[kind]
    _load_room(of_kind.room)
    _load_entry_points(of_kind.plural)
    return sorted(set(registered(kind).values()), key=lambda cls: cls.key.casefold())


def entry_point_names(kind: str) -> list[str]:
    """Names of the components of a kind that other packages declare; the house's own are not loaded."""
    plural = KINDS[kind].plural
    _load_entry_points(plural)
    return [point.load().key for point in entry_points(group=f"heldout.{plural}")]


def find(kind: str, name: str, *, call: Call | None = None) -> type[Component]:
    """The component of a kind with this name, in any case of letters; UnknownNameError suggests what was meant.

    `call` is the text form that holds the name, where there is one: its parameters may be part of the suggestion.
    """
    by_name = registered(kind)
    if name.casefold() not in by_name:
        _load_module(kind, name.casefold())
    if name.casefold() not in by_name:
        names = [cls.key for cls in classes(kind)]
        if name.casefold() not in by_name:
            meant = suggestion(kind, call or Call(name))
            raise UnknownNameError(KINDS[kind].word, name, names, meant=meant)
    return by_name[name.casefold()]


def find_any(name: str) -> list[type[Component]]:
    """The components of any kind with this name."""
    matches, names = [], []
    for kind in KINDS:
        names += [cls.key for cls in classes(kind)]
        if name.casefold() in registered(kind):
            matches.append(registered(kind)[name.casefold()])
    if not matches:
        raise UnknownNameError("component", name, set(names))
    return matches


def make_all(kind: str, spec: Any) -> list[Any]:
    """Components from a text form, a parsed call or a component; a list of cut-offs gives several."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnknownNameError("kind of component", str(kind), KINDS)
    if isinstance(spec, Component):
        if spec.kind.name != kind:
            raise SpecError(f"'{spec}' is a {spec.kind.word}, not a {KINDS[kind].word}")
        return [spec]
    if isinstance(spec, type) and issubclass(spec, Component) and spec.key:
        return [component for parsed in from_call(spec, Call(spec.key)) for component in make_all(kind, parsed)]
    if not isinstance(spec, str | Call):
        raise SpecError(f"a {KINDS[kind].word} is written as text, found {brief(repr(spec))}", hint=not_a_text(kind, spec))
    if isinstance(spec, str) and not spec.strip():
        raise SpecError(f"the name of a {KINDS[kind].word} is empty")
    if isinstance(spec, str):
        spec = parse(read_trec_cuts(spec) if kind == "metric" else spec)
    call = _known_call(spec) if kind == "metric" else spec
    if kind == "metric":
        warn_ambiguous(spec, call)
    return list(from_call(find(kind, call.name, call=call), call))


def _known_call(call: Call) -> Call:
    """A metric as it is written here, where other libraries spell it otherwise."""
    by_name = registered("metric")
    if call.name.casefold() not in by_name:
        _load_module("metric", call.name.casefold())
    if call.name.casefold() in by_name:
        return call
    classes("metric")
    return respelled(call, {folded: cls.key for folded, cls in by_name.items()}) or call


def make(kind: str, spec: Any) -> Any:
    """One component from a text form, a parsed call or a component."""
    components = make_all(kind, spec)
    if len(components) != 1:
        raise SpecError(f"'{spec}' gives {len(components)} components where one {KINDS[kind].word} is expected")
    return components[0]
