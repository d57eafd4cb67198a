"""A reproduction of the small paper, made once for all tests of reports."""

from __future__ import annotations

from functools import cache

from tests.papers.sample import PAPER

from heldout.papers.bench import PaperBench
from heldout.papers.record import ReproductionRecord
from heldout.papers.reproduce import reproduce_paper


@cache
def reproduced() -> ReproductionRecord:
    """Both experiments on simulated data."""
    paper = reproduce_paper(PAPER, [], PaperBench(data="simulated"))
    return ReproductionRecord(papers=(paper,), simulated=True, command="heldout reproduce sample-2000 --data simulated")
