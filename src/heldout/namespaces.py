"""Rooms of components as Python namespaces: `ho.metrics.NDCG`, `ho.metrics.gains.Exp2`.

A class is imported when it is first used, so that a room costs nothing to import.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from heldout._groups import GROUPS


def public_name(room: str) -> str:
    """A room as users write it: "heldout.metrics.gains" is "metrics.gains", "heldout.data.readers" is "readers"."""
    return room.removeprefix("heldout.").removeprefix("data.")


class Room(ModuleType):
    """A room whose modules of components say what to write where they are called: `ho.splits.ratio(0.8)`."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and _declared_in(value.__name__):  # as Python does after it imported a module
            value.__class__ = ComponentModule
        super().__setattr__(name, value)


class ComponentModule(ModuleType):
    """A module that declares components and is no component itself."""

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        classes = " or ".join(f"{cls}(…)" for cls in _declared_in(self.__name__))
        raise TypeError(f"ho.{public_name(self.__name__)} is a module: write {classes}")


def _declared_in(module: str) -> list[str]:
    """The classes that a module declares, as users write them."""
    room = module.rpartition(".")[0]
    return [f"ho.{public_name(room)}.{cls}" for cls, declared in GROUPS.get(room, {}).items() if declared == module]


def namespace(room: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a room: its components and the rooms of components inside it."""
    sys.modules[room].__class__ = Room
    modules = GROUPS.get(room, {})  # a room under construction has none yet
    inner = [name.removeprefix(f"{room}.") for name in GROUPS if name.rpartition(".")[0] == room]

    def get(name: str) -> Any:
        if name in inner:
            return import_module(f"{room}.{name}")
        if name not in modules:
            raise no_attribute(room, name)
        cls = getattr(import_module(modules[name]), name)
        setattr(sys.modules[room], name, cls)
        return cls

    def names() -> list[str]:
        return sorted([*modules, *inner])

    return get, names


RENAMED = {
    "BiasResults": "ho.Results",
    "csr": "ratings.to_csr()",
    "DataProfile": "ho.Results",
    "experiments": "ho.list_experiments()",
    "fetchable": "ho.list_data_sets()",
    "MetaResults": "ho.Results",
    "MultiverseResults": "ho.Results",
    "PageView": "results.explore(), which returns one",
    "Plots": "results.figures",
    "Qrels": "ho.evaluate(qrels, runs, metrics), which takes the dict itself",
    "report": "ho.load(folder), which prints itself, and .save(folder) for report.html",
    "ReproductionResults": "ho.Results",
    "Run": "ho.evaluate(qrels, runs, metrics), which takes the dict itself",
    "Tables": "results.tables",
    "TruthResults": "ho.Results",
}
"""Names that `heldout` had, and others that people look for there → what to write."""


def _places(cls: str) -> list[str]:
    return [f"ho.{public_name(room)}.{cls}" for room, modules in GROUPS.items() if cls in modules]


def no_attribute(module: str, name: str) -> AttributeError:
    """The error for a name that a module lacks; where a component has the name, it says how to write it."""
    places = [RENAMED[name]] if module == "heldout" and name in RENAMED else _places(name)
    hint = f": write {' or '.join(places)}" if places else ""
    if not hint:
        classes = {cls.casefold(): cls for modules in GROUPS.values() for cls in modules}
        # Modules, which Python looks for here first, have small letters: only the very name is worth the time.
        small = name.replace("_", "")
        near = [small] * (small in classes) if name.islower() else get_close_matches(name.casefold(), classes, 1)
        hint = f": did you mean {' or '.join(_places(classes[near[0]]))}?" if near else ""
    return AttributeError(f"module '{module}' has no attribute '{name}'{hint}", name=name, obj=sys.modules[module])
