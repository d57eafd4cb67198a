"""Folders of finished trials, and of what is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import heldout as ho
from heldout.api.finished_folder import read_finished
from heldout.errors import ResultsError
from heldout.experiment.ledger import read_manifest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `heldout truth` left."""
    out = tmp_path_factory.mktemp("trial") / "truth"
    study = {
        "data": "simulate(users=40, items=30, ratings=500, missing=at_random)",
        "split": "ratio(train=0.7)",
        "recommend": ["Random", "Popularity"],
    }
    ho.truth(study, metrics="P@5", draws=1, protocols=["AI-AR"], out=out, progress=False)
    return out


def read(folder: Path, **other: Any) -> tuple[dict[str, Any], Any]:
    options = {"kind": "truth", "name": "truth.json", "read": lambda content: content["findings"]}
    return read_finished(folder, **(options | other), other="not these", unfinished="not yet")


def test_the_manifest_and_the_content(folder: Path) -> None:
    manifest, findings = read(folder)
    assert manifest == read_manifest(folder)
    assert findings["simulated"] is True


def test_what_is_refused(folder: Path) -> None:
    with pytest.raises(ResultsError, match=r"not these.*heldout report shows them"):
        read(folder, kind="bias")
    with pytest.raises(ResultsError, match=r"not yet.*run the same command again"):
        read(folder, name="nothing.json")
    with pytest.raises(ResultsError, match=r"truth\.json"):
        read(folder, read=lambda content: content["something else"])
