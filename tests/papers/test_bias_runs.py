"""What a paper's look at biases finds is kept, and stands beside what is said of the data."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.papers.sample import TINY

from heldout.papers.bench import PaperBench
from heldout.papers.bias_runs import BiasRun

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

    monkeypatch.setattr("heldout.papers.bias_runs.bias_findings", refuse)
    again = RUN.measure(PaperBench(data="simulated", out=tmp_path), TINY)
    assert again.tables["values"].equals(first.tables["values"], null_equal=True)
