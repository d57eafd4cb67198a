"""A heat map of numbers for the page of papers run again."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from heldout.reports.page.markup import el
from heldout.reports.page.small_chart import text
from heldout.words import number

CELL, LETTER = 40, 7.2


def tiles(
    labels: Sequence[str],
    values: Sequence[Sequence[float]],
    hovers: Sequence[Sequence[str]],
    *,
    title: str,
) -> Markup:
    """A square of numbers, the fuller the colour the further below 1."""
    left = 14 + LETTER * max(len(label) for label in labels)
    top = 22 if max(len(label) for label in labels) * LETTER <= CELL else left
    size = CELL * len(labels)
    parts = []
    for i, label in enumerate(labels):
        parts.append(text(label, left - 6, top + CELL * (i + 0.5) + 3.5, "end"))
        parts.append(_head(label, left + CELL * (i + 0.5), top - 6, turned=top == left))
        for j, (value, hover) in enumerate(zip(values[i], hovers[i], strict=True)):
            parts += _cell(left + CELL * j, top + CELL * i, value, hover)
    wide = left + size + 4
    return el(
        "svg",
        *parts,
        viewBox=f"0 0 {wide:.0f} {top + size + 4:.0f}",
        cls="heat",
        role="img",
        aria_label=title,
        style=f"width:{wide:.0f}px",
    )


def _cell(x: float, y: float, value: float, hover: str) -> list[Markup]:
    unlike = 0.0 if math.isnan(value) else min(1.0, max(0.0, 1 - value))
    rect = el(
        "rect",
        el("title", hover),
        x=f"{x:.1f}",
        y=f"{y:.1f}",
        width=str(CELL - 2),
        height=str(CELL - 2),
        rx="3",
        cls="tile",
        fill_opacity=f"{0.04 + 0.7 * unlike**0.7:.3f}",
    )
    return [rect, text(number(value, 2), x + CELL / 2 - 1, y + CELL / 2 + 2.5, "middle", "value")]


def _head(label: str, x: float, y: float, *, turned: bool) -> Markup:
    if not turned:
        return text(label, x - 1, y, "middle")
    return el("text", label, transform=f"translate({x + 3:.1f} {y:.1f}) rotate(-90)", text_anchor="start")
