"""Answers of ranges put together: the profile of the test set is that of all rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.experiment.stream.sharded import evaluated, write

import heldout as ho
from heldout.data.profile import profile
from heldout.errors import NotApplicableError
from heldout.experiment.stream.evaluate import StreamOptions, stream_runs


def test_the_profile_is_that_of_all_rows(tmp_path: Path) -> None:
    data = evaluated()
    test = write(data.test, tmp_path / "test", 2)
    runs = {"A": write(data.runs["A"], tmp_path / "A", 2)}
    options = StreamOptions(rows_at_once=2000)
    _, _, outcome = stream_runs(test, runs, ["P@5"], options=options, relevance="threshold(4)", compare="none")
    merged = outcome.data[0].steps[0][1].to_dict()
    whole = profile(ho.read(data.test)).to_dict()
    assert merged == whole
    assert outcome.manifest["streamed"]["ranges"] == 4


def test_metrics_of_all_training_ratings_are_refused_by_name(tmp_path: Path) -> None:
    data = evaluated()
    patterns = {name: write(frame, tmp_path / name, 1) for name, frame in (("test", data.test), ("train", data.train))}
    runs = {"A": write(data.runs["A"], tmp_path / "A", 1)}
    with pytest.raises(NotApplicableError, match="needs all training ratings at once"):
        ho.evaluate(patterns["test"], runs, ["PopularityLift@5"], train=patterns["train"], relevance="threshold(4)")
    with pytest.raises(NotApplicableError, match="counts every item's relevant ratings"):
        ho.evaluate(patterns["test"], runs, ["StratifiedRecall@5"], train=patterns["train"], relevance="user_mean")
