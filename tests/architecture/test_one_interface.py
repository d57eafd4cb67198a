"""The command line and Python are one interface: a command calls what `heldout` offers, and nothing else."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tests.exports import INTERFACE

from heldout.cli.app import VERBS
from heldout.cli.data import app as data_app

CLI = Path(__file__).resolve().parents[2] / "src" / "heldout" / "cli"
COMMANDS = sorted(CLI.glob("*.py"))
SHELL_ONLY = {
    "component_names": "names to complete while a command is typed, without loading the classes that ho.list shows",
    "failed_component": "the component that an error came from, for the sentence that ends a command",
    "kind_names": "the same for kinds",
    "over_results": "a guard around what the command itself draws of results",
    "refuse_overwriting": "a guard before files that the command itself writes",
}
"""Functions of the api that do no work of a verb, and why only a command needs them."""
PYTHON_NAMES = {"data describe": "profile", "data filter": "convert", "report": "load"}
"""Commands whose function has another name: `filter` and `describe` are taken, and results print themselves."""


def api_imports(path: Path) -> Iterator[tuple[str, str]]:
    """Module and name of everything that a file imports from the api; of a whole module the name is empty."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("heldout.api"):
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.startswith("heldout.api"))


def test_a_command_calls_only_what_python_offers() -> None:
    imported = [(path.name, module, name) for path in COMMANDS for module, name in api_imports(path)]
    assert len(imported) > len(VERBS)
    beyond = [(file, module, name) for file, module, name in imported if name not in SHELL_ONLY | INTERFACE.keys()]
    elsewhere = [(file, module, name) for file, module, name in imported if INTERFACE.get(name, module) != module]
    assert (beyond, elsewhere) == ([], []), "export these, or make them part of a verb"


def test_every_command_has_its_function() -> None:
    commands = [*VERBS, *(f"data {command.name}" for command in data_app.registered_commands)]
    functions = {command: PYTHON_NAMES.get(command, command.removeprefix("data ")) for command in commands}
    assert {command: name for command, name in functions.items() if name not in INTERFACE} == {}
    assert len(commands) > len(VERBS)


PRINTED_TUPLES = {"Listing", "Cards", "Fetchable"}
"""Tuples that print themselves."""
HANDED_ON = {"Among", "Between", "Foreign"}
"""Ranges and models of one's own, which are only handed on to other verbs."""


def test_what_a_verb_returns_can_be_named() -> None:
    """So that users can annotate their own functions with it."""
    returned = set[str]()
    for name, module in INTERFACE.items():
        verb = getattr(import_module(module), name)
        if inspect.isfunction(verb) and "return" in verb.__annotations__:
            returned.update(re.findall(r"(?<![\w.])[A-Z]\w+", str(verb.__annotations__["return"])))
    builtin = {"Any", "Component", "None"}
    assert "Results" in returned and returned - set(INTERFACE) - PRINTED_TUPLES - HANDED_ON - builtin == set()


def test_what_only_a_shell_needs_is_used_there() -> None:
    used = {name for path in COMMANDS for _, name in api_imports(path)}
    assert set(SHELL_ONLY) <= used
