"""The bibliography."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import heldout
from heldout.catalogue import KINDS, Component, classes
from heldout.catalogue.references import bibliography, reference

ALL = [cls for kind in KINDS for cls in classes(kind)]


NAMES = [f"{cls.kind.name} {cls.key}" for cls in ALL]


@pytest.mark.parametrize("cls", ALL, ids=NAMES)
def test_every_reference_is_in_the_bibliography(cls: type[Component]) -> None:
    assert set(cls.references) <= set(bibliography())
    for key in cls.references:
        assert re.search(r"\(\d{4}\)\. .+\.$", reference(key))


def test_entries_of_the_bibliography_are_whole() -> None:
    text = (Path(heldout.__file__).parent / "catalogue" / "references.bib").read_text(encoding="utf-8")
    assert len(bibliography()) == text.count("\n@") + text.startswith("@")
    for key, entry in bibliography().items():
        for field in ("author", "title", "year"):
            assert entry.get(field), (key, field)
