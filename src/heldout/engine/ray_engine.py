"""Tasks on Ray, on this machine or a cluster; the results, and their order, are those of one process."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from heldout.engine.engine import Sendable, Shared, TaskFailedError
from heldout.engine.ray_session import RaySession
from heldout.engine.ray_worker import Answer, OtherVersions, Raised, SharedReference, SignOfLife, perform, versions
from heldout.errors import EngineError
from heldout.text.numbers import size

R = TypeVar("R")
_LISTENS = 0.2
"""Seconds between looking up from waiting, so that Ctrl-C is heard."""
_ASKS = 1.0
"""Seconds between asking the nodes."""
SIGNS = 5.0
"""Seconds between a task's signs of life."""
SILENCE = 30.0
"""Seconds without a sign of life after which a task is run on another node too; the first answer counts."""
STRANDED = 600.0
"""Seconds to wait for a node that has what a task needs: a cluster may grow, or be mended."""
_NAMES = {"num_cpus": "CPU", "num_gpus": "GPU", "memory": "memory"}
"""What a task needs → what Ray calls it of a node."""
LOSSES = 4
"""Times that a task may lose its process before it is given up: perhaps it is what ends the process."""


@dataclass(eq=False)
class _Attempt:
    """A task under way somewhere."""

    stream: Any
    """Ray's generator of what `perform` yields."""
    heard: float
    node: str = ""
    """Where it runs; empty until it begins."""
    replaced: bool = False


@dataclass(eq=False, kw_only=True)
class _Job:
    """A task that was sent, until its answer is here."""

    task: Sendable[Any]
    attempts: list[_Attempt] = field(default_factory=list)
    losses: int = 0
    followers: list[_Job] | None = None
    """The tasks that followed from its answer."""
    answer: Any = None
    failure: TaskFailedError | None = None
    done: bool = False

    def under_way(self) -> Iterator[_Job]:
        """This job, or those that followed from it, as far as they are not done."""
        for job in () if self.done else self.followers if self.followers is not None else (self,):
            if job is self:
                yield job
            else:
                yield from job.under_way()


