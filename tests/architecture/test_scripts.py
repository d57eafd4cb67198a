"""Benchmarks, examples and the scripts of the documentation import from Heldout only what it has."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(path for folder in ("benchmarks", "docs", "examples") for path in (ROOT / folder).rglob("*.py"))


def _uses(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Module and name of each import from Heldout, and of each attribute of `heldout` itself."""
    aliases = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.split(".")[0] == "heldout":
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "heldout":
                    yield alias.name, ""
                if alias.name == "heldout":
                    aliases.add(alias.asname or alias.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            yield "heldout", node.attr


def _exists(module: str, name: str) -> bool:
    """True if the module has the name, or a submodule of that name."""
    try:
        found = import_module(module)
        if name and not hasattr(found, name):
            import_module(f"{module}.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "heldout":
            raise
        return False
    return True


def missing(text: str) -> list[str]:
    """What a script uses and Heldout does not have."""
    return sorted({f"{module}:{name}" for module, name in _uses(ast.parse(text)) if not _exists(module, name)})


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_heldout_has_what_a_script_imports(path: Path) -> None:
    assert missing(path.read_text(encoding="utf-8")) == []


def test_what_heldout_lacks_is_seen() -> None:
    text = "import heldout as ho\nfrom heldout import papers\nfrom heldout.none import a\nfrom heldout.rng import b\nho.c\n"
    assert missing(text) == ["heldout.none:a", "heldout.rng:b", "heldout:c"]
