"""A reproduction of the small paper, made once for all tests of reports."""

from __future__ import annotations

from dataclasses import replace
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


def without_data() -> ReproductionRecord:
    record = reproduced()
    first, second = record.papers[0].experiments
    lost = replace(second, missing=("lost/*.txt",), rows=(), claims=(), panels=())
    return replace(record, papers=(replace(record.papers[0], experiments=(first, lost)),), simulated=False)


def looked_into() -> ReproductionRecord:
    """The first experiment, with the causes of its claim that does not hold and of a number that does not agree."""
    record = reproduced()
    first = record.papers[0].experiments[0]
    why = ("Chance is ruled out by five splits.",)
    claims = tuple(replace(c, causes=why) if c.verdict == "does not hold here" else c for c in first.claims)
    number = replace(first.rows[1], agrees=False, causes=("The data are others.", *why))
    looked_at = replace(first, claims=claims, rows=(first.rows[0], number, *first.rows[2:]))
    return replace(record, papers=(replace(record.papers[0], experiments=(looked_at,)),))
