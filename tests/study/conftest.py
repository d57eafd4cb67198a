"""A study small enough to run in a moment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

STUDY: dict[str, Any] = {
    "data": "simulate(users=90, items=40, ratings=1500)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "UserKNN(k=5)", "WRMF(factors=4, iterations=2)"],
    "target": ["AllItems", "OnePlusRandom(10)"],
    "measure": ["nDCG(gain=binary)@5", "P@5"],
    "compare": ["t"],
}


def scores(folder: Path) -> dict[str, bytes]:
    """The parts of a results folder, by name."""
    return {path.name: path.read_bytes() for path in sorted((folder / "scores").glob("*"))}
