"""How many threads work, and mapping over independent pieces of work with BLAS held to one thread each.

A result never depends on the number of threads: pieces are fixed by the caller, results come back in order, and BLAS,
whose sums depend on its own threading, is pinned.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from itertools import islice
from typing import Any, TypeVar, cast

from heldout.errors import SpecError, brief

T = TypeVar("T")
R = TypeVar("R")

MOST = 1024
"""Threads, or worker processes, that may be asked for."""
STOPPED = 130
"""The exit code of a process that Ctrl-C stopped."""
_LISTENS = 0.1
"""Seconds between looking up from waiting."""
_GRACE = 0.5
"""Seconds that Ctrl-C gives work in the background to end by itself."""
_chosen: ContextVar[int | None] = ContextVar("heldout_threads", default=None)
_left: ContextVar[threading.Event | None] = ContextVar("heldout_left", default=None)
_abandoned: list[threading.Event] = []
"""One for each work that was left, set when it is finished after all."""


class AbandonedError(RuntimeError):
    """Nobody waits for this work any more."""


def count() -> int:
    """Threads in use: what `using(n)` said, else HELDOUT_THREADS, else the cores this process may run on."""
    chosen = _chosen.get()
    if chosen is not None:
        return chosen
    text = os.environ.get("HELDOUT_THREADS", "")
    if text:
        if not (text.isascii() and text.isdigit()) or len(text) > 4 or not 1 <= int(text) <= MOST:
            raise SpecError(f"HELDOUT_THREADS is '{brief(text)}'", hint=f"give a whole number from 1 to {MOST:,}")
        return int(text)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def refuse_no_threads(variable: str) -> None:
    """Raise SpecError if a variable that a library reads asks for less than one thread: the library fails over it."""
    text = os.environ.get(variable, "").strip()
    if text.removeprefix("-").isdecimal() and int(text) < 1:
        raise SpecError(f"{variable} is '{brief(text)}'", hint="give a whole number from 1 on, or unset it")


def memory() -> int:
    """Bytes of memory that this machine has; 0 if it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 0


@contextmanager
def using(n: int | None) -> Iterator[None]:
    """Within this block, work on `n` threads (None: as before)."""
    if n is not None and not 1 <= n <= MOST:
        raise SpecError(f"cannot work on {n} threads", hint=f"give at least 1 and at most {MOST:,}")
    token = _chosen.set(n if n is not None else _chosen.get())
    try:
        yield
    finally:
        _chosen.reset(token)


class _BlasHold:
    """The one hold on BLAS that all threads share: the first sets the limit, the last lets go of it."""

    def __init__(self) -> None:
        self.lock, self.holders = threading.Lock(), 0
        self.limits: Any = None

    def take(self) -> None:
        from threadpoolctl import threadpool_limits

        with self.lock:
            if self.holders == 0:
                _let_this_thread_limit_blas()
                self.limits = threadpool_limits(limits=1, user_api="blas")
            self.holders += 1

    def let_go(self) -> None:
        with self.lock:
            self.holders -= 1
            if self.holders == 0:
                _let_this_thread_limit_blas()
                self.limits.restore_original_limits()
                _let_this_thread_limit_blas()  # and any other, from now on


def _let_this_thread_limit_blas() -> None:
    """Let the next thread that limits OpenBLAS do so.

    From threadpoolctl 3.8 on only the first thread that limited it may do so again: limits of others have no effect, and
    nothing says so. Here the last holder may be another thread than the first, and each hold one of other threads.
    """
    from threadpoolctl import OpenBLASController

    give_up = getattr(OpenBLASController, "clear_controlling_thread", None)
    if give_up is not None:
        give_up(force=True)


_blas = _BlasHold()


@contextmanager
def single_blas() -> Iterator[None]:
    """Hold BLAS to one thread, so that a product's bytes do not depend on the machine's load or cores."""
    import scipy.linalg.cython_blas  # noqa: F401 - scipy and numba have a BLAS of their own: load it, that it is held too

    _blas.take()
    try:
        yield
    finally:
        _blas.let_go()


