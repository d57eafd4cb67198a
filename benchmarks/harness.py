"""Timing side by side, and what a benchmark found: times, ratios to peers and the ratios aimed at."""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

RESULTS = Path(__file__).parent / "results"

Work = Callable[[], Any]
"""One piece of work. What it returns is ignored, unless it is a Seconds: a time it took by its own clock."""


class Seconds(float):
    """A time that was taken elsewhere, such as in another process."""


@dataclass(frozen=True)
class Ratio:
    """How many times faster one is than another, by their medians, and how many times it should be."""

    ours: str
    peer: str
    target: float | None = None


@dataclass(frozen=True)
class Limit:
    """A number that should stay below another."""

    what: str
    found: float
    at_most: float
    unit: str


@dataclass(frozen=True)
class Found:
    """What a benchmark found."""

    times: Mapping[str, Sequence[float]]
    """Seconds of every repeat, by what was timed."""
    ratios: Sequence[Ratio] = ()
    limits: Sequence[Limit] = ()
    notes: Sequence[str] = ()
    per: float = 1.0
    """Times are shown divided by this, such as the number of users."""
    of: str = ""
    """What they are divided by, in words."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Other numbers, for the file."""


def interleaved(
    work: Mapping[str, Work],
    *,
    repeats: int,
    warm: int = 1,
    at_least: float = 0.05,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Seconds of each piece of work in every repeat; the pieces take turns, so that a busy moment hits all alike.

    In its turn a short piece is done again and again for `at_least` seconds, and the mean counts. `time.process_time` as the
    clock gives CPU seconds of all threads.
    """
    for one in work.values():
        for _ in range(warm):
            one()
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(repeats):
        for name, one in work.items():
            times[name].append(_turn(one, at_least, clock))
    return times


def _turn(work: Work, at_least: float, clock: Callable[[], float]) -> float:
    """The mean time of a turn; as in timeit, garbage is collected before it and not during it, for all pieces alike."""
    gc.collect()
    gc.disable()
    try:
        work()  # the turn before left the caches full of its own data
        total, n = 0.0, 0
        while total < at_least:
            begin = clock()
            took = work()
            total += float(took) if isinstance(took, Seconds) else clock() - begin
            n += 1
    finally:
        gc.enable()
    return total / n


def ratio_of(found: Found, ratio: Ratio) -> float:
    """The peer's median over ours."""
    return statistics.median(found.times[ratio.peer]) / statistics.median(found.times[ratio.ours])


def show(name: str, description: str, found: Found, console: Console) -> None:
    """Print what a benchmark found."""
    per = f" per {found.of}" if found.of else ""
    table = Table(title=f"{name}: {description}", title_justify="left", header_style="bold")
    table.add_column("what")
    for heading in (f"median{per}", "best", "repeats"):
        table.add_column(heading, justify="right")
    for label, seconds in found.times.items():
        middle, best = statistics.median(seconds) / found.per, min(seconds) / found.per
        table.add_row(label, _time(middle), _time(best), str(len(seconds)))
    console.print(table)
    for ratio in found.ratios:
        got = ratio_of(found, ratio)
        aim = "" if ratio.target is None else f"   {_verdict(got >= ratio.target)} target ≥ {ratio.target:g}×"
        console.print(f"  {ratio.ours} is {got:.3g}× as fast as {ratio.peer}{aim}")
    for limit in found.limits:
        aim = f"{_verdict(limit.found <= limit.at_most)} target ≤ {limit.at_most:g} {limit.unit}"
        console.print(f"  {limit.what}: {limit.found:.3g} {limit.unit}   {aim}")
    for note in found.notes:
        console.print(f"  · {note}")
    console.print()


def write(name: str, description: str, found: Found) -> Path:
    """Keep what a benchmark found as JSON, beside the versions it was found with."""
    from heldout.experiment.provenance import machine, versions

    RESULTS.mkdir(exist_ok=True)
    content = {
        "benchmark": name,
        "description": description,
        "machine": machine(),
        "versions": versions(),
        "seconds": {k: list(v) for k, v in found.times.items()},
        "ratios": [{"ours": r.ours, "peer": r.peer, "ratio": ratio_of(found, r), "target": r.target} for r in found.ratios],
        "limits": [vars(limit) for limit in found.limits],
        "notes": list(found.notes),
        "more": dict(found.more),
    }
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(content, indent=1, default=str) + "\n", encoding="utf-8")
    return path


def _verdict(met: bool) -> str:
    return "[green]met[/green]" if met else "[red]missed[/red]"


def _time(seconds: float) -> str:
    for unit, size in (("h", 3600.0), ("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"