class RayEngine:
    """Sends tasks to Ray. A task whose process or node is lost runs again; one that raises is not tried twice."""

    def __init__(
        self,
        address: str | None = None,
        *,
        session: RaySession | None = None,
        signs: float = SIGNS,
        silence: float = SILENCE,
        stranded: float = STRANDED,
    ) -> None:
        self.session = session or RaySession(address)
        self.signs, self.silence, self.stranded = signs, silence, stranded
        self._ray = self.session.ray
        self._perform = self._ray.remote(max_retries=0, num_returns="streaming")(perform)
        self._references: WeakKeyDictionary[Shared[Any], Any] = WeakKeyDictionary()
        self._silent: set[str] = set()
        """Nodes that have given no sign of life for too long."""
        self._ping = self._ray.remote(num_cpus=0, max_retries=0)(versions)
        self._pings: dict[str, tuple[Any, float]] = {}
        """Nodes that were asked for a sign of life, and when."""
        self._asked_at = self._able_at = 0.0

    def run(self, tasks: Iterable[Callable[[], R]]) -> Iterator[R]:
        """Run the tasks and yield their results in the order given; some are begun before their turn comes."""
        remaining, ahead = iter(tasks), 2 * self.session.cpus()
        waiting: deque[tuple[Callable[[], R], _Job | None]] = deque()
        try:
            while True:
                while len(waiting) <= ahead and (task := next(remaining, None)) is not None:
                    waiting.append((task, self._sent(task) if isinstance(task, Sendable) else None))
                    self._attend(waiting, 0.0)
                if not waiting:
                    return
                task, job = waiting[0]
                while job is not None and not job.done:
                    self._attend(waiting, _LISTENS)
                waiting.popleft()
                yield task() if job is None else _result(job)
        finally:
            self._cancel([job for _, job in waiting if job is not None])

    def describe(self) -> dict[str, Any]:
        """What the manifest says of the engine."""
        return {"engine": self.session.describe()}

    def close(self) -> None:
        """End what was started; a cluster that was joined goes on."""
        self.session.close()

    def _sent(self, task: Sendable[Any]) -> _Job:
        job = _Job(task=task)
        self._submit(job)
        return job

    def _submit(self, job: _Job, node: str = "") -> None:
        """Start a task on a node that Ray chooses, or on this one."""
        task = job.task
        try:
            function, arguments = task.function, {name: self._argument(value) for name, value in task.arguments.items()}
            options: dict[str, Any] = {"num_cpus": 1, **task.resources}
            self._refuse_too_much(options)
            if node:
                options["scheduling_strategy"] = self.session.pinned_to(node)
            stream = self._perform.options(**options).remote(function, arguments, expected=versions(), every=self.signs)
        except EngineError:
            raise
        except Exception as error:  # whatever the pickling of a user's object raises
            self._fail(job, _unsendable(error))
            return
        job.attempts.append(_Attempt(stream, time.monotonic()))

    def _argument(self, value: Any) -> Any:
        """A shared argument is put into the object store once."""
        if not isinstance(value, Shared):
            return value
        if value not in self._references:
            self._references[value] = SharedReference(self._ray.put(value.value))
        return self._references[value]

    def _refuse_too_much(self, options: dict[str, Any]) -> None:
        """EngineError if Ray of our own never has what a task needs; a cluster may grow."""
        if not self.session.own:
            return
        [node] = self.session.nodes().values()
        for option, resource in _NAMES.items():
            if options.get(option, 0) > node.get(resource, 0):
                shown = size if option == "memory" else "{:g}".format
                words = (
                    f"a system asks for {option} = {shown(options[option])}, and Ray has {shown(node.get(resource, 0))} here"
                )
                raise EngineError(words, where="recommend", hint="ask for less, or name a cluster by --address")

    def _attend(self, waiting: Iterable[tuple[Any, _Job | None]], seconds: float) -> None:
        """Hear what the tasks under way have to say, for at most so many seconds if there is nothing."""
        under_way = {
            attempt.stream: (job, attempt)
            for _, first in waiting
            if first is not None
            for job in first.under_way()
            for attempt in job.attempts
        }
        if under_way:
            ready, _ = self._ray.wait(list(under_way), timeout=seconds, fetch_local=False)
            for stream in ready:
                self._hear(*under_way[stream])
        for job, attempt in under_way.values():
            self._mind_silence(job, attempt)
        for _, first in waiting:
            if first is not None:
                self._gather(first)

    def _hear(self, job: _Job, attempt: _Attempt) -> None:
        """Take the next thing that a task yielded."""
        exceptions = self._ray.exceptions
        try:
            message = self._ray.get(next(attempt.stream), timeout=self.silence)
        except exceptions.RayTaskError as error:  # what the task itself raises comes as `Raised`
            self._fail(job, _unsendable(error.cause or error))
            return
        except (exceptions.RayError, StopIteration) as error:
            self._lose(job, attempt, error)
            return
        attempt.heard = time.monotonic()
        match message:
            case SignOfLife(node=node):
                attempt.node = node
                self._silent.discard(node)
            case OtherVersions(node=node, versions=node_versions):
                self.session.refuse_versions(node_versions, node)
            case Raised(reason=reason, details=details, unsendable=unsendable):
                job.attempts.remove(attempt)
                self._fail(job, TaskFailedError(reason, details=details, unsendable=unsendable))
            case Answer(value=value):
                job.attempts.remove(attempt)
                self._answer(job, value)

    def _answer(self, job: _Job, value: Any) -> None:
        self._end_attempts(job)
        following = job.task.then(value) if job.task.then is not None else None
        if following is None:
            job.answer, job.done = value, True
        else:
            job.followers = [self._sent(task) for task in following]

    def _gather(self, job: _Job) -> None:
        """Finish a job whose followers are all done."""
        if job.done or job.followers is None:
            return
        for follower in job.followers:
            self._gather(follower)
        if all(follower.done for follower in job.followers):
            job.answer, job.done = [_result(follower) for follower in job.followers], True

    def _fail(self, job: _Job, failure: TaskFailedError) -> None:
        self._cancel([job])
        job.failure, job.done = failure, True

    def _lose(self, job: _Job, attempt: _Attempt, error: BaseException) -> None:
        """Run a task again whose process or node was lost, unless it is under way elsewhere."""
        job.attempts.remove(attempt)
        job.losses += 1
        if job.losses >= LOSSES:
            self._fail(job, TaskFailedError(f"its process died {job.losses} times{_memory(error)}", details=str(error)))
        elif not job.attempts:
            self._submit(job)

    def _mind_silence(self, job: _Job, attempt: _Attempt) -> None:
        """Run a task elsewhere too if nothing is heard of it: a frozen node would hold it for minutes."""
        if job.done or attempt.replaced or attempt not in job.attempts or time.monotonic() - attempt.heard < self.silence:
            return
        if attempt.node:
            self._silent.add(attempt.node)
        else:
            self._ask_nodes(job.task.resources)
            if not self._silent:
                return  # it waits for CPUs, as far as is known
        nodes = self.session.nodes()
        fit = [node for node in nodes if node not in self._silent and _has(nodes[node], job.task.resources)]
        if fit:
            attempt.replaced = True
            self._submit(job, fit[len(job.attempts) % len(fit)])
        else:
            attempt.heard = time.monotonic()

    def _ask_nodes(self, resources: Mapping[str, float]) -> None:
        """Ask every node for a sign of life: a task that never began may wait for a node that is frozen.

        EngineError if for minutes there has been none that is large enough for the task.
        """
        now = time.monotonic()
        if now - self._asked_at < _ASKS:
            return
        nodes = self.session.nodes()
        if now - self._asked_at > 10 * _ASKS or any(_has(node, resources) for node in nodes.values()):
            self._able_at = now
        elif now - self._able_at > self.stranded:
            needs = ", ".join(f"{name} = {amount:g}" for name, amount in {"num_cpus": 1, **resources}.items())
            hint = "the same command goes on where it stopped, once the cluster has one"
            raise EngineError(f"for {self.stranded:g} s no node has had {needs}", where="engine", hint=hint)
        self._asked_at = now
        pings = [ping for ping, _ in self._pings.values()]
        ready = self._ray.wait(pings, num_returns=len(pings), timeout=0)[0] if pings else []
        for node, (ping, asked_at) in list(self._pings.items()):
            if ping in ready or node not in nodes:
                self._silent.discard(node)
                if now - asked_at > self.signs:
                    del self._pings[node]
            elif now - asked_at > self.silence:
                self._silent.add(node)
        for node in nodes.keys() - self._pings.keys():
            self._pings[node] = self._ping.options(scheduling_strategy=self.session.pinned_to(node)).remote(), now

    def _cancel(self, jobs: Iterable[_Job]) -> None:
        for job in jobs:
            self._end_attempts(job)
            self._cancel(job.followers or ())

    def _end_attempts(self, job: _Job) -> None:
        attempts, job.attempts = job.attempts, []
        for attempt in attempts:
            self._ray.cancel(attempt.stream, force=True)


def _result(job: _Job) -> Any:
    return job.task.received(job.answer) if job.failure is None else job.task.failed(job.failure)


def _unsendable(error: BaseException) -> TaskFailedError:
    while error.__cause__ is not None:  # Ray puts a page around what pickling raised
        error = error.__cause__
    words = f"it cannot be sent to other processes ({type(error).__name__}: {error})"
    return TaskFailedError(words, details=str(error), unsendable=True)


def _memory(error: BaseException) -> str:
    """A guess at why processes die, in words; Ray tells of its own killing for memory, and not of the system's."""
    ray_did = type(error).__name__ == "OutOfMemoryError"
    return ": memory ran out on its node" if ray_did else ", as they do when memory runs out or compiled code crashes"


def _has(node: dict[str, float], resources: Mapping[str, float]) -> bool:
    """Whether a node is large enough for a task."""
    return all(node.get(_NAMES[option], 0) >= amount for option, amount in {"num_cpus": 1, **resources}.items())
