"""What a component says of itself is declared on the component: the rooms ask it, and never look at its name or class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from heldout.catalogue import KINDS, classes

SOURCE = Path(__file__).resolve().parents[2] / "src" / "heldout"
COMPONENTS = {cls.__name__: cls for kind in KINDS for cls in classes(kind)}
KEYS = {name for cls in COMPONENTS.values() for name in (cls.key, *cls.aliases)}
ALLOWED = {
    "splits/sampled_users.py": "test_users within test_users is refused by test_users itself",
}
"""Files that name a class of components, and why that is no switch that others cannot join."""


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def _texts(node: ast.expr) -> list[str]:
    """The texts that an operand is or holds."""
    nodes = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def _is_text_of(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str"


def _names_a_component(node: ast.Compare) -> bool:
    """`x.key == …`, and `str(x) == "zero"` where "zero" is some component's key."""
    operands = [node.left, *node.comparators]
    keyed = any(isinstance(o, ast.Attribute) and o.attr == "key" for o in operands)
    equal = isinstance(node.ops[0], ast.Eq | ast.NotEq)
    written = any(_is_text_of(o) for o in (operands if equal else [node.left]))
    literal = {text for operand in operands for text in _texts(operand)}
    return (keyed and bool(literal)) or (written and bool(literal & KEYS))


def _asks_for_a_class(node: ast.AST) -> bool:
    """`isinstance(x, Mean)`, Mean being a component that has a name."""
    called = node.func if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or not isinstance(called, ast.Name) or called.id not in ("isinstance", "issubclass"):
        return False
    return any(isinstance(n, ast.Name) and n.id in COMPONENTS for n in ast.walk(node.args[1]))


def test_no_room_compares_a_component_with_a_name() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path, tree in _modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and _names_a_component(node)
    ]
    assert not found


def test_no_room_asks_for_the_class_of_a_component() -> None:
    found = {path for path, tree in _modules() for node in ast.walk(tree) if _asks_for_a_class(node)}
    assert found == set(ALLOWED)


def test_the_check_sees_what_it_looks_for() -> None:
    def compared(text: str) -> bool:
        node = ast.parse(text, mode="eval").body
        assert isinstance(node, ast.Compare)
        return _names_a_component(node)

    assert compared('aggregation.key == "pooled"')
    assert compared('metric.key in ("RR", "bpref")')
    assert compared('str(rule) == "zero"')
    assert not compared('"full" in str(error)')
    assert not compared('metric.direction == "none"')
    assert not compared("rule.key in met")
