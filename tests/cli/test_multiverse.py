"""`heldout multiverse`, through the command line and from Python."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.conftest import Command
from tests.heavy import heavy
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError, UnknownNameError

STUDY = """
data = "simulate(users=120, items=60, ratings=2500)"
split = ["ratio(train=0.5)", "ratio(train=0.8)"]
recommend = ["Popularity", "Random"]
target = ["AllItems", "TestRatings"]
metrics = ["P", "nDCG"]
aggregate = ["mean", "gmean"]
compare = ["t", "sign"]
[multiverse]
seeds = [1, 2]
cutoffs = [5, 10]
gains = ["binary", "exp2"]
"""
# P has no gain map: 2 splits × 2 seeds × 2 targets × (1 + 2) metrics × 2 cut-offs × 2 aggregations × 2 tests
UNIVERSES = 2 * 2 * 2 * 3 * 2 * 2 * 2
KEPT = ("universes.parquet", "multiverse.json", "report.html")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def test_a_study_file_becomes_a_table_findings_and_a_report(heldout: Command, study: Path, tmp_path: Path) -> None:
    said = heldout("multiverse", study, "--out", tmp_path / "out", "--verbose")
    assert said.code == 0
    assert f"{UNIVERSES} universes" in said.out
    assert "Popularity" in said.out
    assert "report.html" in said.out
    assert "fit" in said.err
    table = pl.read_parquet(tmp_path / "out" / "universes.parquet")
    assert len(table) == UNIVERSES
    assert {"split", "seed", "target", "metric", "cutoff", "gain", "aggregate", "test", "effect", "p", "winner"} <= set(
        table.columns
    )
    found = json.loads((tmp_path / "out" / "multiverse.json").read_text(encoding="utf-8"))
    assert found["universes"] == UNIVERSES
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "src=" not in page
    assert "<link" not in page


def test_it_is_printed_again(heldout: Command, study: Path, tmp_path: Path) -> None:
    first = heldout("multiverse", study, "--out", tmp_path / "out").out
    (tmp_path / "out" / "report.html").unlink()
    again = heldout("report", tmp_path / "out", "--html").out
    assert again.strip()
    assert again.strip() in first
    assert (tmp_path / "out" / "report.html").exists()


def test_again_nothing_is_computed_and_the_bytes_are_the_same(heldout: Command, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    heldout("multiverse", study, "--out", out)
    before = {name: (out / name).read_bytes() for name in KEPT}
    said = heldout("multiverse", study, "--out", out)
    assert "universes of 4 of 4 splits reused" in said.err
    assert before == {name: (out / name).read_bytes() for name in KEPT}


def test_another_metric_is_measured_from_kept_fits(heldout: Command, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    heldout("multiverse", study, "--out", out)
    study.write_text(STUDY.replace('"nDCG"]', '"nDCG", "RR"]'), encoding="utf-8")
    said = heldout("multiverse", study, "--out", out)
    assert "0 of 4 splits reused; the others computed (metrics changed) from 8 kept fits and 0 new ones" in said.err
    alone = tmp_path / "alone"
    heldout("multiverse", study, "--out", alone)
    assert (out / "universes.parquet").read_bytes() == (alone / "universes.parquet").read_bytes()


@heavy
def test_ray_gives_the_same_bytes(ray_engine: object, heldout: Command, study: Path, tmp_path: Path) -> None:
    heldout("multiverse", study, "--out", tmp_path / "here")
    assert heldout("multiverse", study, "--out", tmp_path / "there", "--engine", "ray").code == 0
    for name in KEPT:
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_a_dry_run_counts_and_writes_nothing(heldout: Command, study: Path, tmp_path: Path) -> None:
    said = heldout("multiverse", study, "--out", tmp_path / "out", "--dry-run")
    assert said.code == 0
    assert f"{UNIVERSES} distinct universes from 8 fits" in said.out
    assert "about" in said.out
    assert not (tmp_path / "out").exists()
    heldout("multiverse", study, "--out", tmp_path / "out")
    assert "8 fits, 8 of which the folder has" in heldout(
        "multiverse", study, "--out", tmp_path / "out", "--dry-run"
    ).out.replace("\n", " ")


def test_data_and_systems_are_enough(heldout: Command, tmp_path: Path) -> None:
    ratings = tmp_path / "ratings.csv"
    draw = np.random.default_rng(1)
    pairs = draw.permutation(60 * 30)[:900]
    pl.DataFrame({"user": pairs // 30, "item": pairs % 30, "rating": draw.integers(1, 6, 900)}).write_csv(ratings)
    said = heldout("multiverse", "--data", ratings, "--systems", "popularity,random", "--out", tmp_path / "out")
    assert said.code == 0
    table = pl.read_parquet(tmp_path / "out" / "universes.parquet")
    assert table["split"].unique().sort().to_list() != []
    assert table["metric"].n_unique() == 6
    assert table["a"].unique().to_list() == ["Popularity"]


def test_data_and_systems_may_replace_those_of_a_study(heldout: Command, study: Path, tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    pairs = draw.permutation(60 * 30)[:900]
    frame = pl.DataFrame({"user": pairs // 30, "item": pairs % 30, "rating": draw.integers(1, 6, 900)})
    frame.write_csv(tmp_path / "ratings.csv")
    options = ("--data", tmp_path / "ratings.csv", "--systems", "Random, AverageRating", "--out", tmp_path / "out")
    assert heldout("multiverse", study, *options).code == 0
    table = pl.read_parquet(tmp_path / "out" / "universes.parquet")
    assert table.select("a", "b").unique().row(0) == ("Random", "AverageRating")
    assert "ratings.csv" in str(table["data"][0])


def test_systems_with_parameters_and_data_in_text_form_replace_those_of_a_study(
    heldout: Command, study: Path, tmp_path: Path
) -> None:
    data = "simulate(users=40, items=30, ratings=500)"
    options = ("--data", data, "--systems", "UserKNN(k=2, q=2),Random", "--out", tmp_path / "out")
    assert heldout("multiverse", study, *options).code == 0
    table = pl.read_parquet(tmp_path / "out" / "universes.parquet")
    assert table.select("data", "a", "b").unique().row(0) == (data, "UserKNN(k=2, q=2)", "Random")


def test_a_failing_system_is_marked_and_the_rest_is_complete(heldout: Command, study: Path, tmp_path: Path) -> None:
    study.write_text(STUDY.replace('"Random"]', '"Random", "PureSVD(factors=5000)"]'), encoding="utf-8")
    said = heldout("multiverse", study, "--out", tmp_path / "out")
    assert said.code == 3
    assert "failed" in said.err
    assert "PureSVD" in said.err
    table = pl.read_parquet(tmp_path / "out" / "universes.parquet")
    broken = table.filter(pl.col("b") == "PureSVD(factors=5000)")
    assert broken["value_b"].is_nan().all()
    assert broken["p"].is_nan().all()
    whole = table.filter((pl.col("a") == "Popularity") & (pl.col("b") == "Random"))
    assert whole["difference"].is_not_nan().all()
    assert len(whole) == UNIVERSES


def test_from_python(study: Path, tmp_path: Path) -> None:
    made = ho.multiverse(study, out=tmp_path / "out")
    assert len(made.tables["universes"].frame) == UNIVERSES
    assert len(made.sentences) == 1
    assert "Popularity" in repr(made)
    again = ho.load(tmp_path / "out")
    assert again.sentences == made.sentences
    assert again.tables["universes"].frame.equals(made.tables["universes"].frame)
    assert made.figures["speccurve"].spec == again.figures["speccurve"].spec
    with refused(UnknownNameError, where="figure", found="pie", hint="known: data-activity"):
        made.figures["pie"]


def test_results_of_the_other_kind_are_told_apart(study: Path, tmp_path: Path) -> None:
    ho.run(
        {"data": "simulate(users=60, items=30, ratings=600)", "split": "ratio", "recommend": ["Random"]}, out=tmp_path / "a"
    )
    assert isinstance(ho.load(tmp_path / "a").findings, ho.Findings)
    ho.multiverse(study, out=tmp_path / "b")
    assert isinstance(ho.load(tmp_path / "b").findings, ho.MultiverseFindings)
    with refused(ResultsError, where=str(tmp_path / "b"), hint="ho.load and heldout report show them"):
        ho.compare(tmp_path / "b")


def test_a_plain_study_and_a_multiverse_do_not_share_a_folder(heldout: Command, study: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.toml"
    plain.write_text('data = "simulate(users=60, items=30, ratings=600)"\nsplit = "ratio"\nrecommend = ["Random"]\n')
    assert heldout("run", plain, "--out", tmp_path / "a").code == 0
    told = heldout("multiverse", study, "--out", tmp_path / "a")
    assert told.code == 2
    assert "the folder holds the results of one study" in told.err
    heldout("multiverse", study, "--out", tmp_path / "b")
    told = heldout("run", plain, "--out", tmp_path / "b")
    assert told.code == 2
    assert "the folder holds the results of a multiverse" in told.err


def test_lists_of_one_item_make_no_universe(heldout: Command, study: Path, tmp_path: Path) -> None:
    study.write_text(STUDY.replace('"ratio(train=0.8)"', '"leave_out(1)"'), encoding="utf-8")
    said = heldout("multiverse", study, "--out", tmp_path / "out")
    assert "TestRatings under leave_out(l=1): no user has two test items, so nothing is ranked" in " ".join(said.out.split())
    table = pl.read_parquet(tmp_path / "out" / "universes.parquet")
    assert len(table) == UNIVERSES * 3 // 4


def test_a_dry_run_counts_one_as_one(heldout: Command, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        'data = "simulate(users=60, items=40, ratings=900)"\nsplit = "ratio(train=0.7)"\n'
        'recommend = ["Popularity", "Random"]\nmetrics = ["P"]\n[multiverse]\ncutoffs = [5]\n'
    )
    said = heldout("multiverse", study, "--out", tmp_path / "out", "--dry-run").out
    assert "1 data set after filters" in said and "1 fold " in said and "1 metric, then 2 verdicts" in said, said
