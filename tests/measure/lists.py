"""One user's list, written by hand."""

from __future__ import annotations

from heldout.catalogue import make
from heldout.measure.measuring import measure
from heldout.tables import Judged
from heldout.testing.lists import judged_lists


def judged_list(ranked: list[float | None], unlisted: tuple[float, ...] = (), *, top: float = 5.0) -> Judged:
    """The grade at each rank, None for an unrated item; `unlisted` are rated items the list lacks; 57 targets."""
    return judged_lists([ranked], [list(unlisted)], top=top, catalogue=57)


def value(metric: str, judged: Judged) -> float:
    return float(measure(judged, [make("metric", metric)]).values[0, 0])
