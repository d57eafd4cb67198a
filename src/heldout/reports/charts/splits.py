"""The figure of a split: every rating of some users by time, in the colour of the part it is in."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from heldout.reports.charts.data import day
from heldout.reports.charts.encodings import plot_height, sized, tooltips
from heldout.reports.charts.theme import text_size
from heldout.reports.document import Chart, Layout, Spec
from heldout.reports.splits import parts_by_row
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Int64
from heldout.tables.time_units import PER_SECOND
from heldout.text.numbers import count

PARTS = ("train", "validation", "test", "dropped")
MOST_USERS, MOST_RATINGS = 200, 12_000
"""Users and ratings of a figure: more would make files of many megabytes, in which no mark can be seen."""


def chart(split: Split, data: Interactions | None = None, *, title: str = "", users: int = MOST_USERS) -> Chart:
    """Users, those who begin first on top, by time, or by item if there are no times; at most `users` of them, evenly."""
    table, part = parts_by_row(split, data)
    met = np.flatnonzero(table.user_counts > 0)
    across = table.time if table.time is not None else table.item.astype(np.int64)
    first = np.minimum.reduceat(across, table.user_indptr[:-1][met])
    shown = _evenly(met[np.argsort(first, kind="stable")], table.user_counts, users)
    height = np.full(table.n_users, -1, dtype=np.int64)
    height[shown] = np.arange(len(shown))
    rows = np.flatnonzero(height[table.user] >= 0)
    rows = rows[np.argsort(part[rows], kind="stable")]  # a hidden rating among many training ones must be seen
    labels = [f"{name} ({count(int((part == code).sum()))})" for code, name in enumerate(PARTS)]
    per_second = PER_SECOND[table.time_unit]
    ratings: list[dict[str, Any]] = []
    for row in rows.tolist():
        place = int(across[row])
        user, item = table.users.ids[int(table.user[row])], table.items.ids[int(table.item[row])]
        when = day(place / per_second) if table.time is not None else str(item)
        x = 1000 * place / per_second if table.time is not None else place
        own = {"x": x, "y": int(height[table.user[row]]), "part": labels[int(part[row])]}
        ratings.append({**own, "user": str(user), "item": str(item), "when": when})
    whose = f"{count(len(shown))} of {count(len(met))} users" if len(shown) < len(met) else f"{count(len(met))} users"
    by = "time" if table.time is not None else "item"
    return Chart(
        name="split",
        title=title or "Split",
        caption=f"The first fold of {title or 'a split'}: ratings of {whose} by {by}, those who begin first on top. The "
        "numbers are those of all users.",
        draw=partial(_draw, ratings, [labels[code] for code in np.unique(part)], len(shown), whose, by == "time"),
    )


def _evenly(users: Int64, ratings: Int64, most: int) -> Int64:
    """Users at even places, as many as there is room for."""
    while True:
        places = np.unique(np.linspace(0, len(users) - 1, min(most, len(users))).round().astype(np.int64))
        if most == 1 or ratings[users[places]].sum() <= MOST_RATINGS:
            return users[places]
        most = max(1, most * 3 // 4)


def _draw(ratings: list[dict[str, Any]], parts: list[str], users: int, whose: str, timed: bool, layout: Layout) -> Spec:
    tall = plot_height(layout, 360)
    size = text_size(paper=layout.paper)
    x: dict[str, Any] = {"field": "x", "axis": {"grid": False, "labelOverlap": True, "tickCount": 4 if layout.narrow else 7}}
    x |= {"type": "temporal", "scale": {"type": "utc"}, "title": "Time of the rating (UTC)"} if timed else {}
    x |= {} if timed else {"type": "quantitative", "scale": {"nice": False}, "title": "Items, by number"}
    legend = {"columns": 2 if layout.narrow else len(parts), "offset": 2.2 * size}
    fields = (("user", "User"), ("item", "Item"), ("when", "Time"), ("part", "Part"))
    tick = {"type": "tick", "orient": "vertical", "thickness": 1.5, "size": max(1.5, min(14.0, 0.8 * tall / users))}
    return {
        **sized(layout, tall),
        "data": {"values": ratings},
        "mark": {**tick, "aria": False},  # a label of every rating would take most of a file
        "encoding": {
            "x": x,
            "y": {
                "field": "y",
                "type": "quantitative",
                "scale": {"domain": [-0.5, users - 0.5], "reverse": True, "nice": False},
                "title": whose[:1].upper() + whose[1:],
                "axis": {"labels": False, "grid": False},
            },
            "color": {"field": "part", "type": "nominal", "scale": {"domain": parts}, "legend": legend},
            "tooltip": tooltips(*(fields if timed else fields[:2] + fields[3:])),
        },
    }
