"""What a paper's look at biases finds is kept, and stands beside what is said of the data."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.papers.sample import TINY

import heldout as ho
from heldout.biases.sweeps import without_tastes
from heldout.data.simulation_fit import fitted
from heldout.papers.bench import PaperBench
from heldout.papers.bias_runs import BiasRun, SkewedRun, ThinnedRun

RUN = BiasRun(
    keys={
        "split": "ratio(train=0.6)",
        "recommend": ["UserKNN(k=5)"],
        "relevance": "threshold(4)",
        "target": "TestItems",
        "metrics": ["P@3"],
        "compare": "t",
    },
    options={"sweeps": (), "sampled": 5, "classes": 2},
    liked=5,
    uniform="uniform_test(share=0.2, keep=0.2)",
)


def test_findings_are_kept_and_the_data_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = RUN.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    assert {"AR", "1R"} <= set(first.tables["values"]["protocol"])
    assert set(first.tables["values"]["system"]) == {"UserKNN(k=5)", "Popularity", "Random"}
    liked = first.tables["distributions"].filter(kind="liked")
    assert set(liked["name"]) == {"simulated data"}, "a chart is not titled by data that were not read"
    curve = liked["ratings"].to_list()
    assert (curve[0], curve[-1], curve == sorted(curve)) == (0.0, 1.0, True)
    assert first.tables["items"]["ratings"].sum() == 500 and first.numbers("data", "users") == [40]

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("it was measured again")

    monkeypatch.setattr("heldout.bias", refuse)
    again = RUN.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    assert again.tables["values"].equals(first.tables["values"], null_equal=True)


SKEWED = {
    "split": "ratio(train=0.6)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "target": "TestItems",
    "metrics": ["Recall@3"],
    "compare": "none",
}


def test_a_skew_is_a_study_of_the_fitted_data_without_tastes(tmp_path: Path) -> None:
    run = SkewedRun(keys=SKEWED, alphas=(0.0, 2.0))
    bench = PaperBench(data="simulated", out=tmp_path)
    rows = run.measure(bench, TINY).tables["skewed"]
    like = fitted(bench.source(TINY).read().interactions("error"), seed=1)
    board = ho.run({**SKEWED, "data": without_tastes(like, 2.0)}).tables["all-leaderboards"].frame
    for row in rows.filter(alpha=2.0).iter_rows(named=True):
        [value] = board.filter(system=row["system"])["value"]
        assert row["value"] == pytest.approx(value)
    flat, steep = rows.filter(system="Popularity").sort("alpha")["value"]
    assert flat < steep
    again = PaperBench(data="simulated", out=tmp_path)
    assert run.measure(again, TINY).tables["skewed"].equals(rows) and again.computed == 0


THINNED = {
    "split": "ratio(train=0.6)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "target": "TestItems",
    "metrics": ["P@3", "Recall@3"],
    "compare": "none",
}


def test_nothing_removed_is_the_study_itself_and_removed_ratings_cost_precision(tmp_path: Path) -> None:
    run = ThinnedRun(keys=THINNED, removed=(0.0, 0.8))
    rows = run.measure(PaperBench(data="simulated", out=tmp_path), TINY).tables["removed"]
    assert len(rows) == 2 * 2 * 2
    board = ho.run({**THINNED, "data": TINY.stand_in}).tables["all-leaderboards"].frame
    for row in rows.filter(removed=0.0).iter_rows(named=True):
        [value] = board.filter(system=row["system"], metric=row["metric"])["value"]
        assert row["value"] == pytest.approx(value)
    whole, fifth = (rows.filter(removed=share, metric="P@3", system="Popularity")["value"][0] for share in (0.0, 0.8))
    assert fifth < whole
    assert run.measure(PaperBench(data="simulated", out=tmp_path), TINY).tables["removed"].equals(rows)
