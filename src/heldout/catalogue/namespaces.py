"""Names that a package offers and imports only when they are used: `ho.run`, `ho.metrics.NDCG`, `ho.metrics.gains.Exp2`.

They are the names that the package's type stub, `__init__.pyi`, imports, so that Python and editors read one list:

    from heldout.metrics import gains as gains
    from heldout.metrics.accuracy.average_precision import AP as AP  # AP MAP

The comment behind a component has its names in text forms. The catalogue finds its module by them.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, NoReturn


class Source(NamedTuple):
    """Where a name comes from."""

    module: str
    keys: tuple[str, ...]
    """The names in text forms; none unless it is a component."""


@cache
def sources(package: str) -> dict[str, Source]:
    """The names that a package offers, in the order of its stub."""
    stub = pkgutil.get_data("heldout", f"{package.replace('.', '/')}/__init__.pyi".removeprefix("heldout/"))
    found = {}
    for line in (stub or b"").decode().splitlines():
        statement, _, keys = line.partition("#")
        match statement.split():
            case ["from", module, "import", name, "as", _]:
                found[name] = Source(module, tuple(keys.split()))
    return found


def public_name(package: str) -> str:
    """A package as users write it: "heldout.metrics.gains" is "metrics.gains", "heldout.data.readers" is "readers"."""
    return package.removeprefix("heldout.").removeprefix("data.")


def namespace(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose stub lists its names."""
    names = sources(package)
    sys.modules[package].__class__ = Namespace

    def get(name: str) -> Any:
        if name not in names:
            raise no_attribute(package, name)
        value = _imported(names[name].module, name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted(names)


def _imported(module: str, name: str) -> Any:
    """What `from module import name` gives: a name of the module, or else a package inside it."""
    source = import_module(module)
    return vars(source)[name] if name in vars(source) else import_module(f"{module}.{name}")


class Namespace(ModuleType):
    """A package whose modules of components say what to write if they are called: `ho.splits.ratio(0.8)`."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and value.__name__ == f"{self.__name__}.{name}" and _components_of(value.__name__):
            value.__class__ = ComponentModule  # Python has imported the module
        super().__setattr__(name, value)


class ComponentModule(ModuleType):
    """A module that declares components and is not a component itself."""

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        classes = " or ".join(f"{cls}(…)" for cls in _components_of(self.__name__))
        raise TypeError(f"ho.{public_name(self.__name__)} is a module: write {classes}")


def _components_of(module: str) -> list[str]:
    """The components that a module declares, as users write them."""
    package = module.rpartition(".")[0]
    names = [name for name, source in sources(package).items() if source.module == module and source.keys]
    return [f"ho.{public_name(package)}.{name}" for name in names]


RENAMED = {
    "BiasResults": "ho.Results",
    "csr": "ratings.to_csr()",
    "DataProfile": "ho.Results",
    "experiments": "ho.list_experiments()",
    "fetchable": "ho.list_data_sets()",
    "MetaResults": "ho.Results",
    "MultiverseResults": "ho.Results",
    "ReportFrame": "results.explore(), which returns one",
    "Plots": "results.figures",
    "Qrels": "ho.evaluate(qrels, runs, metrics), which takes the dict itself",
    "report": "ho.load(folder), which prints itself, and .save(folder) for report.html",
    "ReproductionResults": "ho.Results",
    "Run": "ho.evaluate(qrels, runs, metrics), which takes the dict itself",
    "Tables": "results.tables",
    "TruthResults": "ho.Results",
}
"""Names that `heldout` had, and others that people look for there → what to write."""


def no_attribute(module: str, name: str) -> AttributeError:
    """The error for a name that a module lacks; if a component has the name, it says how to write it."""
    places = _places()
    matches = [RENAMED[name]] if module == "heldout" and name in RENAMED else places.get(name, [])
    hint = f": write {' or '.join(matches)}" if matches else ""
    if not hint:
        from difflib import get_close_matches

        classes = {cls.casefold(): cls for cls in places}
        # Modules, which Python looks for here first, have small letters: only the very name is worth the time.
        small = name.replace("_", "")
        near = [small] * (small in classes) if name.islower() else get_close_matches(name.casefold(), classes, 1)
        hint = f": did you mean {' or '.join(places[classes[near[0]]])}?" if near else ""
    return AttributeError(f"module '{module}' has no attribute '{name}'{hint}", name=name, obj=sys.modules[module])


@cache
def _places() -> dict[str, list[str]]:
    """The classes of components that `heldout` offers, and where, as users write them."""
    from heldout.catalogue.kinds import KINDS

    places: dict[str, list[str]] = {}
    for package in (
        kind.package for kind in KINDS.values() if public_name(kind.package).split(".")[0] in sources("heldout")
    ):
        for name, source in sources(package).items():
            if source.keys:
                places.setdefault(name, []).append(f"ho.{public_name(package)}.{name}")
    return places