def interruptible(work: Callable[[], R]) -> R:
    """`work()` in a separate thread, which Ctrl-C leaves at once.

    Python hears of Ctrl-C in the main thread alone, and there only between its own steps: a call of compiled code may take
    minutes. Work that was left goes on until its next piece of `run_all` and comes to nothing; it does not keep the process
    from ending.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    done: list[tuple[R | None, BaseException | None]] = []
    left, finished = threading.Event(), threading.Event()

    def run() -> None:
        _left.set(left)
        try:
            done.append((work(), None))
        except BaseException as error:
            done.append((None, error))
        finally:
            finished.set()

    thread = threading.Thread(target=copy_context().run, args=(run,), name="heldout-work", daemon=True)
    thread.start()
    try:
        while not finished.wait(_LISTENS):  # Thread.join, when interrupted, takes a thread for ended that is not
            pass
    except BaseException:
        left.set()
        _abandon(finished)
        raise
    result, error = done[0]
    if error is not None:
        raise error
    return cast(R, result)


@contextmanager
def behind(name: str) -> Iterator[ThreadPoolExecutor]:
    """One thread for work that is done while this one goes on, which Ctrl-C leaves after a moment.

    The moment is for what is being written. Work that was left comes to nothing at its next piece of `run_all`.
    """
    left, pool = threading.Event(), ThreadPoolExecutor(1, thread_name_prefix=name)
    token = _left.set(left)
    try:
        yield pool
    except KeyboardInterrupt:
        left.set()
        pool.shutdown(wait=False, cancel_futures=True)
        finished = threading.Event()
        # The pool's own thread ends when its work does: nothing else tells of work that was begun.
        threading.Thread(target=_tell_end, args=(pool, finished), name=f"{name}-end", daemon=True).start()
        if not finished.wait(_GRACE):
            _abandon(finished)
        raise
    finally:
        _left.reset(token)
        if not left.is_set():
            pool.shutdown(wait=True, cancel_futures=True)


def _tell_end(pool: ThreadPoolExecutor, finished: threading.Event) -> None:
    pool.shutdown(wait=True)
    finished.set()


def _abandon(finished: threading.Event) -> None:
    """See to it that the process can end before the work is finished."""
    if not _abandoned:
        threading._register_atexit(_leave)  # type: ignore[attr-defined]  # before threads of executors are waited for
    _abandoned.append(finished)


def _leave() -> None:
    """End the process at once where abandoned work still runs.

    Threads within compiled code cannot be stopped, and libraries that are shut down wait for them.
    """
    if all(finished.is_set() for finished in _abandoned):
        return
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(STOPPED)


def run_all(work: Callable[[T], R], pieces: Iterable[T]) -> Iterator[R]:
    """`work(piece)` for every piece, on `count()` threads, results in the order of the pieces.

    At most a few pieces per thread are in flight, so memory stays bounded. An exception of any piece is raised here,
    and pieces not yet begun are dropped.
    """
    n, left = count(), _left.get()
    with single_blas():
        if n == 1:
            for piece in pieces:
                _refuse_abandoned(left)
                yield work(piece)
            return
        remaining = iter(pieces)
        with ThreadPoolExecutor(n, thread_name_prefix="heldout") as pool:
            waiting = [pool.submit(copy_context().run, work, piece) for piece in islice(remaining, 2 * n)]
            try:
                while waiting:
                    result = waiting.pop(0).result()
                    _refuse_abandoned(left)
                    for piece in islice(remaining, 1):
                        waiting.append(pool.submit(copy_context().run, work, piece))
                    yield result
            finally:
                for future in waiting:
                    future.cancel()


def _refuse_abandoned(left: threading.Event | None) -> None:
    if left is not None and left.is_set():
        raise AbandonedError("the run was stopped")
