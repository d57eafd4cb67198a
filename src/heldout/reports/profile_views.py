"""What every form of a data profile draws alike: its pictures, as axes, bars and lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from heldout.data.profile import DataStep, DataSteps, ProfileRecord
from heldout.reports.axis import PERCENT_TICKS, Axis, round_ticks
from heldout.words import count, number, percent

_FIRST_YEAR = 1980
"""Times before it are steps of some other clock, not seconds since 1970."""


class Bar(NamedTuple):
    """A bar from `start` to `end` on the first axis, as high as `height`."""

    start: float
    end: float
    height: float
    words: str


@dataclass(frozen=True, kw_only=True)
class DataPicture:
    """A picture of a data set: bars, or lines, of each step that is drawn."""

    name: str
    """In kebab-case, as figures are named."""
    title: str
    x: Axis
    y: Axis
    bars: tuple[tuple[str, tuple[Bar, ...]], ...] = ()
    """Step and its bars: as read, and after all filters."""
    lines: tuple[tuple[str, tuple[tuple[float, float], ...]], ...] = ()
    """Step and the points of its line, of every step."""


TITLES = {
    "values": "Ratings by value",
    "popularity": "Ratings held by the most popular items",
    "ratings_per_user": "Users by number of ratings",
    "ratings_per_item": "Items by number of ratings",
    "positive_by_popularity": "Positive share by popularity",
    "popularity_by_rating": "Number of ratings by an item's mean rating",
    "activity": "Ratings over time",
}
"""Part of a profile → title of its picture."""


def picture_name(part: str, place: int = 0) -> str:
    """data-ratings-per-user; of a second data set data-ratings-per-user-2."""
    name = f"data-{part.replace('_', '-')}"
    return f"{name}-{place + 1}" if place else name


def has_picture(facts: DataSteps, part: str) -> bool:
    """Whether the last step of a data set has this part."""
    drawn = facts.steps[-1].profile.get(part) if facts.steps else None
    return drawn is not None and bool(drawn.get("counts") or drawn.get("x"))


def data_picture(facts: DataSteps, part: str, place: int = 0) -> DataPicture:
    """One picture of a data set; `has_picture` says whether there is one. `place` is that of the data set."""
    name, title = picture_name(part, place), TITLES[part]
    steps = [step for step in facts.steps if step.profile.get(part)]
    if part in ("popularity", "positive_by_popularity", "popularity_by_rating"):
        return _lines(name, title, steps, part)
    ends = steps if len(steps) < 2 else [steps[0], steps[-1]]
    return _bars(name, title, ends, part)


def data_facts(record: ProfileRecord) -> DataSteps:
    """A profile by itself in the form in which a study keeps those of its data."""
    return DataSteps(record.source, "", tuple(DataStep(label, profile.to_dict()) for label, profile in record.steps))


def _lines(name: str, title: str, steps: Sequence[DataStep], part: str) -> DataPicture:
    lines = tuple((s.label, tuple(zip(s.profile[part]["x"], s.profile[part]["y"], strict=True))) for s in steps)
    if part != "popularity_by_rating":
        held = "share of ratings" if part == "popularity" else "positive share"
        x = Axis(start=0.0, end=1.0, ticks=PERCENT_TICKS, label="share of items, most popular first")
        return DataPicture(
            name=name, title=title, x=x, y=Axis(start=0.0, end=1.0, ticks=PERCENT_TICKS, label=held), lines=lines
        )
    across = [x for _, points in lines for x, _ in points]
    low, high = min(across), max(across)
    high = high if high > low else low + 1.0
    x = Axis(start=low, end=high, ticks=round_ticks(low, high), label="mean rating of an item")
    most = max(y for _, points in lines for _, y in points)
    return DataPicture(name=name, title=title, x=x, y=_counts(most, "ratings per item"), lines=lines)


def _counts(most: float, label: str) -> Axis:
    """From 0 to the largest count, with whole numbers beside it."""
    top = max(most, 1.0) * 1.04
    ticks = [(tick, short_count(tick)) for tick, _ in round_ticks(0.0, top) if float(tick).is_integer()]
    return Axis(start=0.0, end=top, ticks=ticks, label=label)


def short_count(value: float) -> str:
    """2,500, 20k, 1.5M."""
    for size, ending in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= size:
            unit = 1e3 if ending == "k" else size
            return f"{value / unit:g}{ending}"
    return count(round(value))


def _bars(name: str, title: str, steps: Sequence[DataStep], part: str) -> DataPicture:
    bins = [step.profile[part] for step in steps]
    noun = {"ratings_per_user": "users", "ratings_per_item": "items"}.get(part, "ratings")
    most = max((n for own in bins for n in own["counts"]), default=0)
    distinct = all(len(own["edges"]) == len(own["counts"]) for own in bins)
    if part == "values" and distinct:
        x, heights = _distinct(bins, noun)
    elif part in ("ratings_per_user", "ratings_per_item"):
        x, heights = _log_bins(bins, noun, "user" if part == "ratings_per_user" else "item")
    else:
        x, heights = _equal_bins(bins, noun, time=part == "activity")
    drawn = tuple((step.label, bars) for step, bars in zip(steps, heights, strict=True))
    return DataPicture(name=name, title=title, x=x, y=_counts(most, noun), bars=drawn)


def _distinct(bins: Sequence[Mapping[str, Any]], noun: str) -> tuple[Axis, list[tuple[Bar, ...]]]:
    """A place for each rating, in which the steps stand side by side."""
    grades = sorted({float(edge) for own in bins for edge in own["edges"]})
    wide = 0.8 / len(bins)
    heights = []
    for k, own in enumerate(bins):
        bars = []
        for edge, n in zip(own["edges"], own["counts"], strict=True):
            start = grades.index(float(edge)) - 0.4 + k * wide
            bars.append(Bar(start, start + wide, n, f"{edge:g}: {count(n)} {noun}"))
        heights.append(tuple(bars))
    every = max(1, math.ceil(len(grades) / 12))
    ticks = [(float(k), f"{grade:g}") for k, grade in enumerate(grades) if k % every == 0]
    return Axis(start=-0.6, end=len(grades) - 0.4, ticks=ticks, label="rating"), heights


def _log_bins(bins: Sequence[Mapping[str, Any]], noun: str, whose: str) -> tuple[Axis, list[tuple[Bar, ...]]]:
    heights = []
    for own in bins:
        ranges = zip(pairwise(own["edges"]), own["counts"], strict=True)
        heights.append(
            tuple(
                Bar(math.log10(low), math.log10(high), n, f"{count(low)} to below {count(high)}: {count(n)} {noun}")
                for (low, high), n in ranges
                if n
            )
        )
    last = max((bar.end for bars in heights for bar in bars), default=1.0)
    first = min((bar.start for bars in heights for bar in bars), default=0.0)
    steps = (1, 2, 5) if last - first < 3 else (1,)
    sizes = [step * 10**power for power in range(math.floor(first), math.ceil(last)) for step in steps]
    sizes += [10 ** math.ceil(last)]
    ticks = [(math.log10(size), short_count(size)) for size in sizes if first <= math.log10(size) <= last]
    return Axis(start=first, end=last, ticks=ticks, label=f"ratings of one {whose}, on a log scale"), heights


def _equal_bins(bins: Sequence[Mapping[str, Any]], noun: str, *, time: bool) -> tuple[Axis, list[tuple[Bar, ...]]]:
    heights = []
    for own in bins:
        ends = own["edges"] if len(own["edges"]) > len(own["counts"]) else [*own["edges"], own["edges"][-1] + 1]
        words = _day if time else _plain
        bars = [
            Bar(low, high, n, f"{words(low)} to {words(high)}: {count(n)} {noun}")
            for (low, high), n in zip(pairwise(ends), own["counts"], strict=True)
        ]
        heights.append(tuple(bars))
    start, end = min(bars[0].start for bars in heights), max(bars[-1].end for bars in heights)
    end = end if end > start else start + 1.0
    ticks = _time_ticks(start, end) if time else round_ticks(start, end)
    return Axis(start=start, end=end, ticks=ticks, label="" if time else "rating"), heights


def _plain(value: float) -> str:
    return number(value, 0 if float(value).is_integer() else 2)


def _moment(value: float) -> datetime | None:
    """The time of so many seconds since 1970; None where it is no such time."""
    try:
        moment = datetime.fromtimestamp(float(value), UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return moment if moment.year > _FIRST_YEAR else None


def _day(value: float) -> str:
    moment = _moment(value)
    return f"{moment:%Y-%m-%d}" if moment else _plain(value)


def _time_ticks(start: float, end: float) -> list[tuple[float, str]]:
    """Beginnings of years where there are three or more, else four days; plain numbers of other clocks."""
    first, last = _moment(start), _moment(end)
    if first is None or last is None:
        return round_ticks(start, end)
    years = range(first.year + 1, last.year + 1)
    if len(years) >= 3:
        every = math.ceil(len(years) / 6)
        return [(datetime(year, 1, 1, tzinfo=UTC).timestamp(), str(year)) for year in years[::every]]
    places = [start + (end - start) * (k + 0.5) / 3 for k in range(3)]
    return [(place, _day(place)) for place in places]


def span_words(span: Sequence[Any] | None) -> str:
    """First and last day of the ratings; empty where there are none."""
    if not span or any(end is None for end in span):
        return ""
    return " to ".join(_day(end) if isinstance(end, int | float) else str(end) for end in span)


def positive_words(profile: Mapping[str, Any]) -> str:
    """57.5% (from 4 on)."""
    share, level = profile.get("positive_share"), profile.get("positive")
    return percent(share) if share is None or level is None else f"{percent(share)} (from {level:g} on)"
