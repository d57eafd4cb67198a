"""Finding components by name: Heldout's own, listed in the stubs of their packages, and those of other packages."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points, packages_distributions
from typing import Any

import numpy as np

from heldout.catalogue.component import Component, from_call, registered
from heldout.catalogue.kinds import KINDS
from heldout.catalogue.namespaces import sources
from heldout.catalogue.suggest import not_a_text, read_trec_cuts, respelled, suggestion, warn_ambiguous
from heldout.catalogue.text import Call, parse
from heldout.errors import UNKNOWN, ComponentError, NotApplicableError, SpecError, UnknownNameError, warn_component

MOST_TEXTS = 4096
"""Text forms whose components are remembered."""
_own_by_text: dict[tuple[type[Component], str], list[Any]] = {}
"""Heldout's own components by class and text form: they are frozen and hold nothing but their parameters."""


@cache
def _load_package(package: str) -> None:
    """Import every module of a package, so that all that it declares is known."""
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, prefix=f"{package}."):
        importlib.import_module(module.name)


@cache
def own_modules(kind: str) -> dict[str, str]:
    """The modules of Heldout that declare the components of a kind, by the names and aliases of these."""
    return {key: source.module for source in sources(KINDS[kind].package).values() for key in source.keys}


@cache
def _modules(kind: str) -> dict[str, str]:
    return {name.casefold(): module for name, module in own_modules(kind).items()}


def _load_module(kind: str, folded: str) -> None:
    """Import only the module of Heldout that declares a component."""
    module = _modules(kind).get(folded)
    if module is not None:
        importlib.import_module(module)


@cache
def _entry_points(plural: str) -> tuple[dict[str, type[Component]], dict[str, dict[str, Any]]]:
    """Classes that other packages declare, by the name of the entry point; and the parts of an error for each other one.

    Warns once of each entry point that cannot be loaded.
    """
    loaded: dict[str, type[Component]] = {}
    failures: dict[str, dict[str, Any]] = {}
    for point in entry_points(group=f"heldout.{plural}"):
        try:
            declared = point.load()
        except Exception as error:  # whatever the module of another package raises as it is imported
            parts: dict[str, Any] = {"what": "cannot be loaded", "found": error.with_traceback(None)}
        else:
            if _is_of(declared, plural):
                loaded[point.name] = declared
                continue
            parts = {"found": declared, "expected": f"a class of {plural} that has a `key`"}
        package = f" of the package {point.dist.name}" if point.dist is not None else ""
        parts["where"] = f"entry point '{point.name}' of 'heldout.{plural}' ({point.value}){package}"
        parts["hint"] = "fix or remove the package that declares it"
        failures[point.name] = parts
        warn_component(f"{SpecError(**parts)}. All other components can be used")
    return loaded, failures


def _is_of(declared: Any, plural: str) -> bool:
    """Whether an entry point names what it should: a class of this kind with a name."""
    if not (isinstance(declared, type) and issubclass(declared, Component)):
        return False
    return bool(declared.key) and declared.kind.plural == plural


def described(cls: type[Component]) -> str:
    """A component and where it comes from: "the metric FirstHit of the package first-hit"."""
    component, top = f"the {cls.kind.word} {cls.key or cls.__name__}", cls.__module__.partition(".")[0]
    if top == "heldout":
        return component
    for point in entry_points(group=f"heldout.{cls.kind.plural}"):
        if point.module == cls.__module__ and point.dist is not None:
            return f"{component} of the package {point.dist.name}"
    distributions = packages_distributions().get(top, [top])
    return f"{component} of your own code" if top == "__main__" else f"{component} of the package {distributions[0]}"


def check_values(component: Component, values: Any, shape: tuple[int, ...], meaning: str) -> None:
    """Raise ComponentError with the component and its package unless `values` holds numbers of this shape, none infinite.

    NaN stays allowed: the value is undefined. Sums of our own components overflow only if the data are too large for double
    precision, which is a NotApplicableError.
    """
    found, what = UNKNOWN, ""
    if not isinstance(values, np.ndarray):
        found = values
    elif values.dtype.kind not in "fiub" or values.shape != shape:
        found = f"shape {values.shape}, type {values.dtype}"
    elif infinite := int(np.isinf(values).sum()):
        what = f"{infinite:,} of {values.size:,} values are infinite"
        if type(component).__module__.startswith("heldout."):
            raise NotApplicableError(
                f"ratings or scores are too large: {what}", where=str(component), hint="divide them by a constant"
            )
    else:
        return
    raise ComponentError(
        what,
        where=described(type(component)),
        found=found,
        expected=f"numbers of shape {shape}, {meaning}: finite, or NaN if undefined",
        hint=f"report this to its authors: heldout.testing checks what a {component.kind.word} must do",
    )


def classes(kind: str) -> list[type[Component]]:
    """All components of a kind, by name."""
    of_kind = KINDS[kind]
    _load_package(of_kind.package)
    _entry_points(of_kind.plural)
    return sorted(set(registered(kind).values()), key=lambda cls: cls.key.casefold())


def entry_point_names(kind: str) -> list[str]:
    """Names of the components of a kind that other packages declare; Heldout's own are not loaded."""
    loaded, _ = _entry_points(KINDS[kind].plural)
    return [cls.key for cls in loaded.values()]


def find(kind: str, name: str, *, call: Call | None = None) -> type[Component]:
    """The component of a kind with this name, in any case of letters; UnknownNameError suggests what was meant.

    `call` is the text form that holds the name, if there is one: its parameters may be part of the suggestion.
    """
    by_name = registered(kind)
    if name.casefold() not in by_name:
        _load_module(kind, name.casefold())
    if name.casefold() not in by_name:
        names = [cls.key for cls in classes(kind)]
        if name.casefold() not in by_name:
            _, failures = _entry_points(KINDS[kind].plural)
            broken = [parts for entry, parts in failures.items() if entry.casefold() == name.casefold()]
            if broken:
                raise SpecError(**broken[0])
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
            raise SpecError(f"a {spec.kind.word} cannot be used here", found=spec, expected=f"a {KINDS[kind].word}")
        return [spec]
    if isinstance(spec, type) and issubclass(spec, Component) and spec.key:
        return [component for parsed in from_call(spec, Call(spec.key)) for component in make_all(kind, parsed)]
    if not isinstance(spec, str | Call):
        raise SpecError(found=spec, expected=f"a {KINDS[kind].word} as text", hint=not_a_text(kind, spec))
    if isinstance(spec, str) and not spec.strip():
        raise SpecError(found=spec, expected=f"the name of a {KINDS[kind].word}")
    written = parse(read_trec_cuts(spec) if kind == "metric" else spec) if isinstance(spec, str) else spec
    call = _known_call(written) if kind == "metric" else written
    if kind == "metric":
        warn_ambiguous(written, call)
    cls = find(kind, call.name, call=call)
    if not isinstance(spec, str) or not cls.__module__.startswith("heldout."):
        return from_call(cls, call)
    components = _own_by_text.get((cls, spec))
    if components is None:
        components = from_call(cls, call)
        if len(_own_by_text) >= MOST_TEXTS:
            _own_by_text.clear()
        _own_by_text[cls, spec] = components
    return list(components)


def _known_call(call: Call) -> Call:
    """A metric as it is written here, if other libraries spell it otherwise."""
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
        raise SpecError(found=[str(component) for component in components], expected=f"one {KINDS[kind].word}")
    return components[0]
