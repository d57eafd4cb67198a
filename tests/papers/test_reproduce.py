"""Published beside measured: intervals over splits, places of p-values, verdicts, and data that are not there."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.papers.sample import PAPER, TINY

from heldout.errors import UnknownNameError
from heldout.papers.bench import PaperBench
from heldout.papers.paper import Claim, ClaimFinding, Expectation, MeasuredTables
from heldout.papers.reproduce import chosen, compared, judged, reproduce_paper

NOTHING = MeasuredTables({})


def _row(numbers: list[float], published: float, kind: str = "value", decimals: int = 3):
    expectation = Expectation(
        row="r",
        column="c",
        published=published,
        pick=lambda _: numbers,
        kind=kind,
        decimals=decimals,  # type: ignore[arg-type]
    )
    return compared(expectation, NOTHING)


def test_a_further_split_lies_within_t_times_s_by_the_root_of_one_plus_a_third() -> None:
    row = _row([1.0, 2.0, 3.0], 2.5)
    reach = 4.302652729911275 * 1.0 * math.sqrt(4 / 3)  # t of 2 degrees of freedom at 0.975
    assert row.measured == 2.0 and row.difference == -0.5 and row.splits == 3
    assert row.low == pytest.approx(2 - reach) and row.high == pytest.approx(2 + reach)
    assert row.agrees is True
    assert _row([1.0, 1.0, 1.0], 1.0004).agrees is True  # printed with three decimals
    assert _row([1.0, 1.0, 1.0], 1.001).agrees is False
    assert _row([1.0], 1.0).agrees is None  # one split tells nothing of chance


def test_a_count_must_be_met_and_a_p_value_is_placed_among_those_of_the_splits() -> None:
    assert _row([0.96231], 0.962, "count").agrees is True
    assert _row([0.911], 0.962, "count").agrees is False
    row = _row([0.3, 0.01, 0.2], 0.039, "p")
    assert (row.place, row.measured, row.low, row.high) == ("above 1 of 3", 0.2, 0.01, 0.3)
    assert row.agrees is None and math.isnan(row.difference)


def test_causes_are_those_of_numbers_that_do_not_agree() -> None:
    expectation = Expectation(row="r", column="c", published=1.0, pick=lambda _: [1.0, 1.1], causes=("Why.",))
    assert compared(expectation, NOTHING).causes == ()
    other = replace(expectation, published=9.0)
    assert compared(other, NOTHING).causes == ("Why.",)
    assert compared(other, NOTHING, simulated=True).causes == compared(other, None).causes == ()


def test_simulated_data_and_what_was_not_measured_agree_with_nothing() -> None:
    expectation = Expectation(row="r", column="c", published=1.0, pick=lambda _: [1.0, 1.1])
    assert compared(expectation, NOTHING, simulated=True).agrees is None
    row = compared(expectation, None)
    assert math.isnan(row.measured) and row.splits == 0 and row.agrees is None


@pytest.mark.parametrize(("holds", "verdict"), [(True, "holds"), (False, "does not hold here"), (None, "cannot be tested")])
def test_a_verdict_is_what_the_rule_says(holds: bool | None, verdict: str) -> None:
    claim = Claim(words="w", section="s", rule="r", check=lambda _: ClaimFinding(holds, "figures"))
    assert judged(claim, NOTHING, ()).verdict == verdict
    why = replace(claim, causes=("Why.",))
    assert judged(why, NOTHING, ()).causes == (("Why.",) if holds is False else ())
    assert judged(why, NOTHING, (), simulated=True).causes == ()
    lost = judged(claim, None, ("lost/*.txt",))
    assert lost.verdict == "cannot be tested" and "lost/*.txt" in lost.figures


def test_experiments_whose_files_are_missing_say_so_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    rows = [f"u{u},i{i},{1 + (u * i) % 5}" for u in range(20) for i in range(15) if (u + i) % 3]
    (tmp_path / "tiny" / "ratings.csv").write_text("\n".join(["user,item,rating", *rows]))
    record = reproduce_paper(PAPER, [], PaperBench(data=tmp_path))
    here, lost = record.experiments
    assert not here.missing and here.panels and {row.splits for row in here.rows} == {3}
    assert lost.missing == ("lost/*.txt",) and not lost.panels
    assert {claim.verdict for claim in lost.claims} == {"cannot be tested"}
    assert here.data == TINY.title


def test_simulated_data_stand_in_for_all(tmp_path: Path) -> None:
    bench = PaperBench(data="simulated")
    record = reproduce_paper(PAPER, ["fig-2"], bench)
    (experiment,) = record.experiments
    assert not experiment.missing and experiment.data == TINY.stand_in
    assert {row.splits for row in experiment.rows} == {2}
    assert list(bench.inputs) == ["lost"]


def test_unknown_experiments_are_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown experiment 'fig-3'"):
        chosen(PAPER, ["fig-3"])
    assert [e.key for e in chosen(PAPER, ["fig-2", "fig-2"])] == ["fig-2"]


def test_rows_of_a_table_are_those_with_these_values_by_split() -> None:
    frame = pl.DataFrame({"seed": [2, 1, 1], "system": ["A", "A", "B"], "value": [0.2, 0.1, None]})
    measured = MeasuredTables({"values": frame})
    assert measured.numbers("values", "value", system="A") == [0.1, 0.2]
    assert measured.numbers("values", "value", system="B") == []
