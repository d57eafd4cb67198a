"""A data set as read and after each filter: its numbers in a table, and its pictures. Studies and profiles show it alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from heldout.data.profile import DataSteps
from heldout.reports.page.markup import breakable, cell, el, join, rows, table
from heldout.reports.page.small_chart import SmallChart
from heldout.reports.profile_views import TITLES, DataPicture, data_picture, has_picture, positive_words, span_words
from heldout.words import ABSENT, count, number, percent

DATE = re.compile(r"(\d{4}-\d{2}-\d{2})")


def numbers(facts: DataSteps, title: str) -> Markup:
    """What is known of each step in numbers; lines that no step has are left out."""
    heads = [cell("Measure")] + [cell(breakable(step.label), "num") for step in facts.steps]
    body = []
    for label, show in _MEASURES:
        shown = [show(step.profile) for step in facts.steps]
        if any(text != ABSENT for text in shown):
            body.append([cell(label), *(cell(_whole_dates(text), "num") for text in shown)])
    return table(heads, rows(body), caption=f"Profile of {title}", name="profile")


def _whole_dates(text: str) -> Markup:
    """Text in which no line ends within a date."""
    parts = DATE.split(text)
    return join(*(el("span", part, cls="nowrap") if DATE.fullmatch(part) else part for part in parts))


def pictures(facts: DataSteps, place: int = 0) -> Markup:
    """Every picture of the data set; `place` is that of the data set among several."""
    drawn = [_figure(data_picture(facts, part, place)) for part in TITLES if has_picture(facts, part)]
    return el("div", *drawn, cls="grid") if drawn else Markup()


def _figure(picture: DataPicture) -> Markup:
    chart = SmallChart(x=picture.x, y=picture.y, title=picture.title, tall=150, marked=False)
    for k, (_, bars) in enumerate(picture.bars):
        before = k + 1 < len(picture.bars)
        for bar in bars:
            chart.bar(bar.start, bar.end, bar.height, "bar before" if before else "bar", bar.words)
    for k, (label, points) in enumerate(picture.lines):
        chart.line(points, k, label)
        if len(picture.lines) > 1:
            chart.key.append((label, k))
    swatches = zip(("before", "after"), picture.bars, strict=False)
    key = [el("span", el("i", cls=cls), label, cls="key") for cls, (label, _) in swatches]
    legend = el("p", *key, cls="legend") if len(key) > 1 else Markup()
    return el("figure", el("figcaption", picture.title), chart.svg(), legend, data_figure=picture.name)


def _spread(profile: Mapping[str, Any], key: str) -> str:
    spread = profile.get(key)
    if not isinstance(spread, Mapping):
        return ABSENT
    parts = [spread.get(part) for part in ("min", "median", "mean", "max")]
    return " / ".join(number(part, 0 if float(part or 0).is_integer() else 1) for part in parts)


_MEASURES = (
    ("Users", lambda p: count(p.get("users"))),
    ("Items", lambda p: count(p.get("items"))),
    ("Ratings", lambda p: count(p.get("ratings"))),
    ("Density", lambda p: percent(p.get("density"), 3)),
    ("Gini of ratings over items", lambda p: number(p.get("gini"), 3)),
    ("Ratings per user (min / median / mean / max)", lambda p: _spread(p, "per_user")),
    ("Ratings per item (min / median / mean / max)", lambda p: _spread(p, "per_item")),
    ("Positive ratings", positive_words),
    ("Time span", lambda p: span_words(p.get("time_span")) or ABSENT),
)
