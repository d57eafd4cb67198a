"""What is generated from the catalogue; that the files on disk are so is held by the house."""

from __future__ import annotations

from heldout._components import COMPONENTS
from heldout._exports import EXPORTS
from heldout._groups import GROUPS
from heldout.testing.exports import (
    INTERFACE,
    components_text,
    exports_text,
    generated,
    groups_text,
    readme_table,
    with_table,
)


def table(text: str) -> object:
    names: dict[str, object] = {}
    exec(text, names)
    return next(value for name, value in names.items() if name.isupper())


def test_the_texts_are_the_tables_that_are_imported() -> None:
    assert table(exports_text()) == EXPORTS == {name: module for module, names in INTERFACE.items() for name in names}
    assert table(components_text()) == COMPONENTS and table(groups_text()) == GROUPS


def test_only_components_of_this_package_are_named() -> None:
    modules = [module for names in (*COMPONENTS.values(), *GROUPS.values()) for module in names.values()]
    assert modules and all(module.startswith("heldout.") for module in modules)


def test_the_readme_changes_between_its_marks_alone() -> None:
    readme = "# Title\n<!-- catalogue -->\nOUTDATED\n<!-- end of catalogue -->\nthe rest\n"
    written = with_table(readme)
    assert written.startswith("# Title\n<!-- catalogue -->\n| | |\n") and written.endswith("\nthe rest\n")
    assert "OUTDATED" not in written and readme_table() in written and with_table(written) == written


def test_every_room_of_components_has_a_stub() -> None:
    stubs = {path.parent.name for path in generated() if path.name == "__init__.pyi"}
    assert {room.rpartition(".")[2] for room in GROUPS} <= stubs
