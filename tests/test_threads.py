"""Threads: how many, in which order results come, and what happens to errors."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from tests.refusals import refused
from threadpoolctl import threadpool_info, threadpool_limits

from heldout import threads
from heldout.errors import SpecError


def test_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_THREADS", "3")
    assert threads.count() == 3
    with threads.using(5):
        assert threads.count() == 5
        with threads.using(None):
            assert threads.count() == 5
    assert threads.count() == 3


@pytest.mark.parametrize("text", ["0", "-1", "two", "99999", "٣"])
def test_a_wrong_number_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_THREADS", text)
    with refused(SpecError, hint="give a whole number from 1 to 1,024"):
        threads.count()


@pytest.mark.parametrize("text", ["0", "-1", " 0 ", "-999"])
def test_no_thread_is_refused_before_a_library_fails_over_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", text)
    with refused(SpecError, hint="give a whole number from 1 on, or unset it"):
        threads.refuse_no_threads("NUMBA_NUM_THREADS")


@pytest.mark.parametrize("text", ["", "1", "64", "x", "1.5", "--1"])
def test_other_values_are_left_to_the_library(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", text)
    threads.refuse_no_threads("NUMBA_NUM_THREADS")


@pytest.mark.parametrize("n", [1, 4])
def test_results_come_in_the_order_of_the_pieces(n: int) -> None:
    def work(piece: int) -> int:
        time.sleep(0.002 * (3 - piece % 4))  # later pieces end first
        return threads.count() * 100 + piece

    with threads.using(n):
        assert list(threads.run_all(work, range(20))) == [100 * n + piece for piece in range(20)]


@pytest.mark.parametrize("n", [1, 4])
def test_the_error_of_a_piece_is_raised(n: int) -> None:
    with threads.using(n), pytest.raises(ZeroDivisionError):
        list(threads.run_all(lambda piece: 1 // piece, [2, 1, 0, 3]))


def _blas_threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def _threads_within_a_hold() -> set[int]:
    with threads.single_blas():
        return _blas_threads()


def test_a_hold_on_blas_lasts_until_the_last_lets_go() -> None:
    with threads.single_blas():
        assert _blas_threads() == {1}
        threads.interruptible(_threads_within_a_hold)
        assert _blas_threads() == {1}


@pytest.fixture
def _three_blas_threads() -> Iterator[None]:
    """BLAS on three threads, as on a machine of three cores, limited by the main thread, which goes on."""
    with threadpool_limits(limits=3, user_api="blas"):
        assert _blas_threads() == {3}
        yield


@pytest.mark.usefixtures("_three_blas_threads")
def test_every_thread_can_hold_blas_after_another_did() -> None:
    """The main thread, one of its own, and the main thread again; each time BLAS has its threads back afterwards."""
    for hold in (_threads_within_a_hold, lambda: threads.interruptible(_threads_within_a_hold)) * 2:
        assert hold() == {1}
        assert _blas_threads() == {3}


@pytest.mark.usefixtures("_three_blas_threads")
def test_blas_has_its_threads_back_whoever_lets_go_last() -> None:
    """A thread takes the hold, the main thread takes it too and lets go after the other."""
    taken, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with threads.single_blas():
            taken.set()
            let_go.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert taken.wait(60)
    with threads.single_blas():
        let_go.set()
        thread.join()
        assert _blas_threads() == {1}
    assert _blas_threads() == {3}
