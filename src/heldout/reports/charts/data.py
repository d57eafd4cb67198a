"""Figures of a data set: ratings by value, by user, by item and over time, and how popular items hold them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from heldout.data.profile import DataStep, DataSteps, have_wider_bins
from heldout.reports.charts.encodings import Row, layer, nominal, plot, plot_height, quantity, text_width, tooltips, upright
from heldout.reports.charts.theme import DASHES, text_size
from heldout.reports.document import Chart, Layout, Spec
from heldout.text.numbers import count, exact, number, percent
from heldout.text.phrases import listed

FIRST_YEAR = 1980
"""Times before it are steps of another clock, not seconds since 1970."""
BEFORE_INSET, AFTER_INSET = 0.04, 0.25
"""Shares of a bar's place left free on either side: a bar of the filtered data lies within that of the data as read."""
_HISTOGRAMS = {
    "values": ("Ratings by value", "Ratings", "ratings", "value of the ratings"),
    "ratings_per_user": ("Users by number of ratings", "Ratings of a user", "users", "number of ratings"),
    "ratings_per_item": ("Items by number of ratings", "Ratings of an item", "items", "number of ratings"),
    "activity": ("Ratings over time", "Time", "ratings", "time"),
}
"""Part of a profile → title, title of the horizontal axis, what is counted, and by what."""
CURVES = {
    "popularity": (
        "Ratings held by the most popular items",
        "Share of items, most popular first",
        "Share of ratings",
        "share of ratings held by the most popular items. On the diagonal, all items would have the same number.",
    ),
    "positive_by_popularity": (
        "Positive share by popularity",
        "Share of items, most popular first",
        "Positive share of ratings",
        "share of positive ratings in 20 equal groups of items, from the most to the least popular.",
    ),
    "popularity_by_rating": (
        "Number of ratings by an item's mean rating",
        "Mean rating of an item",
        "Mean ratings per item",
        "mean number of ratings of items in 20 equal ranges of their mean rating.",
    ),
}
"""Part of a profile → title, titles of the axes, and what is shown."""
TITLES = {part: words[0] for part, words in (_HISTOGRAMS | CURVES).items()}
PARTS = (
    "values",
    "popularity",
    "ratings_per_user",
    "ratings_per_item",
    "positive_by_popularity",
    "popularity_by_rating",
    "activity",
)
"""In the order in which reports show them."""


def charts(
    data_sets: Sequence[DataSteps], table_by_part: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Callable[[], Chart | None]]:
    """Name → function of each figure of each data set; the table with its numbers is `profile` unless another is named."""
    return {
        chart_name(part, place): partial(_chart, data_set, part, place, table_by_part.get(part, "profile"))
        for place, data_set in enumerate(data_sets)
        for part in PARTS
    }


def chart_name(part: str, place: int = 0) -> str:
    """data-ratings-per-user; of a second data set data-ratings-per-user-2."""
    name = f"data-{part.replace('_', '-')}"
    return f"{name}-{place + 1}" if place else name


def _chart(data_set: DataSteps, part: str, place: int, table: str) -> Chart | None:
    steps = [step for step in data_set.steps if has_part(step, part)]
    if not steps or not has_part(data_set.steps[-1], part):
        return None
    labels = [step.label for step in data_set.steps]
    draw: Callable[[Layout], Spec]
    if part in CURVES:
        caption = f"{data_set.name}: {CURVES[part][3]}"
        draw = partial(_curve, part, steps, labels)
    else:
        steps = steps if len(steps) < 2 else [steps[0], steps[-1]]
        _, _, noun, by = _HISTOGRAMS[part]
        bins = " Bins are logarithmic." if is_logarithmic(part, steps) else ""
        caption = f"{data_set.name}: number of {noun} by {by}.{bins}"
        draw = partial(_histogram, part, steps, labels)
    if len(steps) > 1:
        caption += f" Shown {listed([_when(step.label) for step in steps])}."
    return Chart(name=chart_name(part, place), title=TITLES[part], caption=caption, draw=draw, table=table, half=True)


def has_part(step: DataStep, part: str) -> bool:
    """True if there is something to draw."""
    shown = step.profile.get(part)
    return shown is not None and bool(shown.get("counts") or shown.get("x"))


def _when(label: str) -> str:
    return label if label in ("as read", "train", "test") else f"after {label}"


def is_logarithmic(part: str, steps: Sequence[DataStep]) -> bool:
    """True for numbers of ratings, and for values whose bins become wider."""
    if part != "values":
        return part != "activity"
    bins = [step.profile["values"] for step in steps]
    return any(len(own["edges"]) > len(own["counts"]) and have_wider_bins(own["edges"]) for own in bins)


