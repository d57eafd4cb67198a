"""Profiles of a data set in a terminal: one column per step of its filters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from textwrap import fill

from rich.console import Group, RenderableType
from rich.text import Text

from heldout.data.profile import Bins, Profile, Spread
from heldout.reports.terminal.columns import Column, bands
from heldout.reports.terminal.drawing import bars, columns, framed, line, line_width
from heldout.reports.terminal.parts import fitted, small, stacked
from heldout.words import count, number, percent


def render_profiles(steps: Sequence[tuple[str, Profile]], *, drawn: bool = True, width: int | None = None) -> Group:
    """Sizes, spread and ratings of each step, and drawings of the last, in lines of at most this width."""

    def parts(room: int) -> list[RenderableType]:
        drawings = _drawings(steps[-1][1], room) if drawn else ()
        filtered = [Text(), small(f"Below: the ratings after {steps[-1][0]}.")] if drawn and len(steps) > 1 else []
        return [
            *_steps(steps, room),
            *filtered,
            *(part for title, drawing in drawings for part in (Text(), Text(title, style="bold"), drawing)),
        ]

    return fitted(parts, width)


def _steps(steps: Sequence[tuple[str, Profile]], width: int) -> list[RenderableType]:
    """A column for each step; where there is little room, long labels are folded."""
    names = [*FIGURES]
    lead = Column(head="", forms=[names, [fill(name, 18, subsequent_indent="  ") for name in names]], right=False)
    cells = [[text(profile) for text in FIGURES.values()] for _, profile in steps]
    for least in (60, 24, 16):
        columns = [
            Column(head=fill(label, max(least, *map(len, texts))), forms=[texts])
            for (label, _), texts in zip(steps, cells, strict=True)
        ]
        if len(bands([lead, *columns], width)) == 1:
            break
    return stacked([lead, *columns], width)


def _drawings(last: Profile, room: int) -> Iterator[tuple[str, RenderableType]]:
    """The histogram, the counts per user and item, popularity, positive ratio and activity."""
    yield "ratings by value", bars(_value_ranges(last.values), last.values.counts, room=room)
    for title, bins, spread in (
        ("users by number of ratings", last.ratings_per_user, last.per_user),
        ("items by number of ratings", last.ratings_per_item, last.per_item),
    ):
        if bins.counts:
            first = next(k for k, n in enumerate(bins.counts) if n)
            yield title, bars(_ranges(bins, spread)[first:], bins.counts[first:], room=room)
    wide = line_width("100%", room)
    if last.popularity.x:
        drawn = line(last.popularity.x, last.popularity.y, width=wide)
        yield (
            "share of ratings held by the most popular items",
            framed(drawn, top="100%", bottom="0%", left="most popular", right="all items", width=wide),
        )
    ratio = last.positive_by_popularity
    if ratio is not None and last.positive is not None and ratio.x:
        drawn = line(ratio.x, ratio.y, width=wide)
        yield (
            f"share of ratings ≥ {last.positive:g} by popularity",
            framed(drawn, top="100%", bottom="0%", left="most popular", right="least popular", width=wide),
        )
    curve = last.popularity_by_rating
    if curve is not None and len(curve.x) > 1:
        low, high, most = min(curve.x), max(curve.x), max(curve.y)
        wide = line_width(f"{most:,.0f}", room)
        drawn = line([(x - low) / (high - low) for x in curve.x], [y / most for y in curve.y], width=wide)
        yield (
            "mean number of ratings by an item's mean rating",
            framed(drawn, top=f"{most:,.0f}", bottom="0", left=f"{low:.1f}", right=f"{high:.1f}", width=wide),
        )
    if last.activity is not None and last.time_span is not None and last.activity.counts:
        first_day, last_day = (datetime.fromtimestamp(t, UTC).date().isoformat() for t in last.time_span)
        drawn = columns(last.activity.counts, width=line_width(count(max(last.activity.counts)), room))
        yield (
            "ratings over time",
            framed(
                drawn,
                top=count(max(last.activity.counts)),
                bottom="0",
                left=first_day,
                right=last_day,
                width=max(len(first_day) + len(last_day) + 1, *map(len, drawn)),
            ),
        )


def _ranges(bins: Bins, spread: Spread) -> list[str]:
    """Bins of counts in words, `1`, `2`, `3–4`, none beyond the least and the greatest count."""
    ends = [(max(int(a), spread.min), min(int(b) - 1, spread.max)) for a, b in pairwise(bins.edges)]
    return [f"{a:,}" if a == b else f"{a:,}–{b:,}" for a, b in ends]


def _value_ranges(bins: Bins) -> list[str]:
    """Distinct ratings as they are, bins of many with both ends: `4`, `1–67.5`."""
    ends = [f"{edge:,.6g}" for edge in bins.edges]
    return ends if len(ends) == len(bins.counts) else [f"{a}–{b}" for a, b in pairwise(ends)]


def _spread(spread: Spread) -> str:
    return f"{spread.min:,} – {spread.median:g} – {spread.max:,}"


def _positive(profile: Profile) -> str:
    if profile.positive is None or profile.positive_share is None:
        return "–"
    return f"{percent(profile.positive_share)} (≥ {profile.positive:g})"


def _span(profile: Profile) -> str:
    if profile.time_span is None:
        return "–"
    first, last = (datetime.fromtimestamp(t, UTC).date().isoformat() for t in profile.time_span)
    return f"{first} to {last}"


FIGURES: dict[str, Callable[[Profile], str]] = {
    "users": lambda p: count(p.users),
    "items": lambda p: count(p.items),
    "ratings": lambda p: count(p.ratings),
    "density": lambda p: percent(p.density, 3),
    "Gini over items": lambda p: number(p.gini, 3),
    "ratings per user, least – median – most": lambda p: _spread(p.per_user),
    "  mean per user": lambda p: f"{p.per_user.mean:,.1f}",
    "ratings per item, least – median – most": lambda p: _spread(p.per_item),
    "  mean per item": lambda p: f"{p.per_item.mean:,.1f}",
    "positive": _positive,
    "time": _span,
}
"""The rows of the table of steps."""
