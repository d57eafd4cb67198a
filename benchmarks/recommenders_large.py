"""Fitting and ranking on 20 million ratings of 138,000 users and 27,000 items, simulated: CPU seconds and peak memory.

Each recommender has a process of its own, whose whole memory counts, the data included. Passes are few: they cost time and
no memory.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.harness import Found, Limit
from benchmarks.recommender_worker import elsewhere
from heldout.data.read import read

DATA = "simulate(users=138000, items=27000, ratings=20000000)"
SYSTEMS = ("Popularity", "PureSVD", "ItemKNN", "WRMF(iterations=5)", "BPRMF(epochs=3)", "UserKNN")
MOST = 8192


def run() -> Found:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "ratings.parquet"
        read(DATA).to_polars().write_parquet(path)
        found = {}
        for system in SYSTEMS:
            found[system] = elsewhere(system, str(path))
    right = {system: one for system, one in found.items() if "refused" not in one}
    notes = [f"{system} failed: {one['refused']}" for system, one in found.items() if system not in right]
    notes += [f"{system}: fit {one['fit']:.0f}, rank {one['cpu'] - one['fit']:.0f} CPU s" for system, one in right.items()]
    limits = [Limit(f"peak memory of {system}", one["peak"], MOST, "MB") for system, one in right.items()]
    return Found({system: [one["cpu"]] for system, one in right.items()}, limits=limits, notes=notes, more=found)