def _histogram(part: str, steps: Sequence[DataStep], labels: Sequence[str], layout: Layout) -> Spec:
    _, across, noun, _ = _HISTOGRAMS[part]
    bins = [step.profile[part] for step in steps]
    if part == "values" and all(len(own["edges"]) == len(own["counts"]) for own in bins):
        return _by_value(steps, labels, layout)
    time = part == "activity"
    dated = time and all(moment(own["edges"][k]) for own in bins for k in (0, -1))
    logarithmic = is_logarithmic(part, steps)
    unit = 1000.0 if dated else 1.0  # Vega counts milliseconds
    rows: list[dict[str, Any]] = []
    for k, own in enumerate(bins):
        inset = AFTER_INSET if k else BEFORE_INSET
        for low, high, n in _ranges(own, bins):
            if n:
                left, right = _inset(low, high, inset, logarithmic=logarithmic)
                words = bin_words(low, high, whole=logarithmic, time=time)
                place = {"step": steps[k].label, "start": unit * left, "end": unit * right, "count": n}
                rows.append({**place, "range": words, "text": f"{count(n)} {noun}"})
    start, end = min(low for own in bins for low, _, n in _ranges(own, bins) if n), max(r["end"] for r in rows)
    scale: Spec = {"domain": [unit * start, end], "nice": False, "zero": False}
    axis: Spec = {"grid": False}
    if logarithmic:
        scale |= {"type": "log"}
        axis |= {"values": _log_ticks(start, end, layout)}
    x = quantity("start", title="Value of a rating" if part == "values" else across, scale=scale, axis=axis)
    if dated:
        x |= {"type": "temporal", "scale": {"type": "utc", "nice": False}, "title": "Time (UTC)"}
        axis |= {"tickCount": 4 if layout.narrow else 6, "labelOverlap": True}
    elif time:
        x |= {"title": "Time, as numbered in the data"}
    told = _tooltip(steps, {"range": across, "text": noun.capitalize()})
    bar = {"x": x, "x2": {"field": "end"}, "y2": {"datum": 0}, "tooltip": told}
    return _plot(rows, layout, [layer("rect", "bar", {**bar, **_counted(noun, steps, labels, layout)})])


def _by_value(steps: Sequence[DataStep], labels: Sequence[str], layout: Layout) -> Spec:
    """A place for each rating; bars of the filtered data lie within those of the data as read."""
    grades = sorted({float(edge) for step in steps for edge in step.profile["values"]["edges"]})
    rating = {
        "field": "rating",
        "type": "ordinal",
        "title": "Value of a rating",
        "scale": {"domain": [f"{grade:g}" for grade in grades], "padding": 0.1},
        "axis": {"labelAngle": 0, "labelOverlap": True, "grid": False},
    }
    told = _tooltip(steps, {"rating": "Value of a rating", "text": "Ratings"})
    shared = {"x": rating, "tooltip": told, **_counted("ratings", steps, labels, layout)}
    layers = []
    for k, step in enumerate(steps):
        own = step.profile["values"]
        total = sum(own["counts"])
        rows = [
            {"step": step.label, "rating": f"{edge:g}", "count": n, "text": f"{count(n)} ({percent(n / total)})"}
            for edge, n in zip(own["edges"], own["counts"], strict=True)
        ]
        width = 1 - 2 * (AFTER_INSET if k else BEFORE_INSET)
        layers.append(layer("bar", "bar", shared, rows=rows, width={"band": width}))
    return _plot((), layout, layers)


def _curve(part: str, steps: Sequence[DataStep], labels: Sequence[str], layout: Layout) -> Spec:
    _, across, up, _ = CURVES[part]
    shares = part != "popularity_by_rating"
    rows = []
    for step in steps:
        for x, y in zip(step.profile[part]["x"], step.profile[part]["y"], strict=True):
            texts = (percent(x), percent(y)) if shares else (exact(x), number(y, 1))
            rows.append({"step": step.label, "x": x, "y": y, "across": texts[0], "up": texts[1]})
    scale: Spec = {"domain": [0, 1]} if shares else {"zero": False, "nice": False, "padding": 6}
    if not shares and is_logarithmic("values", steps):
        scale |= {"type": "log"}
    axis: Spec = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1]} if shares else {}
    ticks = {"grid": False, "tickCount": 4 if layout.narrow else 6, "labelOverlap": True}
    y_scale: Spec = {"domain": [0, 1]} if shares else {}
    place = {
        "x": quantity("x", title=across, scale=scale, axis={**axis, **ticks}),
        "y": quantity("y", title=up, scale=y_scale, axis=upright(layout, **axis)),
    }
    point = {**place, "detail": {"field": "step"}, "tooltip": _tooltip(steps, {"across": across, "up": up})}
    lines = {**place, **_step_looks(steps, labels, layout, "color", "strokeDash")}
    return _plot(rows, layout, [layer("line", "curve", lines), layer("point", "touch", point)])


