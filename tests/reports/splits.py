"""A split of a few ratings."""

from __future__ import annotations

from heldout import read
from heldout.catalogue import make
from heldout.tables import Split


def split() -> Split:
    """Each of four users has five ratings, of which the last two, by time, are hidden."""
    rows = {"user": [u for u in range(4) for _ in range(5)], "item": list(range(5)) * 4, "rating": [1.0] * 20}
    data = read({**rows, "time": list(range(5)) * 4})
    return next(iter(make("split", "temporal(at=0.6)").split(data, seed=1)))
