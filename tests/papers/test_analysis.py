"""Published beside measured: intervals over splits, places of p-values, verdicts, and data that are not there."""

from __future__ import annotations

import csv
import math
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from tests.papers.sample import PAPER, TINY
from tests.refusals import refused

from heldout.catalogue.references import bibliography
from heldout.errors import UnknownNameError
from heldout.papers.analysis import PAPERS, claim_row, experiments_of, figure_row, paper_findings, paper_of
from heldout.papers.bench import PaperBench
from heldout.papers.paper import Claim, ClaimFinding, Expectation, MeasuredTables, Paper

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
    return figure_row(expectation, NOTHING)


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
    assert figure_row(expectation, NOTHING).causes == ()
    other = replace(expectation, published=9.0)
    assert figure_row(other, NOTHING).causes == ("Why.",)
    assert figure_row(other, NOTHING, simulated=True).causes == figure_row(other, None).causes == ()


def test_simulated_data_and_what_was_not_measured_agree_with_nothing() -> None:
    expectation = Expectation(row="r", column="c", published=1.0, pick=lambda _: [1.0, 1.1])
    assert figure_row(expectation, NOTHING, simulated=True).agrees is None
    row = figure_row(expectation, None)
    assert math.isnan(row.measured) and row.splits == 0 and row.agrees is None


@pytest.mark.parametrize(("holds", "verdict"), [(True, "holds"), (False, "does not hold here"), (None, "cannot be tested")])
def test_a_verdict_is_what_the_rule_says(holds: bool | None, verdict: str) -> None:
    claim = Claim(words="w", section="s", rule="r", check=lambda _: ClaimFinding(holds, "figures"))
    assert claim_row(claim, NOTHING, ()).verdict == verdict
    why = replace(claim, causes=("Why.",))
    assert claim_row(why, NOTHING, ()).causes == (("Why.",) if holds is False else ())
    assert claim_row(why, NOTHING, (), simulated=True).causes == ()
    lost = claim_row(claim, None, ("lost/*.txt",))
    assert lost.verdict == "cannot be tested" and "lost/*.txt" in lost.figures


def test_experiments_whose_files_are_missing_say_so_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    rows = [f"u{u},i{i},{1 + (u * i) % 5}" for u in range(20) for i in range(15) if (u + i) % 3]
    (tmp_path / "tiny" / "ratings.csv").write_text("\n".join(["user,item,rating", *rows]))
    record = paper_findings(PAPER, [], PaperBench(data=tmp_path))
    here, lost = record.experiments
    assert not here.missing and here.panels and {row.splits for row in here.rows} == {3}
    assert lost.missing == ("lost/*.txt",) and not lost.panels
    assert {claim.verdict for claim in lost.claims} == {"cannot be tested"}
    assert here.data == TINY.title


def test_simulated_data_stand_in_for_all(tmp_path: Path) -> None:
    bench = PaperBench(data="simulated")
    record = paper_findings(PAPER, ["fig-2"], bench)
    (experiment,) = record.experiments
    assert not experiment.missing and experiment.data == TINY.stand_in
    assert {row.splits for row in experiment.rows} == {2}
    assert list(bench.inputs) == ["lost"]


def test_unknown_experiments_are_named() -> None:
    with refused(UnknownNameError, where="sample-2000", found="fig-3", hint="did you mean fig-2?"):
        experiments_of(PAPER, ["fig-3"])
    assert [e.key for e in experiments_of(PAPER, ["fig-2", "fig-2"])] == ["fig-2"]


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
    with refused(UnknownNameError, found="canamares2020", hint="did you mean canamares-2020?"):
        paper_of("canamares2020")


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_everything_that_a_file_declares_is_used_and_causes_have_figures(paper: Paper) -> None:
    declared = tomllib.loads((files(f"heldout.papers.{paper.reference}") / "paper.toml").read_text("utf-8"))
    rows = [row for experiment in paper.experiments for row in (*experiment.expectations, *experiment.claims)]
    assert set(declared["causes"].values()) == {cause for row in rows for cause in row.causes}
    assert all(any(char.isdigit() for char in text) for text in declared["causes"].values())
    assert set(declared["claims"]) == {claim.key for experiment in paper.experiments for claim in experiment.claims}
    with (files(f"heldout.papers.{paper.reference}") / "numbers.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == sum(len(experiment.expectations) for experiment in paper.experiments)
