"""Further sentences of the paper, by figures made up for them."""

from __future__ import annotations

import polars as pl
from tests.papers.bellogin2017.made_up import tables

from heldout.papers.bellogin2017.later_claims import LATER_CLAIMS
from heldout.papers.paper import MeasuredTables
from heldout.papers.reproduce import judged


def _verdicts(narrowed: float, expected: float, uniform: float) -> list[str]:
    """The width between bounds ends at `narrowed` where ratings are removed, at 0.5 with larger lists, and begins at 1."""
    ratios = {"P1R": 1.5, "U1R": uniform, "UAR": 5.0}
    values = pl.DataFrame(
        [
            {"protocol": protocol, "metric": "P@10", "system": "Popularity", "value": 0.1, "times_random": ratio}
            for protocol, ratio in ratios.items()
        ]
    )
    ends = {"removed": narrowed, "lists": 0.5}
    sweeps = pl.DataFrame(
        [
            {"sweep": sweep, "protocol": "1R", "system": system, "x": x, "value": 0.1, "lower": 0.0, "upper": width}
            for sweep, end in ends.items()
            for system in ("pLSA", "kNN")
            for x, width in ((0.0, 1.0), (1.0, end))
        ]
    )
    row = {"protocol": "AR", "system": "Popularity", "expected": expected, "low": 0.07, "high": 0.09}
    measured = MeasuredTables({**tables(values).tables, "sweeps": sweeps, "expected": pl.DataFrame([row])})
    return [judged(claim, measured, ()).verdict for claim in LATER_CLAIMS]


def test_bounds_close_faster_equation_3_meets_what_is_measured_and_1r_is_helped_more() -> None:
    assert _verdicts(0.1, 0.08, 2.0) == ["holds"] * 3
    assert _verdicts(0.6, 0.04, 6.0) == ["does not hold here"] * 3
