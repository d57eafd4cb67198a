"""How charts look: colours, marks, fonts and sizes, for screens in light and dark, for print, and for papers.

A specification has none of these. It names styles, ranges and systems, and `config` says what they mean. The page's style
sheet uses the same colours (`css_variables`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

Mode: TypeAlias = Literal["light", "dark", "print", "paper"]
MODES: tuple[Mode, ...] = ("light", "dark", "print", "paper")

FONT = 'Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
PAPER_FONT = '"Liberation Sans", Arial, Helvetica, sans-serif'
"""The first one comes with vl-convert, so that a figure has the same letters on every machine."""
POINT = 96 / 72
"""Pixels of a typographic point."""
PAGE_TEXT, PAPER_TEXT = 15.0, 8 * POINT
"""Height of text in pixels."""
MOST_SERIES = 8
"""Systems with a colour, a marker and dashes of their own."""
SYMBOLS = (
    *("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"),
    "M0,-1L.26,-.36L.95,-.31L.42,.14L.59,.81L0,.44L-.59,.81L-.42,.14L-.95,-.31L-.26,-.36Z",
)
"""Markers of systems in the order of the document; the last one is a star."""
DASHES = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3), (14, 4), (3, 5), (9, 3, 2, 3, 2, 3), (5, 2, 5, 6))
"""Dashes of systems in the order of the document."""


@dataclass(frozen=True, kw_only=True)
class Colours:
    """The colours of one mode."""

    paper: str
    ink: str
    soft: str
    """Text that explains: axis labels, captions."""
    line: str
    """Grid lines and rules."""
    tint: str
    """Background of a row that stands out."""
    link: str
    warn: str
    systems: tuple[str, ...]
    """Eight that stay distinguishable under deuteranopia and protanopia."""
    shades: tuple[str, ...]
    """Parts of a whole in their order, such as head, middle, tail and cold items."""
    neither: str
    """Neither of two systems wins."""
    ramp: tuple[str, str]
    """Ends of a scale of shades on which text is written."""


_LIGHT = Colours(
    paper="#ffffff",
    ink="#1b1f24",
    soft="#57606a",
    line="#d5dbe1",
    tint="#f3f5f7",
    link="#0b57c2",
    warn="#8a4600",
    systems=("#075fce", "#d87822", "#339f84", "#6a1766", "#805a00", "#636773", "#9881ad", "#6c1c1e"),
    shades=("#2b4a63", "#64839b", "#a5b8c7", "#e0e7ed"),
    neither="#b9c1ca",
    ramp=("#f3f5f7", "#9dbbf2"),
)
_DARK = Colours(
    paper="#14171c",
    ink="#e8ebef",
    soft="#a9b3be",
    line="#363e48",
    tint="#1e232a",
    link="#8ab8ff",
    warn="#f0b268",
    systems=("#6baaff", "#cd7423", "#00b992", "#ffbcdb", "#e3c324", "#8c8ea6", "#386be1", "#b04b4b"),
    shades=("#d5e4f0", "#8ba4b9", "#506479", "#2a3440"),
    neither="#58626e",
    ramp=("#1e232a", "#2c5596"),
)
_INKED = replace(_LIGHT, ink="#000000", soft="#444444", line="#d0d0d0", tint="#f2f2f2")
COLOURS: dict[Mode, Colours] = {"light": _LIGHT, "dark": _DARK, "print": _INKED, "paper": _INKED}


def text_size(*, paper: bool) -> float:
    """Height of text in pixels, on the page or in a paper."""
    return PAPER_TEXT if paper else PAGE_TEXT


def config(mode: Mode) -> dict[str, Any]:
    """The Vega-Lite `config` of a mode, which the renderer merges into a specification."""
    colours = COLOURS[mode]
    paper = mode == "paper"
    size, font = text_size(paper=paper), PAPER_FONT if paper else FONT
    text = {"font": font, "fontSize": size, "color": colours.ink, "limit": 0, "lineBreak": "\n", "lineHeight": 1.2 * size}
    return {
        "background": colours.paper if paper else "transparent",
        "font": font,
        "padding": {"left": 0, "right": 1, "top": round(size / 4), "bottom": round(size / 3)},
        "view": {"stroke": None},
        "range": {
            "category": list(colours.systems),
            "symbol": list(SYMBOLS),
            "ordinal": list(colours.shades),
            "ramp": list(colours.ramp),
            "heatmap": list(colours.ramp),
            "diverging": [colours.systems[1], colours.neither, colours.systems[0]],
            "winner": [colours.neither, *colours.systems],
        },
        "axis": _axis(colours, size),
        "axisBand": {"grid": False, "labelColor": colours.ink},
        "axisQuantitative": {"grid": True},
        "axisYQuantitative": {
            **{"titleAngle": 0, "titleAlign": "left", "titleAnchor": "end", "titleBaseline": "bottom"},
            **{"titleX": 0, "titleY": -0.7 * size},
        },
        "title": {
            "color": colours.ink,
            "font": font,
            "fontSize": size,
            "fontWeight": 600,
            "anchor": "start",
            "offset": size / 2,
        },
        "header": _header(colours, size),
        "legend": _legend(colours, size),
        "style": _styles(colours, text, paper=paper),
    }


def _axis(colours: Colours, size: float) -> dict[str, Any]:
    words = {"labelColor": colours.soft, "titleColor": colours.soft, "titleFontWeight": "normal"}
    sizes = {"labelFontSize": size, "titleFontSize": size, "labelPadding": size / 2, "titlePadding": size / 2}
    lines = {
        "gridColor": colours.line,
        "gridWidth": 1,
        "domain": False,
        "ticks": False,
        "labelFlush": False,
        "labelSeparation": size / 2,
    }
    return {**words, **sizes, **lines, "labelLineHeight": 1.2 * size, "titleLineHeight": 1.25 * size}


def _header(colours: Colours, size: float) -> dict[str, Any]:
    words = {"labelColor": colours.ink, "labelFontWeight": 600, "labelAnchor": "start", "labelPadding": size / 2}
    title = {"titleColor": colours.soft, "titleFontWeight": "normal", "titleAnchor": "start", "titlePadding": size / 4}
    return {**words, **title, "labelFontSize": size, "titleFontSize": size, "labelLineHeight": 1.2 * size}


def _legend(colours: Colours, size: float) -> dict[str, Any]:
    words = {"labelColor": colours.ink, "labelFontSize": size, "labelLimit": 0, "title": None}
    words |= {"titleColor": colours.soft, "titleFontSize": size, "titleFontWeight": "normal", "titleLimit": 0}
    place = {"orient": "top", "direction": "horizontal", "columnPadding": size, "rowPadding": size / 4, "offset": size / 2}
    return {**words, **place, "symbolSize": 0.6 * size**2, "symbolOpacity": 1}


def _styles(colours: Colours, text: dict[str, Any], *, paper: bool) -> dict[str, dict[str, Any]]:
    unit = 0.6 if paper else 1.0
    point = {"filled": True, "stroke": colours.paper, "strokeWidth": unit, "opacity": 1}
    return {
        "estimate": {**point, "size": 70 * unit, "color": colours.soft},
        "hole": {"filled": True, "size": 16 * unit, "color": colours.paper, "opacity": 1, "strokeWidth": 0},
        "symbol": {**point, "size": 120 * unit, "color": colours.soft},
        "touch": {"filled": True, "size": 400 * unit**2, "opacity": 0},
        "interval": {"color": colours.soft, "strokeWidth": 12 * unit, "strokeOpacity": 0.4, "strokeCap": "butt"},
        "whisker": {"strokeWidth": 2 * unit, "strokeOpacity": 0.6},
        "stem": {"color": colours.line, "strokeWidth": 4 * unit},
        "zero": {"color": colours.ink, "strokeWidth": 1.25 * unit},
        "reference": {"color": colours.soft, "strokeWidth": unit, "strokeDash": [4, 3]},
        "rule": {"color": colours.line, "strokeWidth": 1},
        "leader": {"color": colours.soft, "strokeWidth": unit},
        "bracket": {"color": colours.ink, "strokeWidth": 5 * unit, "strokeCap": "butt"},
        "member": {"filled": True, "shape": "square", "size": 60 * unit**2, "color": colours.ink, "opacity": 1},
        "band": {"color": colours.tint},
        "area": {"fillOpacity": 0.25, "strokeOpacity": 0},
        "bar": {"color": colours.systems[0], "binSpacing": 0},
        "density": {"color": colours.soft, "fillOpacity": 1, "strokeOpacity": 0},
        "share": {"stroke": colours.paper, "strokeWidth": unit},
        "tile": {"stroke": colours.paper, "strokeWidth": 2 * unit},
        "curve": {"strokeWidth": 2.5 * unit, "strokeCap": "butt"},
        "label": text,
        "label-strong": {**text, "fontWeight": 700},
        "note": {**text, "color": colours.soft},
        "on-fill": {**text, "color": colours.paper},
    }


def css_variables() -> str:
    """The colours as CSS variables, for screens in light and dark and for print."""
    blocks = ("{}", "@media (prefers-color-scheme: dark) {{ {} }}", "@media print {{ {} }}")
    modes: tuple[Mode, ...] = ("light", "dark", "print")
    return "\n".join(block.format(f":root {{ {_declarations(mode)} }}") for block, mode in zip(blocks, modes, strict=True))


def _declarations(mode: Mode) -> str:
    colours = COLOURS[mode]
    named = {name: getattr(colours, name) for name in ("paper", "ink", "soft", "line", "tint", "link", "warn", "neither")}
    named |= {f"s{k}": colour for k, colour in enumerate(colours.systems, 1)}
    named |= {f"share-{k}": colour for k, colour in enumerate(colours.shades, 1)}
    named |= {"ramp-low": colours.ramp[0], "ramp-high": colours.ramp[1]}
    return " ".join(f"--{name}: {value};" for name, value in named.items())
