"""Abbreviations that reports use."""

from __future__ import annotations

import pytest

import heldout as ho
from heldout.biases.protocols import SPELT_OUT
from heldout.catalogue.references import bibliography
from heldout.catalogue.terms import TERMS, term


@pytest.mark.parametrize(("spelling", "name"), [("dp", "DP"), ("type M", "type-M"), ("type-s", "type-S"), ("tau", "τ-b")])
def test_an_abbreviation_has_several_spellings(spelling: str, name: str) -> None:
    found = term(spelling)
    assert found is not None and found[0] == name
    assert ho.describe(spelling)[0][0] == f"{name} ({TERMS[name].words})"


def test_every_work_that_a_term_cites_is_listed() -> None:
    assert {key for own in TERMS.values() for key in own.references} <= set(bibliography())


@pytest.mark.parametrize("name", ["P1R", "U1R", "UAR", "AI-AR", "AR-NN", "DP", "Eρ²", "type-S", "type-M"])
def test_acronyms_of_reports_are_described(name: str) -> None:
    assert ho.describe(name)


def test_no_term_hides_a_component() -> None:
    assert term("P1R") is None and term("nDCG") is None and term("P") is None
    assert {"P1R", "bpref"} <= set(SPELT_OUT)
