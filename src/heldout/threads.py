"""How many threads work, and mapping over independent pieces of work with BLAS held to one thread each.

A result never depends on the number of threads: pieces are fixed by the caller, results come back in order, and BLAS,
whose sums depend on its own threading, is pinned.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from itertools import islice
from typing import TypeVar

from heldout.errors import SpecError, brief

T = TypeVar("T")
R = TypeVar("R")

MOST = 1024
"""Threads, or worker processes, that may be asked for."""
_chosen: ContextVar[int | None] = ContextVar("heldout_threads", default=None)


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


def memory() -> int:
    """Bytes of memory that this machine has; 0 where it does not say."""
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


@contextmanager
def single_blas() -> Iterator[None]:
    """Hold BLAS to one thread, so that a product's bytes do not depend on the machine's load or cores."""
    import scipy.linalg.cython_blas  # noqa: F401 - scipy and numba have a BLAS of their own: load it, that it is held too
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        yield


def run_all(work: Callable[[T], R], pieces: Iterable[T]) -> Iterator[R]:
    """`work(piece)` for every piece, on `count()` threads, results in the order of the pieces.

    At most a few pieces per thread are in flight, so memory stays bounded. An exception of any piece is raised here,
    and pieces not yet begun are dropped.
    """
    n = count()
    with single_blas():
        if n == 1:
            for piece in pieces:
                yield work(piece)
            return
        remaining = iter(pieces)
        with ThreadPoolExecutor(n, thread_name_prefix="heldout") as pool:
            waiting = [pool.submit(copy_context().run, work, piece) for piece in islice(remaining, 2 * n)]
            try:
                while waiting:
                    result = waiting.pop(0).result()
                    for piece in islice(remaining, 1):
                        waiting.append(pool.submit(copy_context().run, work, piece))
                    yield result
            finally:
                for future in waiting:
                    future.cancel()
