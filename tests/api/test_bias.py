"""`ho.bias` by every form of a study, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.biases.sample import KEYS
from tests.refusals import refused

import heldout as ho
from heldout.errors import HeldoutError, SpecError, UnknownNameError

QUICK: dict[str, Any] = {"sampled": 9, "classes": 3, "sweeps": (), "progress": False}


def test_a_folder_of_a_run_and_its_study_say_the_same(tmp_path: Path) -> None:
    ho.run(KEYS, out=tmp_path / "run", progress=False)
    of_keys = ho.bias(KEYS, **QUICK)
    of_folder = ho.bias(tmp_path / "run", **QUICK)
    assert of_folder.findings.table.equals(of_keys.findings.table)
    assert of_folder.sentences == of_keys.sentences
    [data] = of_keys.findings.profiles.value
    assert data == of_folder.findings.profiles.value[0] and data.steps[0].label == "as read"


def test_another_metric_leads() -> None:
    results = ho.bias(KEYS, metric="Recall@10", **QUICK)
    assert results.findings.metric == "Recall@10" and results.findings.precision == "P@10"


@pytest.mark.parametrize(
    ("options", "kind", "parts"),
    [
        ({"metric": "nDGC@5"}, UnknownNameError, {"found": "nDGC"}),
        ({"sweeps": ("skw",)}, UnknownNameError, {"where": "sweeps", "found": "skw"}),
        ({"head": 1.5}, SpecError, {"where": "head", "found": 1.5, "expected": "above 0 and below 1"}),
        ({"sweeps": {"head": (1.5,)}}, SpecError, {"where": "sweeps: head", "found": 1.5}),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], kind: type[HeldoutError], parts: dict[str, Any]) -> None:
    with refused(kind, **parts):
        ho.bias(KEYS, **{**QUICK, **options})


def test_models_in_memory_of_a_folder_are_measured_where_ranks_are_kept_and_left_out_elsewhere_by_name(
    tmp_path: Path,
) -> None:
    class Constant:
        def fit(self, train: Any) -> None:
            self.items = train.n_items

        def score(self, users: Any) -> Any:
            return np.tile(np.arange(self.items, dtype=np.float32), (len(users), 1))

    models = {"mine": ho.as_recommender("mine", Constant(), version="1"), "other": Constant()}
    run = ho.run(KEYS, models=models, out=tmp_path / "run", progress=False)
    results = ho.bias(tmp_path / "run", **QUICK)
    values = {(r.protocol, r.metric): r.value for r in results.findings.effects.values if r.system == "mine"}
    assert {protocol for protocol, _ in values} == {"AI-AR", "bpref", "infAP", "stratified recall"}
    leaderboard = run.tables["all-leaderboards"].frame.filter(system="mine", metric="nDCG@5")
    assert values["AI-AR", "nDCG@5"] == pytest.approx(leaderboard["value"][0])
    assert "other" not in results.findings.systems
    reasons = {
        name: text for text in results.findings.left_out for name in ("mine", "other") if text.startswith(f"{name}: ")
    }
    assert reasons["mine"].endswith("kept ranks answer for AI-AR, bpref, infAP and stratified recall alone")
    assert "there are no ranks of it either" in reasons["other"]
