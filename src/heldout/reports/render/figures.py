"""Charts as files for papers (SVG, PDF, PNG), and as notebooks display them.

A chart is data and encodings; this module merges the theme of a mode and converts the result with vl-convert, whose
Vega-Lite is the one that the page has in `page/vendor`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.errors import MissingExtraError, SpecError
from heldout.reports.charts.theme import Mode, config
from heldout.reports.document import WIDE, Chart, Layout, Spec
from heldout.storage.files import write_file

if TYPE_CHECKING:
    from types import ModuleType

VEGA_LITE = "6.4"
"""Of the vendored Vega-Lite, as vl-convert names it."""
SUFFIXES = (".pdf", ".svg", ".png")
COLUMN, TEXT = 3.4, 7.0
"""Inches: one column of a paper of two columns, and both."""
NARROWEST, WIDEST = 2.0, 30.0
AXES, FRAME = 90, 210
"""Pixels around a plot for axes, keys and names of panels, and around a chart for its title and caption in a notebook."""
MOST_HEIGHT = 1200
"""Pixels of a frame in a notebook; a higher chart scrolls."""
PIXELS_PER_INCH = 300.0
"""Of PNG files."""
SANDBOX = "allow-scripts allow-downloads"
"""What the frame of a notebook may do. It has no origin, so it cannot reach the notebook."""


def spec_for(chart: Chart, layout: Layout = WIDE, mode: Mode = "light") -> Spec:
    """The specification of a chart with the theme of a mode, complete for any Vega-Lite renderer."""
    spec = chart.spec(layout)
    return {**spec, "config": {**config(mode), **spec.get("config", {})}}


def save(chart: Chart, path: str | os.PathLike[str], *, width: float | None = None) -> Path:
    """Write a chart as PDF, SVG or PNG, `width` inches wide; the same chart gives the same bytes.

    Without a width, a chart fills one column of a paper if two of it fit next to each other on a page, else both columns.
    """
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise SpecError(f"cannot write a figure as '{target.suffix}'", where=str(target), hint="use .pdf, .svg or .png")
    inches = width if width is not None else COLUMN if chart.half else TEXT
    if not NARROWEST <= inches <= WIDEST:
        hint = f"{COLUMN:g} is one column of a paper, {TEXT:g} are two"
        raise SpecError(f"no figure is {inches:g} inches wide", where="width", hint=hint)
    content = _converted(spec_for(chart, Layout.inches(inches), "paper"), target.suffix.lower(), inches)
    return write_file(target, lambda temporary: temporary.write_bytes(content))


def _converted(spec: Spec, suffix: str, inches: float) -> bytes:
    """A specification as the bytes of a file, exactly so many inches wide."""
    convert = _vl_convert()
    svg: str = convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)
    match suffix:
        case ".svg":
            return _sized(svg, inches, "in").encode()
        case ".pdf":  # a pixel of its SVG becomes a point
            return _ordered(convert.svg_to_pdf(_sized(svg, 72 * inches, "")))
    png: bytes = convert.svg_to_png(_sized(svg, 72 * inches, ""), ppi=PIXELS_PER_INCH)
    return png


def _ordered(pdf: bytes) -> bytes:
    """A PDF whose lists of resources are sorted: vl-convert writes them in an order that differs from time to time."""

    def ordered(match: re.Match[bytes]) -> bytes:
        return match[1] + b"".join(sorted(match[2].splitlines(keepends=True)))

    return re.sub(rb"(/[A-Z]\w+ <<\n)((?: +/[a-z]+\d+ \d+ 0 R\n)+)", ordered, pdf)


def _sized(svg: str, width: float, unit: str) -> str:
    """An SVG with another outer width, and the height that goes with it; what it shows stays."""
    head, end, rest = svg.partition(">")
    factor = width / float(re.search(r'\bwidth="([\d.]+)"', head)[1])  # type: ignore[index]

    def scaled(match: re.Match[str]) -> str:
        return f'{match[1]}="{round(float(match[2]) * factor, 4):g}{unit}"'

    return re.sub(r'\b(width|height)="([\d.]+)"', scaled, head, count=2) + end + rest


def _vl_convert() -> ModuleType:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtraError("vl-convert-python", "figures", "writing a figure") from error
    return vl_convert


def mimebundle(chart: Chart) -> dict[str, Any]:
    """A chart for a notebook: a page with Vega in a frame of its own, and the specification for those that draw it."""
    from markupsafe import escape

    from heldout.reports.render import html

    style = f"width:100%;height:{height_of(chart.spec(WIDE)) + FRAME}px;border:0"
    frame = (
        f'<iframe title="{escape(chart.title)}" sandbox="{SANDBOX}" style="{style}" srcdoc="{escape(html.figure(chart))}">'
        "</iframe>"
    )
    return {
        "text/html": frame,
        "application/vnd.vegalite.v6+json": spec_for(chart),
        "text/plain": f"{chart.title}. {chart.caption}",
    }


def height_of(spec: Spec) -> int:
    """About how many pixels a chart is high, with axes."""
    for kind in ("vconcat", "hconcat", "concat"):
        if kind in spec:
            heights: list[int] = list(map(height_of, spec[kind]))
            columns = {"vconcat": 1, "hconcat": len(heights), "concat": int(spec.get("columns", len(heights)))}[kind]
            return -(-len(heights) // columns) * max(heights)
    height = spec.get("spec", spec).get("height", 200)
    if isinstance(height, dict):  # for each row
        height = height["step"] * len(spec.get("data", {}).get("values", ()))
    return min(round(float(height)), MOST_HEIGHT) + AXES
