"""Tasks in processes of their own: order, failures, deaths, and what is left of the processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heldout import threads
from heldout.engine.engine import Sendable, TaskFailedError
from heldout.engine.processes import Processes


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers find this module by the path that is set for tests, never because it lies below the current folder."""
    monkeypatch.chdir(tmp_path)


# What the other processes call.


def times(number: int, seconds: float = 0.0) -> dict[str, Any]:
    print("what a task prints is no answer")
    time.sleep(seconds)
    return {"made": 10 * number, "pid": os.getpid(), "threads": threads.count()}


def fails(number: int) -> None:
    raise ValueError(f"no {number}")


def dies(signal_sent: int) -> None:
    os.kill(os.getpid(), signal_sent)


def task(name: str, **arguments: Any) -> Sendable[Any]:
    here = {"times": times, "fails": fails, "dies": dies, "folders": folders}[name]
    return Sendable(
        here=lambda: here(**arguments),
        function=f"{__name__}:{name}",
        arguments=arguments,
        received=lambda result: result,
        failed=lambda error: error,
    )


def test_results_come_in_order_and_from_other_processes() -> None:
    tasks: list[Callable[[], Any]] = [task("times", number=n, seconds=0.3 if n == 0 else 0.0) for n in range(5)]
    tasks.insert(2, lambda: {"made": "here", "pid": os.getpid()})
    with threads.using(4):
        found = list(Processes(2).run(tasks))
    assert [one["made"] for one in found] == [0, 10, "here", 20, 30, 40]
    assert found[2]["pid"] == os.getpid()
    others = [one for k, one in enumerate(found) if k != 2]
    assert {one["pid"] for one in others}.isdisjoint({os.getpid()})
    assert len({one["pid"] for one in others}) == 2
    assert {one["threads"] for one in others} == {2}  # 4 threads, 2 workers


def test_tasks_that_raise_or_die_end_no_other() -> None:
    kinds = [task("fails", number=7), task("dies", signal_sent=int(signal.SIGKILL)), task("times", number=1)]
    raised, killed, made = Processes(1).run(kinds)
    assert isinstance(raised, TaskFailedError)
    assert (raised.reason, raised.raised) == ("ValueError: no 7", "ValueError")
    assert "in fails" in raised.details
    assert isinstance(killed, TaskFailedError)
    assert killed.raised == ""
    assert killed.reason == "its process was killed by SIGKILL, as the system does when memory runs out"
    assert made["made"] == 10


def test_tasks_are_drawn_only_a_little_ahead() -> None:
    drawn = []

    def tasks() -> Any:
        for number in range(6):
            drawn.append(number)
            yield task("times", number=number)

    running = Processes(1).run(tasks())
    assert next(running)["made"] == 0
    assert drawn == [0, 1]
    running.close()  # type: ignore[attr-defined]


def test_no_process_outlives_a_run_that_is_stopped() -> None:
    running = Processes(1).run([task("times", number=1), task("times", number=2, seconds=60.0)])
    other = next(running)["pid"]
    begun = time.perf_counter()
    running.close()  # type: ignore[attr-defined]
    assert time.perf_counter() - begun < 30
    with pytest.raises(ProcessLookupError):
        os.kill(other, 0)


def test_processes_serve_several_runs() -> None:
    engine = Processes(1)
    (first,) = engine.run([task("times", number=1)])
    (second,) = engine.run([task("times", number=2)])
    assert first["pid"] == second["pid"]
    engine.close()
    with pytest.raises(ProcessLookupError):
        os.kill(first["pid"], 0)


def folders() -> list[str]:
    return sys.path


def test_workers_run_nothing_that_lies_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\nraise RuntimeError('planted')\n"
    for name in ("queue", "json", "numpy", "lenskit"):
        (tmp_path / f"{name}.py").write_text(planted)
    monkeypatch.chdir(tmp_path)
    for entry in ("", ".", str(tmp_path)):  # as `python -c`, PYTHONPATH=. and `python -m` have it
        monkeypatch.syspath_prepend(entry)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    engine = Processes(1)
    (path,) = engine.run([task("folders")])
    engine.close()
    assert not isinstance(path, TaskFailedError), path.details
    assert not [entry for entry in path if Path(entry).resolve() == tmp_path]
    assert not list(tmp_path.glob("*.ran"))
