"""Tasks on Ray: order, failures, deaths, what is shared, and what cannot be sent."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.refusals import refused

from heldout import threads
from heldout.engine.engine import Sendable, Shared, TaskFailedError
from heldout.engine.ray_engine import LOSSES, RayEngine
from heldout.errors import EngineError


@pytest.fixture
def engine(ray_engine: RayEngine) -> RayEngine:
    return ray_engine


# What the other processes call.


def times(number: int, table: Any = None, seconds: float = 0.0) -> dict[str, Any]:
    time.sleep(seconds)
    shared = {} if table is None else {"sum": float(table.sum()), "copied": table.flags.owndata, "at": id(table)}
    return {"product": 10 * number, "pid": os.getpid(), "threads": threads.count(), **shared}


def fails(number: int) -> None:
    raise ValueError(f"no {number}")


def dies(note: str, deaths: int) -> str:
    """Kill the own process, the first so many times."""
    with Path(note).open("a") as file:
        file.write("x")
    if len(Path(note).read_text()) <= deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return "survived"


def locks() -> Any:
    return threading.Lock()


def task(function: Callable[..., Any], resources: dict[str, float] | None = None, **arguments: Any) -> Sendable[Any]:
    return Sendable(
        here=lambda: function(**arguments),
        function=function,
        arguments=arguments,
        received=lambda answer: answer,
        failed=lambda error: error,
        resources=resources or {},
    )


def test_results_come_in_order_and_arrays_are_shared(engine: RayEngine) -> None:
    table = Shared(np.ones(200_000))
    tasks: list[Callable[[], Any]] = [task(times, number=n, table=table, seconds=0.3 * (n == 0)) for n in range(5)]
    tasks.insert(2, lambda: {"product": "here", "pid": os.getpid()})
    results = list(engine.run(tasks))
    assert [result["product"] for result in results] == [0, 10, "here", 20, 30, 40]
    assert results.pop(2)["pid"] == os.getpid()
    assert os.getpid() not in {result["pid"] for result in results}
    assert {result["sum"] for result in results} == {200_000}
    assert not any(result["copied"] for result in results)  # all read the one copy in the object store
    assert {result["threads"] for result in results} == {1}


def test_threads_are_the_cpus_that_ray_grants(engine: RayEngine) -> None:
    [result] = engine.run([task(times, {"num_cpus": 2}, number=1)])
    assert result["threads"] == 2
    with refused(EngineError, where="recommend", hint="ask for less, or name a cluster by --address") as refusal:
        list(engine.run([task(times, {"num_cpus": 64}, number=1)]))
    assert "num_cpus = 64, and Ray has 2" in refusal.value.what


def test_memory_and_gpus_are_asked_of_ray(engine: RayEngine) -> None:
    [result] = engine.run([task(times, {"memory": 1_000_000}, number=3)])
    assert result["product"] == 30
    for needs, words in (
        ({"memory": 10**15}, r"memory = 1,000,000\.0 GB, and Ray has \d+"),
        ({"num_gpus": 1}, "num_gpus = 1, and Ray"),
    ):
        with refused(EngineError, where="recommend", hint="ask for less, or name a cluster by --address") as refusal:
            list(engine.run([task(times, needs, number=1)]))
        assert re.search(words, refusal.value.what)


def test_what_a_task_raises_is_told_once_with_its_traceback(engine: RayEngine) -> None:
    raised, product = engine.run([task(fails, number=7), task(times, number=1)])
    assert isinstance(raised, TaskFailedError)
    assert (raised.reason, raised.unsendable) == ("ValueError: no 7", False)
    assert "in fails" in raised.details
    assert product["product"] == 10


def test_a_task_whose_process_dies_runs_again_but_not_for_ever(engine: RayEngine, tmp_path: Path) -> None:
    once, always = tmp_path / "once", tmp_path / "always"
    survived, lost = engine.run([task(dies, note=str(once), deaths=1), task(dies, note=str(always), deaths=99)])
    assert survived == "survived"
    assert isinstance(lost, TaskFailedError)
    assert lost.reason.startswith(f"its process died {LOSSES} times")
    assert len(always.read_text()) == LOSSES


def test_what_cannot_be_sent_is_said(engine: RayEngine) -> None:
    argument, answer = engine.run([task(times, number=threading.Lock()), task(locks)])
    for failure in (argument, answer):
        assert failure.unsendable
        assert failure.reason == "it cannot be sent to other processes (TypeError: cannot pickle '_thread.lock' object)"


def test_tasks_that_follow_from_an_answer(engine: RayEngine) -> None:
    def then(answer: dict[str, Any]) -> list[Sendable[Any]]:
        return [task(times, number=answer["product"] + k) for k in range(3)]

    following = Sendable(
        here=lambda: [], function=times, arguments={"number": 1}, then=then, received=lambda answers: answers, failed=str
    )
    final = Sendable(
        here=lambda: 0,
        function=times,
        arguments={"number": 2},
        then=lambda answer: None,
        received=lambda a: a["product"],
        failed=str,
    )
    answers, product = engine.run([following, final])
    assert [answer["product"] for answer in answers] == [100, 110, 120]
    assert product == 20


def test_tasks_are_drawn_only_a_little_ahead(engine: RayEngine) -> None:
    drawn = []

    def tasks() -> Any:
        for number in range(20):
            drawn.append(number)
            yield task(times, number=number)

    running = engine.run(tasks())
    assert next(running)["product"] == 0
    assert len(drawn) == 5  # twice as many as there are CPUs, and one
    running.close()  # type: ignore[attr-defined]


def test_nothing_goes_on_of_a_run_that_is_stopped(engine: RayEngine, tmp_path: Path) -> None:
    running = engine.run([task(times, number=1), task(slow, note=str(tmp_path / "pid"))])
    next(running)
    while not (tmp_path / "pid").exists():
        time.sleep(0.05)
    running.close()  # type: ignore[attr-defined]
    pid, deadline = int((tmp_path / "pid").read_text()), time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def slow(note: str) -> None:
    partial = Path(note + ".tmp")
    partial.write_text(str(os.getpid()))
    partial.rename(note)
    time.sleep(600)


def test_a_task_that_no_node_can_run_is_given_up(engine: RayEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a cluster, which may grow; Ray of our own is refused at once."""
    monkeypatch.setattr(engine.session, "own", False)
    impatient = RayEngine(session=engine.session, signs=0.1, silence=0.2, stranded=1.5)
    with refused(EngineError, where="engine", hint="the same command goes on where it stopped") as refusal:
        list(impatient.run([task(times, {"num_gpus": 1}, number=1)]))
    assert refusal.value.what.endswith("num_cpus = 1, num_gpus = 1")


def test_the_manifest_says_where(engine: RayEngine) -> None:
    assert engine.describe()["engine"].startswith("Ray 2.")
    assert engine.describe()["engine"].endswith("on this machine, 2 CPUs")
