"""The flat names of `import heldout as ho` and the table of the README, generated from the catalogue."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import heldout
from heldout.catalogue import KINDS as KIND_TABLE
from heldout.catalogue import classes
from heldout.catalogue.component import registered
from heldout.writing import write_text

KINDS = ("reader", "filter", "split", "recommender", "target", "metric", "aggregation", "test")
INTERFACE = {
    "heldout.api.compare": ("compare", "compare_results"),
    "heldout.api.evaluate": ("evaluate",),
    "heldout.api.fit": ("fit",),
    "heldout.api.lint": ("lint",),
    "heldout.api.measure": ("measure",),
    "heldout.api.methods": ("methods",),
    "heldout.api.meta": ("meta",),
    "heldout.api.meta_results": ("MetaResults",),
    "heldout.api.multiverse": ("multiverse",),
    "heldout.api.multiverse_results": ("MultiverseResults",),
    "heldout.api.power": ("power",),
    "heldout.api.recommend": ("recommendations",),
    "heldout.api.results": ("Results",),
    "heldout.api.run": ("run",),
    "heldout.api.split": ("split",),
    "heldout.api.tune": ("tune",),
    "heldout.api.verify": ("verify",),
    "heldout.catalogue": ("Component", "cutoff", "find", "make", "make_all", "param"),
    "heldout.data.profile": ("Profile", "profile"),
    "heldout.data.simulation_fit": ("fitted",),
    "heldout.data.read": ("read", "read_log"),
    "heldout.data.side": ("read_side",),
    "heldout.data.readers.simulate": ("simulate_world",),
    "heldout.errors": (
        "HeldoutError",
        "InputError",
        "MissingExtraError",
        "NotApplicableError",
        "ResultsError",
        "WriteError",
        "SpecError",
        "UnknownNameError",
    ),
    "heldout.experiment.divide": ("SplitData",),
    "heldout.experiment.recommend": ("FittedModel",),
    "heldout.recommenders.foreign": ("as_recommender",),
    "heldout.recommenders.matrix": ("csr",),
    "heldout.recommenders.ranges": ("among", "between"),
    "heldout.splits.audit": ("Audit", "audit"),
    "heldout.splits.store": ("save_split", "saved_splits"),
    "heldout.study.file": ("read_study", "schema"),
    "heldout.study.spec": ("Study",),
    "heldout.tables": ("Interactions", "Judged", "Rankings", "Relevance", "Scores", "Side", "Split", "Vocabulary"),
}
PATH = Path(heldout.__file__).parent / "_exports.py"
NAMES = PATH.with_name("_components.py")
README = PATH.parents[2] / "README.md"


def generated() -> str:
    """The text that _exports.py must have."""
    names = {name: module for module, of_module in INTERFACE.items() for name in of_module}
    for kind in KINDS:
        for cls in classes(kind):
            if not cls.__module__.startswith("heldout."):
                continue
            if cls.__name__ in names:
                raise ValueError(f"{cls.__module__}.{cls.__name__} would hide {names[cls.__name__]}.{cls.__name__}")
            names[cls.__name__] = cls.__module__
    lines = [f'    "{name}": "{module}",' for name, module in sorted(names.items())]
    head = '"""Flat public names and the modules that hold them; written by `make exports`."""'
    return "\n".join([head, "", "EXPORTS = {", *lines, "}", ""])


def generated_names() -> str:
    """The text that _components.py must have."""
    head = '"""Names of components by kind, and the modules that declare them; written by `make exports`."""'
    return "\n".join([head, "", "COMPONENTS = {", *_component_lines(), "}", ""])


def _component_lines() -> Iterator[str]:
    """Of each kind the names and aliases as they are looked up, and the module of each."""
    for kind in KIND_TABLE:
        classes(kind)
        modules = {name: cls.__module__ for name, cls in registered(kind).items() if cls.__module__.startswith("heldout.")}
        yield f'    "{kind}": {{'
        yield from (f'        "{name}": "{module}",' for name, module in sorted(modules.items()))
        yield "    },"


def readme_table() -> str:
    """The table of the README: every component by kind."""
    words = ("reader", "filter", "split", "recommender", "target", "metric", "aggregation", "test", "correction")
    lines = ["| | |", "|---|---|"]
    for kind in words:
        names = ", ".join(f"`{cls.key}`" for cls in classes(kind) if cls.__module__.startswith("heldout."))
        lines.append(f"| {KIND_TABLE[kind].plural} | {names} |")
    return "\n".join(lines)


def with_table(readme: str) -> str:
    """The README with its table written anew between the marks."""
    begin, end = "<!-- catalogue -->\n", "\n<!-- end of catalogue -->"
    head, rest = readme.split(begin)
    return head + begin + readme_table() + end + rest.split(end)[1]


if __name__ == "__main__":
    if "--write" in sys.argv:
        write_text(PATH, generated())
        write_text(NAMES, generated_names())
        if README.exists():
            write_text(README, with_table(README.read_text(encoding="utf-8")))
    current = {PATH: generated(), NAMES: generated_names()}
    sys.exit(0 if all(p.exists() and p.read_text(encoding="utf-8") == text for p, text in current.items()) else 1)
