"""What `import heldout as ho` offers, generated from the catalogue: names, groups of components, and types for editors."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import heldout
from heldout.catalogue import KINDS as KIND_TABLE
from heldout.catalogue import Component, classes
from heldout.writing import write_text

INTERFACE = {
    "heldout.api.bias": ("bias",),
    "heldout.api.compare": ("compare", "compare_users"),
    "heldout.api.data": ("convert", "fetch", "list_data_sets", "profile", "simulate"),
    "heldout.api.describe": ("describe",),
    "heldout.api.demo": ("demo",),
    "heldout.api.evaluate": ("evaluate",),
    "heldout.api.figures": ("Figure",),
    "heldout.api.fit": ("fit",),
    "heldout.api.lint": ("lint",),
    "heldout.api.list": ("list",),
    "heldout.api.load": ("load",),
    "heldout.api.measure": ("measure",),
    "heldout.api.methods": ("methods",),
    "heldout.api.meta": ("meta",),
    "heldout.api.multiverse": ("multiverse", "plan"),
    "heldout.api.power": ("power",),
    "heldout.api.recommend": ("recommend",),
    "heldout.api.reproduce": ("list_experiments", "reproduce"),
    "heldout.analysis.findings": ("Findings",),
    "heldout.api.results": ("Results",),
    "heldout.biases.findings": ("BiasFindings",),
    "heldout.biases.truth.findings": ("TruthFindings",),
    "heldout.metric_quality.findings": ("MetaFindings",),
    "heldout.papers.findings": ("ReproductionFindings",),
    "heldout.api.run": ("run",),
    "heldout.api.split": ("SplitData", "split"),
    "heldout.api.truth": ("truth",),
    "heldout.api.tune": ("tune",),
    "heldout.api.verify": ("verify",),
    "heldout.catalogue": ("make",),
    "heldout.data.profile": ("Profile", "ProfileRecord"),
    "heldout.data.world": ("World",),
    "heldout.data.read": ("read", "read_log"),
    "heldout.data.side": ("read_side",),
    "heldout.errors": (
        "HeldoutError",
        "InputError",
        "MissingExtraError",
        "NotApplicableError",
        "ResultsError",
        "WriteError",
        "EngineError",
        "SpecError",
        "UnknownNameError",
    ),
    "heldout.experiment.recommend": ("FittedModel",),
    "heldout.recommenders.foreign": ("as_recommender",),
    "heldout.splits.audit": ("Audit", "audit"),
    "heldout.review.lint.finding": ("Review",),
    "heldout.review.methods.parts": ("Methods",),
    "heldout.study.tuned": ("Tuned",),
    "heldout.universes.findings": ("MultiverseFindings",),
    "heldout.universes.grid.plan": ("Plan",),
    "heldout.study.file": ("read_study", "schema"),
    "heldout.study.spec": ("Study",),
    "heldout.web.serve": ("serve",),
    "heldout.tables": ("Interactions", "Judged", "Log", "Rankings", "Relevance", "Scores", "Side", "Split", "Vocabulary"),
}
"""The verbs, tables and results of `import heldout as ho`, by the module that declares them."""
PACKAGE = Path(heldout.__file__).parent
README = PACKAGE.parents[1] / "README.md"


def exports_text() -> str:
    """The text that _exports.py must have."""
    names = {name: module for module, of_module in INTERFACE.items() for name in of_module}
    head = '"""Verbs, tables and results, and the modules that hold them; written by `make exports`."""'
    lines = [f'    "{name}": "{module}",' for name, module in sorted(names.items())]
    return "\n".join([head, "", "EXPORTS = {", *lines, "}", ""])


def components_text() -> str:
    """The text that _components.py must have: of each kind the names and aliases."""
    head = '"""Names of components by kind, and the modules that declare them; written by `make exports`."""'
    lines: list[str] = []
    for kind in KIND_TABLE:
        lines += _entry(kind, {name: c.__module__ for c in classes(kind) if _ours(c) for name in (c.key, *c.aliases)})
    return "\n".join([head, "", "COMPONENTS = {", *lines, "}", ""])


def groups_text() -> str:
    """The text that _groups.py must have: of each room the classes that it offers."""
    head = '"""Classes of components by room, and the modules that declare them; written by `make exports`."""'
    lines = [
        line for room, members in groups().items() for line in _entry(room, {c.__name__: c.__module__ for c in members})
    ]
    return "\n".join([head, "", "GROUPS = {", *lines, "}", ""])


def groups() -> dict[str, list[type[Component]]]:
    """Rooms whose components users construct, in the order of the catalogue, and the classes of each by name."""
    kinds = [kind for kind in KIND_TABLE.values() if kind.name != "rule"]
    return {k.room: sorted((c for c in classes(k.name) if _ours(c)), key=lambda cls: cls.__name__) for k in kinds}


def _entry(key: str, modules: dict[str, str]) -> Iterator[str]:
    yield f'    "{key}": {{'
    yield from (f'        "{name}": "{module}",' for name, module in sorted(modules.items()))
    yield "    },"


def _ours(cls: type[Component]) -> bool:
    return cls.__module__.startswith("heldout.")


def readme_table() -> str:
    """The table of the README: every component by kind."""
    words = ("reader", "filter", "split", "recommender", "target", "metric", "aggregation", "test", "correction")
    lines = ["| | |", "|---|---|"]
    for kind in words:
        names = ", ".join(f"`{cls.key}`" for cls in classes(kind) if _ours(cls))
        lines.append(f"| {KIND_TABLE[kind].plural} | {names} |")
    return "\n".join(lines)


def with_table(readme: str) -> str:
    """The README with its table written anew between the marks."""
    begin, end = "<!-- catalogue -->\n", "\n<!-- end of catalogue -->"
    head, rest = readme.split(begin)
    return head + begin + readme_table() + end + rest.split(end)[1]


def generated() -> dict[Path, str]:
    """Every generated file of the package, and the text that it must have."""
    from heldout.testing.stubs import group_stub, top_stub

    texts = {"_exports.py": exports_text(), "_components.py": components_text(), "_groups.py": groups_text()}
    texts["__init__.pyi"] = top_stub(INTERFACE, list(groups()))
    for room, members in groups().items():
        inner = [name for name in groups() if name.rpartition(".")[0] == room]
        texts["/".join([*room.split(".")[1:], "__init__.pyi"])] = group_stub(room, members, inner)
    return {PACKAGE / name: text for name, text in texts.items()}


if __name__ == "__main__":
    if "--write" in sys.argv:
        for path, text in generated().items():
            write_text(path, text)
        if README.exists():
            write_text(README, with_table(README.read_text(encoding="utf-8")))
    sys.exit(0 if all(p.exists() and p.read_text(encoding="utf-8") == text for p, text in generated().items()) else 1)
