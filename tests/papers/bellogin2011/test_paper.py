"""Bellogín et al. 2011 on simulated data and, where they are there, on the splits of MovieLens 100K."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from tests.papers.simulated import bench

from heldout.papers.analysis import paper_findings
from heldout.papers.bellogin2011.paper import PAPER
from heldout.papers.bench import PaperBench


def test_all_numbers_are_measured_and_all_claims_judged() -> None:
    sizes, table, figure, readings, _ = paper_findings(PAPER, [], bench()).experiments
    assert len(table.rows) == 12 and all(math.isfinite(row.measured) for row in table.rows)
    assert not figure.failures and {claim.verdict for claim in figure.claims} == {"holds", "does not hold here"}
    assert [claim.verdict for claim in sizes.claims] == ["does not hold here", "holds"]  # fewer items
    assert len(readings.claims) == 6
    assert all(claim.verdict in ("holds", "does not hold here") for claim in readings.claims)


def test_table_1_is_met_to_the_last_digit(real_data: Callable[[str], Path]) -> None:
    record = paper_findings(PAPER, ["table-1"], PaperBench(data=real_data("ml-100k").parent))
    assert [row.agrees for row in record.experiments[0].rows] == [True] * 12
    [sizes] = paper_findings(PAPER, ["sizes"], PaperBench(data=real_data("ml-100k").parent)).experiments
    assert [row.agrees for row in sizes.rows] == [True] * 2 and [claim.verdict for claim in sizes.claims] == ["holds"] * 2


def test_published_splits_are_asked_for_by_file(tmp_path: Path) -> None:
    (tmp_path / "ml-100k").mkdir()
    (tmp_path / "ml-100k" / "u.data").write_text("1\t1\t5\t881250949\n")
    [table] = paper_findings(PAPER, ["table-1"], PaperBench(data=tmp_path)).experiments
    assert table.missing == tuple(f"ml-100k/{name}.test" for name in ("u1", "u2", "u3", "u4", "u5", "ua", "ub"))
