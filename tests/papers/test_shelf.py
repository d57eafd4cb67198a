"""Every paper on the shelf is declared whole, and runs on simulated data."""

from __future__ import annotations

import pytest

from heldout.catalogue.references import bibliography
from heldout.errors import UnknownNameError
from heldout.papers.paper import Paper
from heldout.papers.shelf import PAPERS, paper_of


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_keys_are_unique_and_references_known(paper: Paper) -> None:
    keys = [experiment.key for experiment in paper.experiments]
    assert len(set(keys)) == len(keys) > 0
    assert paper.reference in bibliography()
    assert paper_of(paper.key) is paper
    for experiment in paper.experiments:
        assert experiment.expectations or experiment.claims
        assert experiment.minutes > 0 and experiment.data.files and experiment.data.layout
        assert all(claim.section and claim.rule and claim.words for claim in experiment.claims)


def test_an_unknown_paper_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown paper 'canamares2020'"):
        paper_of("canamares2020")
