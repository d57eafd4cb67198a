"""What every component says of itself, the bibliography, and the pages of coded notices."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import heldout
from heldout.catalogue import KINDS, Component, classes, find, find_any, parameters
from heldout.catalogue.describe import describe
from heldout.catalogue.notices import concern
from heldout.errors import UnknownNameError

ALL = [cls for kind in KINDS for cls in classes(kind)]


NAMES = [f"{cls.kind.name} {cls.key}" for cls in ALL]


@pytest.mark.parametrize("cls", ALL, ids=NAMES)
def test_every_component_is_described(cls: type[Component]) -> None:
    found = describe(cls)
    assert found.summary[-1] in ".?"
    assert "\n" not in found.summary
    assert found.assumes
    assert found.example
    assert found.signature.startswith(cls.key)
    assert len(found.parameters) == len(parameters(cls))
    for parameter in found.parameters:
        assert parameter.doc
        assert parameter.type
        assert not parameter.doc.endswith(".")


def test_a_description_in_full() -> None:
    found = describe(find("target", "OnePlusRandom"))
    assert (found.kind, found.decision) == ("target", "C1")
    defaults = {p.name: p.default for p in found.parameters}
    assert defaults["nonrelevant"] == "required"
    assert defaults["relevance"] == "none"
    docs = {p.name: (p.type, p.doc) for p in found.parameters}
    assert docs["nonrelevant"] == ("a whole number", "N, sampled items in each list (also N)")
    assert docs["average"][0] == "one of user, rating"


def test_a_metric_without_a_bound_or_a_better_end_says_so() -> None:
    facts = dict(describe(find("metric", "Novelty")).facts)
    assert facts["Range"] == "0 to ∞" and facts["Better"] == "neither; as an objective, higher values"
    assert dict(describe(find("metric", "Recall")).facts)["Better"] == "higher values"


def test_a_name_of_several_kinds_finds_all() -> None:
    assert {cls.kind.name for cls in find_any("ZERO")} >= {"coverage", "undefined", "unrated"}
    with pytest.raises(UnknownNameError, match="unknown component 'zeroo'; did you mean zero"):
        find_any("zeroo")


def test_every_notice_that_is_given_has_a_page() -> None:
    folder = Path(heldout.__file__).parent
    given = {code for path in folder.rglob("*.py") for code in re.findall(r"\"(HO\d+)\"", path.read_text(encoding="utf-8"))}
    pages = [concern(cls.key) for cls in classes("rule") if cls.__module__.startswith("heldout.")]
    assert given == {page.key for page in pages}
    for page in pages:
        assert re.fullmatch(r"HO\d{3}", page.key)
        assert page.title
        assert not page.title.endswith(".")
        assert page.explanation.strip().endswith(".")
    assert len({page.title for page in pages}) == len(pages)
