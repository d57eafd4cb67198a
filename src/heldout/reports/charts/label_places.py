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


def beside_points(
    spots: Sequence[tuple[float, float]],
    widths: Sequence[float],
    *,
    line: float,
    gap: float,
    top: float,
    right: float,
    spans: Sequence[tuple[float, float]] | None = None,
) -> list[tuple[float, float]]:
    """The left edge and the height of a label beside each point, where neither another label nor a point stands.

    On the right of its point if that is free, else on the left, else above or below, as near as there is room between 0 and
    `top`, and left of `right`. `line` is the height of a label, `gap` the distance from the middle of a point. Labels do not
    cover `spans`, the ends of the points' intervals, either.
    """
    ends = spans or [(x, x) for x, _ in spots]
    taken = [(min(x, start) - gap, y, max(x, end) + gap) for (x, y), (start, end) in zip(spots, ends, strict=True)]
    places = []
    for (x, y), width, (start, end) in zip(spots, widths, ends, strict=True):
        shifts = [0.0, *(line * step * sign for step in range(1, 30) for sign in (1, -1))]
        lefts = [max(x, end) + gap, min(x, start) - gap - width]
        tried = [(left, y) for left in lefts]
        tried += [(left, y + shift) for shift in shifts for left in (x + gap, x - gap - width)]
        free = (
            (left, height)
            for left, height in tried
            if left > 0 and left + width < right and 0 < height < top
            if not any(abs(height - h) < line and left < end and start < left + width for start, h, end in taken)
        )
        left, height = next(free, tried[0])
        taken.append((left, height, left + width))
        places.append((left, height))
    return places
