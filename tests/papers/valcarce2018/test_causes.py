"""Every cause stands beside a claim."""

from __future__ import annotations

from heldout.papers.valcarce2018 import causes
from heldout.papers.valcarce2018.paper import PAPER


def test_every_cause_is_that_of_a_claim_and_has_figures() -> None:
    declared = {text for name, text in vars(causes).items() if name.isupper()}
    assert declared == {cause for e in PAPER.experiments for row in (*e.claims, *e.expectations) for cause in row.causes}
    assert all(any(char.isdigit() for char in text) for text in declared)
