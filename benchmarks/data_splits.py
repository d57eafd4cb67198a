"""Every split of 20M simulated ratings, its first fold."""

from __future__ import annotations

import os
import time
from typing import Any

from benchmarks.harness import Found, Limit
from heldout.catalogue import make

RATINGS = int(os.environ.get("HELDOUT_BENCH_ROWS", "20_000_000"))
SPLITS = (
    "ratio",
    "ratio(by=user)",
    "folds(5)",
    "folds(5, by=user)",
    "leave_out(1)",
    "keep(10, short=train)",
    "per_item(5, short=train)",
    "uniform_test(share=0.1)",
    "temporal(at=0.8)",
    "temporal(by=user, share=0.2)",
    "temporal(by=user, last=1)",
    "random_time",
    "hide",
    "test_users(0.2)",
    "test_users(0.2, then=temporal(at=0.8))",
    "replay(times=3)",
)


def run() -> Found:
    small = make("reader", "simulate(users=300, items=100, ratings=6000)").read().interactions()
    for text in SPLITS:  # compile
        _first(text, small)
    users = max(300, RATINGS // 145)
    data = make("reader", f"simulate(users={users}, items={max(100, users // 5)}, ratings={RATINGS})").read().interactions()
    times = {}
    for text in SPLITS:
        begin = time.perf_counter()
        _first(text, data)
        times[text] = [time.perf_counter() - begin]
    slowest = max(times, key=lambda text: times[text][0])
    return Found(times, limits=[Limit(f"the slowest, {slowest},", times[slowest][0], 5.0, "s")])


def _first(text: str, data: Any) -> None:
    next(iter(make("split", text).split(data, seed=1)))
