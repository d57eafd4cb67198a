"""Fits in other processes: the same bytes, and failures told as those of this process are."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.experiment.conftest import LABEL, SMALL, STUDY, scores
from tests.heavy import heavy
from tests.reports.measured import without_measured

import heldout as ho
from heldout.engine.engine import InProcess
from heldout.errors import EngineWarning
from heldout.experiment.fitting import one_after_another
from heldout.progress import STEPS
from heldout.targets import ranker as sharding

pytestmark = pytest.mark.usefixtures("doomed", "ray_engine")


class TwoAhead:
    """An engine that begins two tasks before their turn, as others do."""

    def run(self, tasks: Iterable[Callable[[], Any]]) -> Iterator[Any]:
        remaining, waiting = iter(tasks), deque[Callable[[], Any]]()
        while True:
            while len(waiting) < 3 and (task := next(remaining, None)) is not None:
                waiting.append(task)
            if not waiting:
                return
            yield waiting.popleft()()

    def describe(self) -> dict[str, Any]:
        return {}

    def close(self) -> None: ...


@pytest.mark.parametrize("engine", [InProcess(), TwoAhead()])
def test_pieces_come_in_order_when_their_tasks_are_done_and_are_drawn_only_when_there_is_room(engine: Any) -> None:
    seen: list[str] = []

    def pieces() -> Iterator[str]:
        for piece in "abc":
            seen.append(f"{piece} drawn")
            yield piece

    def tasks_of(piece: str) -> list[Callable[[], None]]:
        return [partial(seen.append, f"{piece}{number}") for number in range({"a": 2, "b": 0, "c": 1}[piece])]

    for piece in one_after_another(pieces(), tasks_of, engine, lambda piece, done: seen.append(f"{piece} {done}")):
        seen.append(f"{piece} out")
    here = ["a drawn", "a0", "a 1", "a1", "a 2", "a out", "b drawn", "b 1", "b out", "c drawn", "c0", "c 1", "c out"]
    ahead = ["a drawn", "b drawn", "a0", "a 1", "c drawn", "a1", "a 2", "a out", "b 1", "b out", "c0", "c 1", "c out"]
    assert seen == (here if isinstance(engine, InProcess) else ahead)


def constant(train: ho.Interactions, users: Any) -> Any:
    """A model of one's own: every item scores the same."""
    return np.ones((len(users), train.n_items))


def test_ray_gives_the_same_bytes_and_says_who_stayed(tmp_path: Path) -> None:
    study = {**STUDY, "split": "folds(2, by=rating)"}
    lock = threading.Lock()

    def locked(train: ho.Interactions, users: Any) -> Any:
        with lock:
            return constant(train, users)

    models = {"mine": constant, "locked": locked}
    ho.run(study, models=models, out=tmp_path / "here", threads=1)
    calls: list[tuple[str, int, int]] = []
    with pytest.warns(EngineWarning, match="locked"):
        results = ho.run(study, models=models, out=tmp_path / "there", engine="ray", progress=lambda *of: calls.append(of))
    assert (done := [done for _, done, total in calls if total]) == sorted(done) and done[-2] == done[-1] == STEPS
    same_folders(tmp_path / "here", tmp_path / "there")
    assert len(list((tmp_path / "there" / "ranks").iterdir())) == 6
    assert not (tmp_path / "there" / ".work").exists()
    assert results._source is not None
    manifest = results._source.manifest
    assert manifest["engine"].startswith("Ray 2.")
    assert manifest["here"] == {
        "locked": "it cannot be sent to other processes (TypeError: cannot pickle '_thread.lock' object)"
    }
    assert {cell["done"] for cell in manifest["cells"].values()} == {"fitted"}
    assert {"fit", "rank"} <= set(manifest["seconds"])


def same_folders(here: Path, there: Path) -> None:
    assert scores(here) == scores(there)
    assert (here / "facts.json").read_bytes() == (there / "facts.json").read_bytes()
    pages = [(folder / "report.html").read_text(encoding="utf-8") for folder in (here, there)]
    assert all('id="table-costs"' in page for page in pages)
    assert without_measured(pages[0]) == without_measured(pages[1])
    ranks = [{p.name: p.read_bytes() for p in (folder / "ranks").iterdir()} for folder in (here, there)]
    assert ranks[0] == ranks[1]


def test_users_are_ranked_in_shards_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of one tile of users, all ties counted: the model is fitted once, and sent to whoever ranks."""
    study = {**STUDY, "data": "simulate(users=150, items=40, ratings=2500)", "ties": "expected"}
    ho.run(study, models={"mine": constant}, out=tmp_path / "here", threads=1)
    sent: list[int] = []
    monkeypatch.setattr("heldout.experiment.fitting.shards", lambda plan: sent.append(1) or 3)
    monkeypatch.setattr("heldout.experiment.fitting.rank_shard_there", _rank_tile)
    there = ho.run(study, models={"mine": constant}, out=tmp_path / "there", engine="ray")
    assert sent
    assert there._source is not None and "here" not in there._source.manifest
    same_folders(tmp_path / "here", tmp_path / "there")


def _rank_tile(plan: Any, system: Any, model: Any, shard: int, block: int) -> Any:
    """As `rank_shard_there`, with shards of 64 users in the process that ranks."""
    from heldout.experiment import fitting

    sharding.SHARD = 64
    return fitting.rank_shard_there(plan, system, model, shard, block)


@heavy
def test_a_process_that_dies_is_a_failed_cell(doomed: Any) -> None:
    """Without a folder; `Doomed` is found by the other process through its module."""
    study = {**SMALL, "recommend": ["Popularity", doomed("dies"), doomed("memory")], "engine": "ray"}
    results = ho.run(study)
    assert results.failed == {
        f"{LABEL} | Doomed(how=dies)": "fit: its process died 4 times, as they do when memory runs out or compiled code "
        "crashes",
        f"{LABEL} | Doomed(how=memory)": "fit: memory ran out (MemoryError: no room for 80 GB)",
    }
    assert results.findings.systems == ("Popularity",)