def _plot(rows: Sequence[Row], layout: Layout, layers: Sequence[Spec]) -> Spec:
    spec = plot("data", rows, layout, plot_height(layout, 200), layers)
    return {name: value for name, value in spec.items() if name != "params"}


def _counted(noun: str, steps: Sequence[DataStep], labels: Sequence[str], layout: Layout) -> Spec:
    """The upright axis of counts, and the colours of the steps."""
    axis = upright(layout, tickMinStep=1)
    y = quantity("count", title=noun.capitalize(), stack=None, axis=axis)
    return {"y": y, **_step_looks(steps, labels, layout, "color")}


def _step_looks(steps: Sequence[DataStep], labels: Sequence[str], layout: Layout, *channels: str) -> Spec:
    """The colour and dashes of a step are the same in every figure of its data set; one step needs no legend."""
    shown = [step.label for step in steps]
    size = text_size(paper=layout.paper)
    fits = sum(text_width(label, layout) + 3 * size for label in shown) < layout.width
    columns = len(shown) if fits else 1
    legend = {"values": shown, "labelLimit": layout.width - 40, "columns": columns, "offset": 2.2 * size}
    ranges = {"color": {}, "strokeDash": {"range": [list(DASHES[k % len(DASHES)]) for k in range(len(labels))]}}
    of_step = {"legend": legend if len(shown) > 1 else None}
    return {name: nominal("step", scale={"domain": list(labels), **ranges[name]}, **of_step) for name in channels}


def _tooltip(steps: Sequence[DataStep], titles: Mapping[str, str]) -> list[dict[str, str]]:
    return tooltips(*({"step": "Step", **titles} if len(steps) > 1 else titles).items())


def bin_counts(own: Mapping[str, Any]) -> list[tuple[float, float, int]]:
    """Ends and count of each bin; both ends of a distinct value are the value."""
    edges, counts = own["edges"], own["counts"]
    ends = pairwise(edges) if len(edges) > len(counts) else zip(edges, edges, strict=True)
    return [(low, high, n) for (low, high), n in zip(ends, counts, strict=True)]


def _ranges(own: Mapping[str, Any], bins: Sequence[Mapping[str, Any]]) -> list[tuple[float, float, int]]:
    """Bins with a width; distinct values get that of the bins of the other step."""
    widths = [high - low for other in bins for low, high, _ in bin_counts(other) if high > low]
    half = widths[0] / 2 if widths else 0.5
    return [(low, high, n) if high > low else (low - half, high + half, n) for low, high, n in bin_counts(own)]


def _inset(low: float, high: float, share: float, *, logarithmic: bool) -> tuple[float, float]:
    if logarithmic:
        return low * (high / low) ** share, low * (high / low) ** (1 - share)
    return low + share * (high - low), high - share * (high - low)


def _log_ticks(start: float, end: float, layout: Layout) -> list[float]:
    """1, 2, 5, 10, … over a few powers of ten, else powers of ten."""
    factors = (1, 2, 5) if math.log10(end / start) < (2.2 if layout.narrow else 4) else (1,)
    powers = range(math.floor(math.log10(start)), math.ceil(math.log10(end)) + 1)
    return [factor * 10.0**power for power in powers for factor in factors if start <= factor * 10.0**power <= end]


def bin_words(low: float, high: float, *, whole: bool, time: bool = False) -> str:
    """3; 4 to 5; 2001-01-01 to 2001-02-03."""
    if time:
        return f"{day(low)} to {day(high)}"
    if low == high:
        return exact(low)
    if whole:
        return count(low) if high - low <= 1 else f"{count(low)} to {count(high - 1)}"
    return f"{exact(low)} to {exact(high)}"


def moment(value: float) -> datetime | None:
    """The time of so many seconds since 1970; None if the data count by another clock."""
    try:
        time = datetime.fromtimestamp(float(value), UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return time if time.year > FIRST_YEAR else None


def day(value: float) -> str:
    """2001-02-03; the number itself if the data count by another clock."""
    time = moment(value)
    return f"{time:%Y-%m-%d}" if time else number(value, 0 if float(value).is_integer() else 2)
