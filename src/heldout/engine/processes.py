"""Tasks side by side in processes of their own; the results, and their order, are those of one process."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, TypeVar

from heldout import threads
from heldout.engine.engine import Sendable, TaskFailedError
from heldout.errors import SpecError

R = TypeVar("R")
_LISTENS = 0.2
"""Seconds between looking up from waiting."""
_START = "import sys; sys.path[:] = sys.argv[1:]; from heldout.engine.worker import main; main()"
"""What a worker runs, in isolated mode: neither the current folder nor the environment adds to where it imports from."""


class Processes:
    """`workers` processes, each with its share of the threads; tasks that cannot be sent run in this one.

    Processes are started when first needed, serve any number of runs, and end with `close`, or when nobody has the engine
    any more; at once where a run is stopped.
    """

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise SpecError(f"cannot work in {workers} processes", where="workers", hint="give at least 1")
        self.workers = workers or threads.count()
        self._idle: LifoQueue[_Worker] = LifoQueue()
        self._all: list[_Worker] = []
        self._threads = 1
        weakref.finalize(self, _end_all, self._all)

    def run(self, tasks: Iterable[Callable[[], R]]) -> Iterator[R]:
        """Run the tasks and yield their results in the order given; a few tasks are begun before their turn comes."""
        remaining, self._threads = iter(tasks), max(1, threads.count() // self.workers)
        waiting: deque[tuple[Callable[[], R], Future[Any] | None]] = deque()
        with ThreadPoolExecutor(self.workers, thread_name_prefix="heldout-worker") as pool:
            try:
                while True:
                    while len(waiting) <= self.workers and (task := next(remaining, None)) is not None:
                        sent = pool.submit(self._work, task) if isinstance(task, Sendable) else None
                        waiting.append((task, sent))
                    if not waiting:
                        return
                    task, sent = waiting.popleft()
                    yield _result(task, sent)
            except BaseException:
                for _, sent in waiting:
                    if sent is not None:
                        sent.cancel()
                self.close()
                raise

    def describe(self) -> dict[str, Any]:
        """What the manifest says of the engine."""
        return {"engine": f"{self.workers} processes"}

    def _work(self, task: Sendable[Any]) -> Any:
        try:
            worker = self._idle.get_nowait()
        except Empty:
            worker = _Worker(self._threads)
            self._all.append(worker)
        try:
            return worker.ask(task.function, task.arguments)
        finally:
            if worker.process.poll() is None:
                self._idle.put(worker)

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        _end_all(self._all)
        self._idle = LifoQueue()


def _end_all(workers: list[_Worker]) -> None:
    while workers:
        workers.pop().end()


def _result(task: Callable[[], R], sent: Future[Any] | None) -> R:
    if sent is None or not isinstance(task, Sendable):
        return task()
    while not wait([sent], timeout=_LISTENS).done:
        pass  # between whiles Ctrl-C is heard, whichever thread it came to
    try:
        result: R = task.received(sent.result())
    except TaskFailedError as error:
        result = task.failed(error)
    return result


def import_path() -> list[str]:
    """Where workers import from: as this process does, without the current folder.

    A `queue.py` that happens to lie in the current folder would be run in place of Python's own. A task that needs a module
    of the user's names its folder.
    """
    here, package = Path.cwd(), str(Path(__file__).resolve().parents[2])
    listed = [path for path in sys.path if path and Path(path).resolve() != here.resolve()]
    return listed if package in listed else [*listed, package]


class _Worker:
    """A process that does what it is asked, one task after another."""

    def __init__(self, threads_used: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, *import_path()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C reaches the first process alone, which ends the others
            env={**os.environ, "HELDOUT_THREADS": str(threads_used)},
        )

    def ask(self, function: str, arguments: dict[str, Any]) -> Any:
        """The answer; TaskFailedError where the process dies."""
        requests, answers = self.process.stdin, self.process.stdout
        assert requests is not None and answers is not None  # they are pipes
        line = b""
        with contextlib.suppress(BrokenPipeError):
            requests.write(json.dumps({"function": function, "arguments": arguments}).encode() + b"\n")
            requests.flush()
            line = answers.readline()
        if not line.endswith(b"\n"):
            raise TaskFailedError(f"its process {_end_of(self.process.wait())}")
        answer = json.loads(line)
        if "error" in answer:
            raise TaskFailedError(answer["error"], answer["details"], answer["raised"])
        return answer["result"]

    def end(self) -> None:
        """Stop at once, whatever is being done."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


def _end_of(code: int) -> str:
    if code >= 0:
        return f"ended by itself with code {code}"
    with contextlib.suppress(ValueError):
        name = signal.Signals(-code).name
        memory = ", as the system does when memory runs out" if -code == signal.SIGKILL else ""
        return f"was killed by {name}{memory}"
    return f"was killed by signal {-code}"
