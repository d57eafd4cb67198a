"""Every module of 30 lines or more has a test file of its name.

`room/sub/file.py` is held by `tests/room/test_file.py` or `tests/room/sub/test_file.py`. Components of a folder may share
the test file of the folder, `tests/room/test_sub.py` (or `tests/room/test_room.py`, for those that lie in the room itself),
where it names each of them. What only the components of one folder import, and a kernel that a single module calls, is held
by the tests of those. A module without a function (names, fields and generated tables) does nothing that a test could run.
All others stand in `HELD_BY`, one by one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from heldout._components import COMPONENTS

ROOT = Path(__file__).resolve().parents[2]
SOURCE, TESTS = ROOT / "src" / "heldout", ROOT / "tests"
SHORTEST = 30
"""Lines from which on a module needs tests of its own."""

HELD_BY: dict[str, str] = {
    "__init__.py": "tests/test_namespaces.py",
    "papers/canamares2020/split_ratios.py": "tests/papers/canamares2020/test_depths.py",
    "papers/canamares2020/studies.py": "tests/papers/canamares2020/test_tables.py",
}
"""Modules whose tests stand in files of other names."""

CONTRACTS = "testing"
"""The room of contract kits, which `tests/contracts` runs over the whole catalogue."""


def _names() -> dict[str, set[str]]:
    """By path, the names that text forms give the component declared there."""
    names: dict[str, set[str]] = {}
    for modules in COMPONENTS.values():
        for name, module in modules.items():
            names.setdefault(f"{module.removeprefix('heldout.').replace('.', '/')}.py", set()).add(name)
    return names


@cache
def _texts() -> dict[str, str]:
    """By path, the text of every module."""
    paths = (path for path in sorted(SOURCE.rglob("*.py")) if "vendor" not in path.parts)
    return {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def _modules() -> tuple[str, ...]:
    return tuple(module for module, text in _texts().items() if _needs_tests(text))


def _needs_tests(text: str) -> bool:
    """Whether a module is long enough, and has a function or a method."""
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    return len(text.splitlines()) >= SHORTEST and any(functions)


def _own(module: str) -> Iterator[Path]:
    """The test files of the module's name."""
    room, *_ = Path(module).parts
    file = f"test_{Path(module).stem}.py"
    yield TESTS / Path(module).parent / file
    if "/" in module:
        yield TESTS / room / file
    if room == CONTRACTS:
        yield TESTS / "contracts" / file


def _family_names(module: str, names: set[str]) -> bool:
    """Whether a test file of the component's folder, or the cases beside it, names the component by its key or its class."""
    folder = Path(module).parent
    classes = set(re.findall(r"^class (\w+)", _texts()[module], re.MULTILINE))
    spelt = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, names | classes))})(?!\w)")
    files = [parent / f"test_{folder.name}.py" for parent in (TESTS / folder.parts[0], TESTS / folder.parent)]
    texts = [path for file in files if file.exists() for path in (file, file.parent / "cases.py") if path.exists()]
    return any(spelt.search(path.read_text(encoding="utf-8")) for path in texts)


def _importers(module: str) -> list[str]:
    """The modules that import from this one."""
    name = module.removesuffix(".py").replace("/", ".")
    imports = re.compile(rf"^\s*from heldout\.{re.escape(name)} import ", re.MULTILINE)
    return [importer for importer, text in _texts().items() if imports.search(text)]


def _helps(module: str, names: dict[str, set[str]]) -> list[str]:
    """Whose tests hold a module that has none: the components of the one folder, or the one caller of a kernel."""
    importers = _importers(module)
    kernel = module.startswith("kernels/")
    if kernel and len(importers) == 1:
        return importers
    folders = {Path(importer).parent for importer in importers}
    if len(folders) != 1 or not (kernel or folders == {Path(module).parent}):
        return []
    components = [importer for importer in importers if importer in names]
    (folder,) = folders
    return importers if components and len(folder.parts) > 1 else []


def _held(module: str, names: dict[str, set[str]]) -> bool:
    if module in HELD_BY or any(path.exists() for path in _own(module)):
        return True
    if module in names and _family_names(module, names[module]):
        return True
    long = set(_modules())
    helped = [importer for importer in _helps(module, names) if importer in long]
    return bool(helped) and module not in names and all(_held(importer, names) for importer in helped)


def test_every_module_has_a_test_file_of_its_name() -> None:
    names = _names()
    assert not [module for module in _modules() if not _held(module, names)]


def test_what_holds_a_module_is_there() -> None:
    """An exception is of a module that there is and that no test file bears the name of, and names tests that there are."""
    assert not [name for name in HELD_BY.values() if not (ROOT / name).exists()]
    modules = set(_modules())
    assert not [name for name in HELD_BY if name not in modules or any(path.exists() for path in _own(name))]
