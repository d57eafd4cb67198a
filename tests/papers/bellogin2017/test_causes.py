"""Every cause stands beside a claim."""

from __future__ import annotations

from heldout.papers.bellogin2017 import causes
from heldout.papers.bellogin2017.bias_claims import CLAIMS
from heldout.papers.bellogin2017.later_claims import LATER_CLAIMS


def test_every_cause_is_that_of_a_claim_and_has_figures() -> None:
    declared = {text for name, text in vars(causes).items() if name.isupper()}
    assert declared == {cause for claim in (*CLAIMS, *LATER_CLAIMS) for cause in claim.causes}
    assert all(any(char.isdigit() for char in text) for text in declared)
