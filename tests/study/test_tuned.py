"""What a search found, written and read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from heldout import Tuned
from heldout.errors import ResultsError
from heldout.study.tuned import Trial, read_tuned, write_tuned

TUNED = Tuned(
    model="UserKNN(k=3)",
    parameters={"k": 3, "similarity": "cosine"},
    metric="P@5",
    value=0.25,
    number=1,
    trials=(
        Trial(number=0, parameters={"k": 1}, value=None, cpu_seconds=0.5, reason="k is too small"),
        Trial(number=1, parameters={"k": 3}, value=0.25, cpu_seconds=0.75),
    ),
    cpu_seconds=1.25,
    ranges={"k": "1…9"},
    protocol={"split": "ratio", "validation": "ratio(train=0.8, by=user)", "metrics": "P@5"},
)


def test_it_comes_back_from_the_folder_and_from_the_file(tmp_path: Path) -> None:
    path = write_tuned(TUNED, tmp_path)
    assert read_tuned(tmp_path) == read_tuned(path) == TUNED


def test_it_prints_the_model_and_its_cost() -> None:
    assert repr(TUNED) == "UserKNN(k=3): P@5 0.2500 on validation ratings, the best of 2 trials in 1.25 s of processor time"


def test_a_report_says_how_it_was_chosen_and_on_what() -> None:
    summary = TUNED.summary()
    assert (summary["trials"], summary["validation"]) == (2, "ratio(train=0.8, by=user)")
    assert summary["protocol"] == {"split": "ratio"}  # of a protocol, what says which ratings were looked at


def test_a_changed_or_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="no parameters are kept there"):
        read_tuned(tmp_path / "nowhere")
    path = write_tuned(TUNED, tmp_path)
    path.write_text(path.read_text().replace("0.25", "0.75"))
    with pytest.raises(ResultsError, match="was changed after it was written"):
        read_tuned(tmp_path)
