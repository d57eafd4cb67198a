"""Results folders in a few words, whatever state they are in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.api.test_results import STUDY

import heldout as ho
from heldout.experiment.ledger import Ledger
from heldout.storage.sealed import sealed
from heldout.web.summaries import STATES, is_study_folder, kind_labels, study_folders, study_summary


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("studies")
    ho.run(STUDY, out=home / "run")
    ho.evaluate({"user": ["u"], "item": ["x"], "rating": [5]}, {"A": {"user": ["u"], "item": ["x"], "score": [1]}}, "P@1",
                relevance="threshold(4)").save(home / "evaluation")  # fmt: skip
    ho.bias({**STUDY, "metrics": "P@5"}, out=home / "deep" / "bias", sweeps=(), sampled=5, classes=2)
    return home


def test_folders_are_found_and_what_they_hold_is_told(home: Path) -> None:
    paths = {folder.path.relative_to(home).as_posix() for folder in study_folders(home).folders}
    assert paths == {"run", "evaluation", "deep/bias"}
    for folder, kind in (("run", "study"), ("evaluation", "evaluation"), ("deep/bias", "bias")):
        about = study_summary(home / folder)
        results: Any = ho.load(home / folder)
        assert (about.kind, about.state, about.problem) == (kind, "finished", "")
        assert about.verdict == ("\n".join(results.sentences) if kind == "bias" else results.verdict)
        assert about.kind in kind_labels() and about.state in STATES
    about = study_summary(home / "run")
    assert about.systems == ("Popularity", "Random", "UserKNN(k=10)") and about.title == STUDY["title"]
    assert about.data == ("simulate(users=60, items=40, ratings=1200)",)
    assert about.protocol["metrics"] == ("nDCG(gain=binary)@5", "P@5") and about.protocol["compare"] == ("t", "wilcoxon")


def test_a_tree_too_large_to_look_through_is_said_to_be(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert study_folders(home).whole
    monkeypatch.setattr("heldout.web.summaries.MOST_FOLDERS", 4)  # the folder itself and the three in it
    nearest = study_folders(home)
    assert {folder.path.name for folder in nearest.folders} == {"run", "evaluation"} and not nearest.whole


def test_reading_changes_nothing(home: Path) -> None:
    stamps = [folder.stamp for folder in study_folders(home).folders]
    study_summary(home / "run")
    assert [folder.stamp for folder in study_folders(home).folders] == stamps


def test_tuned_parameters_are_results(tmp_path: Path) -> None:
    tuned = ho.tune("UserKNN", {k: STUDY[k] for k in ("data", "split")}, metric="P@5", trials=2, out=tmp_path / "tuned")
    about = study_summary(tmp_path / "tuned")
    assert about.kind == "tuned" and repr(tuned).startswith(about.verdict) and about.systems == (tuned.model,)


def test_work_in_progress_is_running_and_a_killed_one_is_not_finished(home: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(home / "run", tmp_path / "run"))
    ledger = Ledger(folder)
    with ledger.writing():
        assert study_summary(folder).state == "running"
        manifest = dict(ledger.earlier() or {})
        ledger.write_manifest({**manifest, "complete": False})
    about = study_summary(folder)
    assert about.state == "unfinished" and "goes on where it stopped" in about.problem


def test_a_run_that_has_only_begun_is_running(tmp_path: Path) -> None:
    with Ledger(tmp_path / "new").writing():
        assert is_study_folder(tmp_path / "new") and study_summary(tmp_path / "new").state == "running"


@pytest.mark.parametrize("manifest", [{"study": 3}, {"study": {"recommend": [3]}}, {"seconds": "x"}, {"failed": 3}])
def test_a_manifest_of_another_form_is_told(tmp_path: Path, manifest: dict[str, Any]) -> None:
    """It is sealed rightly: anybody can do that."""
    (tmp_path / "manifest.json").write_text(
        sealed(json.dumps({"heldout": 6, "complete": False, **manifest}), "manifest.json")
    )
    about = study_summary(tmp_path)
    assert about.state == "damaged" and "another version" in about.problem
