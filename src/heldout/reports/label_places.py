"""Where the labels of lines and points stand that would cover one another."""

from __future__ import annotations

from collections.abc import Sequence


def label_places(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places of labels near those of what they name, at least `gap` apart and between low and high."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = dict.fromkeys(order, 0.0)
    last = low - gap
    for k in order:
        last = moved[k] = max(places[k], last + gap)
    following = high + gap
    for k in reversed(order):  # what was pushed beyond the end pushes the others back
        following = moved[k] = min(moved[k], following - gap)
    return [moved[k] for k in range(len(places))]
