"""A reproduction of the small paper, made once for all tests of reports."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from tests.papers.sample import PAPER

from heldout.papers.analysis import claim_row, figure_row, paper_findings
from heldout.papers.bench import PaperBench
from heldout.papers.findings import ReproductionFindings


@cache
def reproduced() -> ReproductionFindings:
    """Both experiments on simulated data."""
    paper = paper_findings(PAPER, [], PaperBench(data="simulated"))
    return ReproductionFindings(papers=(paper,), simulated=True, command="heldout reproduce sample-2000 --data simulated")


def without_data() -> ReproductionFindings:
    """The second experiment without its data: nothing was measured, and no claim can be tested."""
    record = reproduced()
    first, second = record.papers[0].experiments
    declared = PAPER.experiments[1]
    rows = tuple(figure_row(expectation, None) for expectation in declared.expectations)
    claims = tuple(claim_row(claim, None, declared.data.files) for claim in declared.claims)
    lost = replace(second, missing=declared.data.files, rows=rows, claims=claims, panels=())
    return replace(record, papers=(replace(record.papers[0], experiments=(first, lost)),), simulated=False)


def looked_into() -> ReproductionFindings:
    """The first experiment, with the causes of its claim that does not hold and of a number that does not agree."""
    record = reproduced()
    first = record.papers[0].experiments[0]
    why = ("Chance is ruled out by five splits.",)
    claims = tuple(replace(c, causes=why) if c.verdict == "does not hold here" else c for c in first.claims)
    number = replace(first.rows[1], agrees=False, causes=("The data are others.", *why))
    looked_at = replace(first, claims=claims, rows=(first.rows[0], number, *first.rows[2:]))
    return replace(record, papers=(replace(record.papers[0], experiments=(looked_at,)),))
