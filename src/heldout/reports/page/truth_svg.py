"""The drawings of a page on the truth: how often protocols were right, and bias against standard error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from markupsafe import Markup

from heldout.biases.truth.findings import EstimatorRow
from heldout.reports.label_places import beside_points
from heldout.reports.page.markup import el, join
from heldout.reports.truth_views import interval_words, metrics
from heldout.words import number, percent

LETTER, ROW = 7.2, 19.0
WIDE, NARROW = 880.0, 360.0
SMALLEST = 1e-3
"""Of the true value: smaller biases and errors are drawn there."""


def right_chart(rows: Sequence[EstimatorRow]) -> Markup:
    """A dot with its interval for each protocol, the best at the top; for wide and for narrow screens."""
    return join(_right_chart(rows, narrow=False), _right_chart(rows, narrow=True))


def _right_chart(rows: Sequence[EstimatorRow], *, narrow: bool) -> Markup:
    """Names stand before their lines, or above them where there is little room."""
    drawn = [row for row in rows if not math.isnan(row.right)]
    width, step = (NARROW, 2 * ROW - 4) if narrow else (WIDE, ROW)
    left = 14.0 if narrow else 16 + LETTER * max((len(row.protocol) for row in drawn), default=0)
    height = 30 + step * len(drawn)
    wide = width - left - (58 if narrow else 70)

    def at(share: float) -> float:
        return left + wide * share

    parts = [
        el("path", d=f"M{at(share):.1f} 4V{height - 22:.1f}", cls="coin" if share == 0.5 else "rule")
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    parts += [_text(percent(share, 0), at(share), height - 7, "middle") for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    for k, row in enumerate(drawn):
        y = (26 if narrow else 14) + step * k
        words = f"{row.protocol}, {row.metric}: {percent(row.right)} ({interval_words(row)})"
        parts.append(
            _text(row.protocol, at(0) + 3, y - 9, "start", "axis")
            if narrow
            else _text(row.protocol, left - 10, y + 4, "end", "axis")
        )
        if not math.isnan(row.right_low):
            parts.append(el("path", d=f"M{at(row.right_low):.1f} {y:.1f}H{at(row.right_high):.1f}", cls="whisker"))
        sure = "c0" if row.right_low > 0.5 else "c1" if row.right_high < 0.5 else "c7"
        parts.append(el("circle", el("title", words), cx=f"{at(row.right):.1f}", cy=f"{y:.1f}", r="4.5", cls=f"dot {sure}"))
        parts.append(_text(percent(row.right), width - 4, y + 4, "end"))
    return _svg(parts, width, height, "How often each protocol chose the truly better system", narrow=narrow)


def bias_chart(rows: Sequence[EstimatorRow]) -> Markup:
    """A point for each estimator: |bias| and standard error in shares of the true value, on logarithmic scales.

    For wide screens, and for narrow ones, where points have no names.
    """
    return join(_bias_chart(rows, narrow=False), _bias_chart(rows, narrow=True))


def _bias_chart(rows: Sequence[EstimatorRow], *, narrow: bool) -> Markup:
    width, height, left, below = (NARROW, 340.0, 52.0, 44.0) if narrow else (WIDE, 460.0, 60.0, 44.0)
    right = 12.0 if narrow else 110.0
    points = [(row, max(SMALLEST, abs(row.bias) / row.truth), max(SMALLEST, row.error / row.truth)) for row in rows]
    xs, ys = [math.log10(x) for _, x, _ in points], [math.log10(y) for _, _, y in points]
    (x_low, x_high), (y_low, y_high) = _widened(xs), _widened(ys)
    wide, tall = width - left - right, height - below - 12

    def at(x: float, y: float) -> tuple[float, float]:
        px = left + wide * (math.log10(x) - x_low) / (x_high - x_low)
        return px, 12 + tall * (1 - (math.log10(y) - y_low) / (y_high - y_low))

    parts = [el("path", d=f"M{left} 12V{height - below}H{width - right}", cls="rule")]
    for tick in _ticks(x_low, x_high):
        parts.append(_text(_share(tick), at(tick, 10.0**y_low)[0], height - below + 16, "middle"))
    for tick in _ticks(y_low, y_high):
        parts.append(_text(_share(tick), left - 6, at(10.0**x_low, tick)[1] + 4, "end"))
    for rmse in _ticks(min(x_low, y_low), max(x_high, y_high)):
        parts.append(_same_rmse(rmse, at, (x_low, x_high), (y_low, y_high)))
    parts.append(_text("|bias| in shares of the true value", left + wide / 2, height - 8, "middle", "axis"))
    turned = f"translate(13 {12 + tall / 2:.0f}) rotate(-90)"
    parts.append(
        el("text", "standard error in shares of the true value", transform=turned, text_anchor="middle", cls="axis")
    )
    order = metrics(rows)
    spots = [at(x, y) for _, x, y in points]
    widths = [LETTER * 0.9 * len(row.protocol) for row in rows]
    places = beside_points(spots, widths, line=11, gap=8, top=height - below, right=width)
    for row, (px, py), (label_x, label_y), label in zip(rows, spots, places, widths, strict=True):
        words = f"{row.name}: bias {number(row.bias, 4)}, SE {number(row.error, 4)}, RMSE {number(row.rmse, 4)}"
        colour = f"c{order.index(row.metric)}"
        if not narrow:
            near, anchor = (label_x, "start") if label_x > px else (label_x + label, "end")
            if label_y != py:
                parts.append(el("path", d=f"M{px:.1f} {py:.1f}L{near:.1f} {label_y:.1f}", cls="whisker"))
            parts.append(_text(row.protocol, near, label_y + 4, anchor, f"name {colour}"))
        dot = {"cx": f"{px:.1f}", "cy": f"{py:.1f}", "r": "5", "cls": f"dot {colour}"}
        parts.append(el("circle", el("title", words), **dot))
    return _svg(parts, width, height, "Bias against standard error", narrow=narrow)


def _same_rmse(
    rmse: float,
    at: Callable[[float, float], tuple[float, float]],
    x_range: tuple[float, float],
    y_range: tuple[float, float],
) -> Markup:
    """The curve of all biases and errors with one RMSE."""
    path = []
    for step in range(1, 90):
        angle = math.pi / 2 * step / 90
        x, y = rmse * math.cos(angle), rmse * math.sin(angle)
        if x >= 10.0 ** x_range[0] and y >= 10.0 ** y_range[0] and x <= 10.0 ** x_range[1] and y <= 10.0 ** y_range[1]:
            px, py = at(x, y)
            path.append(f"{px:.1f} {py:.1f}")
    return el("path", d="M" + "L".join(path), cls="rmse") if len(path) > 1 else Markup()


def _widened(logs: Sequence[float]) -> tuple[float, float]:
    """The range of these logarithms with a margin, at least half a power of ten."""
    low, high = min(logs), max(logs)
    margin = max(0.12, (0.5 - (high - low)) / 2)
    return low - margin, high + margin


def _ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten within a range of logarithms; powers alone where that would be many."""
    powers = range(math.floor(low), math.ceil(high) + 1)
    factors = (1, 2, 5) if high - low < 2.5 else (1,)
    ticks = [factor * 10.0**power for power in powers for factor in factors]
    return [tick for tick in ticks if low <= math.log10(tick) <= high]


def _share(share: float) -> str:
    """0.5%, 20%, 1,000%."""
    return percent(share, 0) if share >= 0.01 else percent(share, 2 if share < 0.001 else 1)


def _svg(parts: Sequence[Markup], width: float, height: float, label: str, *, narrow: bool) -> Markup:
    box = f"0 0 {width:.0f} {height:.0f}"
    room = "narrow" if narrow else "broad"
    return el(
        "svg", *parts, viewBox=box, cls=f"lines {room}", role="img", aria_label=label, style=f"max-width:{width:.0f}px"
    )


def _text(words: str, x: float, y: float, anchor: str, cls: str = "") -> Markup:
    return el("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, cls=cls)
