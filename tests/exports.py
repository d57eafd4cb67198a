"""Write the type stubs of packages of components, which list their names, and the table of components of the README.

    python -m tests.exports

The stub of `heldout` itself, which lists verbs, tables and results, is written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import ismodule
from pathlib import Path

import heldout
from heldout.catalogue import KINDS, classes
from heldout.catalogue.namespaces import sources
from heldout.storage.files import write_text

INTERFACE = {name: s.module for name, s in sources("heldout").items() if not ismodule(getattr(heldout, name))}
"""Verbs, tables and results of `import heldout as ho`, and the modules that declare them."""
ROOT = Path(__file__).resolve().parents[1]
SUMMARISED = ("reader", "filter", "split", "recommender", "target", "metric", "aggregation", "test", "correction")
"""The kinds of component that the README lists."""


def generated() -> dict[Path, str]:
    """Every generated file, and the text that it must have."""
    stubs = {ROOT / "src" / kind.package.replace(".", "/") / "__init__.pyi": stub(name) for name, kind in KINDS.items()}
    readme = ROOT / "README.md"
    return {**stubs, readme: with_table(readme.read_text(encoding="utf-8"))}


def stub(kind: str) -> str:
    """The stub of a kind's package: packages of components inside it, and components with their names in text forms."""
    return "\n".join(['"""Written by `make exports`."""', "", *_lines(kind), ""])


def _lines(kind: str) -> Iterator[str]:
    package = KINDS[kind].package
    for parent, _, name in (other.package.rpartition(".") for other in KINDS.values()):
        if parent == package:
            yield f"from {package} import {name} as {name}"
    own = [cls for cls in classes(kind) if cls.__module__.startswith("heldout.")]
    for cls in sorted(own, key=lambda cls: cls.__name__):
        keys = " ".join((cls.key, *cls.aliases))
        yield f"from {cls.__module__} import {cls.__name__} as {cls.__name__}  # {keys}"


def with_table(readme: str) -> str:
    """The README with its table of components between the marks."""
    lines = ["| | |", "|---|---|"]
    for kind in SUMMARISED:
        names = ", ".join(f"`{cls.key}`" for cls in classes(kind) if cls.__module__.startswith("heldout."))
        lines.append(f"| {KINDS[kind].plural} | {names} |")
    begin, end = "<!-- catalogue -->\n", "\n<!-- end of catalogue -->"
    head, rest = readme.split(begin)
    return head + begin + "\n".join(lines) + end + rest.split(end)[1]


if __name__ == "__main__":
    for path, text in generated().items():
        write_text(path, text)
