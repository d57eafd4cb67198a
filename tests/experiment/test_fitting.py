"""Fits in other processes: the same bytes, and failures told as those of this process are."""

from __future__ import annotations

import resource
import signal
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.experiment.conftest import LABEL, SMALL, STUDY, scores

import heldout as ho
from heldout.errors import ResultsError
from heldout.experiment.ledger.manifest import read_manifest

pytestmark = pytest.mark.usefixtures("doomed")


def constant(train: ho.Interactions, users: Any) -> Any:
    """A model of one's own: every item scores the same."""
    return np.ones((len(users), train.n_items))


def test_processes_give_the_same_bytes_and_say_who_stayed(tmp_path: Path) -> None:
    study = {**STUDY, "split": "folds(2, by=rating)"}
    ho.run(study, models={"mine": constant}, out=tmp_path / "here", threads=1)
    results = ho.run(study, models={"mine": constant}, out=tmp_path / "there", engine="processes", workers=2)
    assert scores(tmp_path / "here") == scores(tmp_path / "there")
    for name in ("facts.json", "report.html"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()
    ranks = [{p.name: p.read_bytes() for p in (tmp_path / out / "ranks").iterdir()} for out in ("here", "there")]
    assert ranks[0] == ranks[1]
    assert len(ranks[0]) == 6
    assert not (tmp_path / "there" / ".work").exists()
    assert results.outcome is not None
    assert results.outcome.manifest["engine"] == "2 processes"
    assert results.outcome.manifest["here"] == {"mine": "a Python object cannot be sent to other processes"}
    assert {one["done"] for one in results.outcome.manifest["cells"].values()} == {"fitted"}
    assert {"fit", "rank"} <= set(results.outcome.manifest["seconds"])


def test_a_process_that_dies_is_a_failed_cell(doomed: Any) -> None:
    """Without a folder; `Doomed` is found by the other process through its module."""
    study = {**SMALL, "recommend": ["Popularity", doomed("dies"), doomed("memory")], "engine": "processes", "workers": 2}
    results = ho.run(study)
    assert results.failed == {
        f"{LABEL} | Doomed(how=dies)": "fit: its process was killed by SIGKILL, as the system does when memory runs out",
        f"{LABEL} | Doomed(how=memory)": "fit: memory ran out (MemoryError: no room for 80 GB)",
    }
    assert results.facts.systems == ("Popularity",)


def test_a_disk_that_is_full_for_another_process_fails_no_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit on the size of files is inherited: kernels are compiled already, and only ranks are too large."""
    small = {**SMALL, "data": "simulate(users=400, items=60, ratings=12000)", "engine": "processes", "workers": 1}
    started = subprocess.Popen

    def limited(*arguments: Any, **options: Any) -> Any:
        return started(*arguments, **options, preexec_fn=_small_files)

    ho.run(small)
    monkeypatch.setattr("heldout.engine.processes.subprocess.Popen", limited)
    with pytest.raises(ResultsError, match=r"ranks/.*parquet: cannot be written \(files may not be so large\)"):
        ho.run(small, out=tmp_path / "out")
    assert "failed" not in read_manifest(tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*.parquet"))


def _small_files() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
