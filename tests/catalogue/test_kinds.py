"""Kinds of components."""

from __future__ import annotations

from heldout.catalogue import KINDS, classes
from heldout.catalogue.references import reference


def test_every_kind_has_members_and_words() -> None:
    for kind in KINDS.values():
        assert classes(kind.name), kind.name
        assert kind.word
    assert len({kind.plural for kind in KINDS.values()}) == len(KINDS)


def test_keys_of_third_parties_stay_as_they_are() -> None:
    assert reference("someone2031") == "someone2031"
