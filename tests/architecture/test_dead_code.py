"""Nothing in src is there for its tests alone: each function, class and method is used in src, or public, or a hook.

Files of papers use functions by their names.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from pathlib import Path

import heldout

SOURCE = Path(__file__).resolve().parents[2] / "src" / "heldout"
MODULES = sorted(p for p in SOURCE.rglob("*.py") if "vendor" not in p.parts)

CALLED = re.compile(r'\b(?:call|check|draw|work) = "(\w+)"')
CALLED_BY_FILES = {
    *(name for path in SOURCE.rglob("paper.toml") for name in CALLED.findall(path.read_text(encoding="utf-8"))),
    *(row["pick"] for path in SOURCE.rglob("numbers.csv") for row in csv.DictReader(path.read_text("utf-8").splitlines())),
}
"""What papers check, draw, run and pick."""
CALLED_BY_OTHERS = {
    "_repr_html_": "notebooks",
    "_repr_png_": "notebooks",
    "_repr_markdown_": "notebooks",
    "_ipython_key_completions_": "notebooks",
    "handle_starttag": "html.parser, which tells of what it reads by it",
    "handle_endtag": "the same",
    "handle_data": "the same",
    "to_json": "people, who take a table by it as by `to_csv`",
    "readinto": "io, which reads a stream by it",
    "on_start": "numba, when it begins to compile",
    "on_end": "numba, when it has compiled",
    "on_broken_pipe": "rich, when the reader of stdout is gone",
    "_runtime_env_has_working_dir": "Ray, as it tells its workers where to import from",
}
REGISTERS = ("command", "callback", "by_type")
"""Decorators that hand a function to somebody who calls it: typer, numba."""

Definition = ast.FunctionDef | ast.ClassDef


def used(trees: list[ast.Module]) -> set[str]:
    """Every name that is read, and the last part of every text that may name something: "package.module:name"."""
    names: set[str] = set()
    for node in (n for tree in trees for n in ast.walk(tree)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                names.add(name)
            case ast.Constant(value=str(text)) if re.fullmatch(r"[\w.:]+", text):
                names.add(re.split("[.:]", text)[-1])
            case _:
                pass
    return names


def defined(tree: ast.Module) -> Iterator[Definition]:
    """Functions, classes and methods; what a public class offers is for others to use."""
    for node in tree.body:
        public = isinstance(node, ast.ClassDef) and node.name in heldout.__all__
        for inner in ast.walk(node):
            if isinstance(inner, Definition) and not public:
                yield inner


def unused(trees: list[ast.Module]) -> list[str]:
    """What nothing uses."""
    names = used(trees) | set(heldout.__all__) | set(CALLED_BY_OTHERS) | CALLED_BY_FILES
    return [
        node.name
        for tree in trees
        for node in defined(tree)
        if node.name not in names and not node.name.startswith("__") and not _registered(node)
    ]


def _registered(node: Definition) -> bool:
    """Whether somebody gets to know of it as it is defined: a component by its key, a function by its decorator."""
    if isinstance(node, ast.ClassDef):
        return any(isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "key" for line in node.body)
    return any(word in ast.unparse(d) for d in node.decorator_list for word in REGISTERS)


def test_nothing_is_there_for_its_tests_alone() -> None:
    assert not unused([ast.parse(p.read_text(encoding="utf-8")) for p in MODULES])


def test_what_nothing_uses_is_seen() -> None:
    text = "def f(): ...\nclass A:\n    def g(self): ...\nclass B:\n    key = 'b'\nA()\n"
    assert unused([ast.parse(text)]) == ["f", "g"]
    assert unused([ast.parse(text), ast.parse("f()\nA().g")]) == []
