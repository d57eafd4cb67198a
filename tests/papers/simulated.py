"""The simulated world of all tests of papers: what one of them ran, the others take."""

from __future__ import annotations

from functools import cache

from heldout.papers.bench import PaperBench


@cache
def bench() -> PaperBench:
    """A bench on simulated data that keeps what was run in memory."""
    return PaperBench(data="simulated")
