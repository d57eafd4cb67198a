"""Threads: how many, in which order results come, and what happens to errors."""

from __future__ import annotations

import time

import pytest

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
    with pytest.raises(SpecError, match="HELDOUT_THREADS"):
        threads.count()


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
