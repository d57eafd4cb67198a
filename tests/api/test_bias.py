"""`ho.bias` by every form of a study, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.biases.sample import KEYS

import heldout as ho
from heldout.errors import HeldoutError

QUICK: dict[str, Any] = {"sampled": 9, "classes": 3, "sweeps": (), "progress": False}


def test_a_folder_of_a_run_and_its_study_say_the_same(tmp_path: Path) -> None:
    ho.run(KEYS, out=tmp_path / "run", progress=False)
    of_keys = ho.bias(KEYS, **QUICK)
    of_folder = ho.bias(tmp_path / "run", **QUICK)
    assert of_folder.table.equals(of_keys.table)
    assert of_folder.sentences == of_keys.sentences


def test_another_metric_leads() -> None:
    results = ho.bias(KEYS, metric="Recall@10", **QUICK)
    assert results.findings.metric == "Recall@10" and results.findings.precision == "P@10"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "nDGC@5"}, "unknown metric 'nDGC'"),
        ({"sweeps": ("skw",)}, "unknown sweep 'skw'"),
        ({"head": 1.5}, "a share is above 0 and below 1"),
        ({"heads": (1.5,), "sweeps": ("head",)}, "at least 0 and below 1"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(HeldoutError, match=message):
        ho.bias(KEYS, **{**QUICK, **options})


def test_models_in_memory_of_a_folder_are_left_out_by_name(tmp_path: Path) -> None:
    class Constant:
        def fit(self, train: Any) -> None:
            self.items = train.n_items

        def score(self, users: Any) -> Any:
            import numpy as np

            return np.ones((len(users), self.items))

    ho.run(KEYS, models={"mine": Constant()}, out=tmp_path / "run", progress=False)
    results = ho.bias(tmp_path / "run", **QUICK)
    assert "mine" not in results.findings.systems
    assert any(reason.startswith("mine: ") for reason in results.findings.left_out)
