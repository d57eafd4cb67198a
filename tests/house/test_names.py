"""Names: of rooms, modules, classes and variables; and two habits that a name cannot hide."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import heldout

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "heldout"
MODULES = sorted(p for p in SOURCE.rglob("*.py") if "vendor" not in p.parts)

HISTORY = frozenset({"found", "made", "told", "known", "asked", "given", "one"})
"""Names that say how a value came about, or that there is one, instead of what it is."""
PARAMETERS = {
    "data/readers/cm100k.py": "known=yes is how study files name the songs that users knew",
    "kernels/counting.py": "one is the number 1 of a type",
    "kernels/descent.py": "one is the number 1 of a type",
    "kernels/lists.py": "one is the number 1 of a type",
}
"""Modules in which such a name is what the value is, and why."""
MOODS = frozenset(
    {
        "ways", "kept", "known", "elsewhere", "left_out", "fitness", "selected", "applying", "fast", "general", "plain",
        "distinct", "valuing", "selecting", "weighing", "many", "drawn", "meetings", "exploring", "reviewing", "verifying",
        "linted", "written", "restated", "typed", "swapped", "located", "remaining", "meeting", "single",
    }
)  # fmt: skip
"""Names of modules that do not tell what is inside."""
LARGEST_POSITIONAL = 4
"""Fields that a constructor may take by position."""


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0]


def _bound(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name that a module gives to a variable, parameter, attribute, function or imported thing, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.alias(asname=str(name)):
                yield node.lineno, name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name
            case _:
                pass


def history(tree: ast.AST) -> list[str]:
    """Where a module names a value after its history."""
    return [f"{line}: {name}" for line, name in _bound(tree) if name.strip("_") in HISTORY]


def positional(tree: ast.AST) -> list[str]:
    """Dataclasses of many fields that may be given by position."""
    return [
        f"{node.lineno}: {node.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and any("dataclass" in ast.unparse(d) and "kw_only=True" not in ast.unparse(d) for d in node.decorator_list)
        and sum(isinstance(line, ast.AnnAssign) and "ClassVar" not in ast.unparse(line) for line in node.body)
        > LARGEST_POSITIONAL
    ]


def set_frozen(tree: ast.AST) -> list[str]:
    """Where a frozen object is changed."""
    return [f"{n.lineno}: {ast.unparse(n)}" for n in _calls(tree) if ast.unparse(n.func) == "object.__setattr__"]


def identities(tree: ast.AST) -> list[str]:
    """Where `id()` is taken: an object that is gone leaves its id to another."""
    return [f"{n.lineno}: {ast.unparse(n)}" for n in _calls(tree) if ast.unparse(n.func) == "id"]


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.Call))


def _broken(check: object, modules: list[Path] = MODULES) -> dict[str, list[str]]:
    lines = {p.relative_to(SOURCE).as_posix(): check(_tree(p)) for p in modules}  # type: ignore[operator]
    return {name: where for name, where in lines.items() if where}


def test_no_room_bears_the_name_of_a_public_function() -> None:
    """Else `heldout.split` would be the room or the function, depending on what was imported before."""
    rooms = {_room(p).removesuffix(".py") for p in MODULES}
    assert not rooms & {name for name in heldout.__all__ if not isinstance(getattr(heldout, name), ModuleType)}


def test_values_are_named_after_what_they_hold() -> None:
    broken = {name: lines for name, lines in _broken(history).items() if name not in PARAMETERS}
    assert not broken, f"call a value what it is, not how it came about ({', '.join(sorted(HISTORY))}): {broken}"


def test_the_examples_of_components_are_named_as_the_house_is() -> None:
    """Whoever copies one from the page adds a file that keeps the rules."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(# \w+\.py\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(examples) >= 5
    for example in examples:
        tree = ast.parse(example)
        assert not history(tree) + positional(tree) + set_frozen(tree) + identities(tree), example.splitlines()[0]


def test_wide_constructors_take_keywords() -> None:
    assert not _broken(positional)


def test_frozen_objects_stay_as_they_are() -> None:
    modules = [p for p in MODULES if p.relative_to(SOURCE).as_posix() != "catalogue/component.py"]  # while it is made
    assert not _broken(set_frozen, modules)


def test_nothing_is_kept_under_an_identity() -> None:
    assert not _broken(identities)


def test_modules_are_named_after_what_they_are() -> None:
    odd = [p.relative_to(SOURCE).as_posix() for p in MODULES if p.stem in MOODS or p.stem.startswith("test")]
    assert not odd, f"name a module after what it holds: {odd}"


def test_no_two_classes_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert not {name: where for name, where in places.items() if len(where) > 1}


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (history, "found = 1"),
        (history, "def f(known): ..."),
        (history, "for made in x: ..."),
        (history, "self.told = 1"),
        (history, "class A:\n    asked: int"),
        (history, "import a as given"),
        (history, "x = [found for found in y]"),
        (history, "_made: int = 1"),
        (positional, "@dataclass(frozen=True)\nclass A:\n    a: int\n    b: int\n    c: int\n    d: int\n    e: int"),
        (set_frozen, "object.__setattr__(a, 'b', 1)"),
        (identities, "x = {id(a): 1}"),
    ],
)
def test_a_broken_habit_is_seen(check: object, text: str) -> None:
    assert check(ast.parse(text)), text  # type: ignore[operator]


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (history, "x = a.found"),
        (history, "founder = 1"),
        (
            positional,
            "@dataclass\nclass A:\n    a: int\n    b: int\n    c: int\n    d: int\n    e: ClassVar[int]",
        ),
        (positional, "@dataclass(kw_only=True)\nclass A:\n    a: int\n    b: int\n    c: int\n    d: int\n    e: int"),
    ],
)
def test_a_kept_habit_is_left(check: object, text: str) -> None:
    assert not check(ast.parse(text)), text  # type: ignore[operator]
