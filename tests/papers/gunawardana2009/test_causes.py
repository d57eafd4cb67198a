"""Every cause stands beside a number or a claim."""

from __future__ import annotations

from heldout.papers.gunawardana2009 import causes
from heldout.papers.gunawardana2009.paper import PAPER


def test_every_cause_is_that_of_a_number_or_a_claim_and_has_figures() -> None:
    declared = {text for name, text in vars(causes).items() if name.isupper()}
    rows = [row for experiment in PAPER.experiments for row in (*experiment.expectations, *experiment.claims)]
    assert declared == {cause for row in rows for cause in row.causes}
    assert all(any(char.isdigit() for char in text) for text in declared)
