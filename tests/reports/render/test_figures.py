"""Figures as files: exactly as wide as asked, with fonts that publishers take, and nothing clipped."""

from __future__ import annotations

import json
import re
import struct
import sys
from html import unescape

import pytest
from tests.heavy import heavy
from tests.refusals import refused
from tests.reports.charts.everything import everything

from heldout.errors import MissingExtraError, SpecError
from heldout.reports.charts import study, theme
from heldout.reports.document import NARROW, WIDE, Layout
from heldout.reports.render import figures

CHARTS = {name: chart for name, function in study.charts(everything()).items() if (chart := function()) is not None}
BEYOND = 30
"""Pixels around a figure in which nothing may be drawn."""


def svg_of(name: str, layout: Layout, mode: theme.Mode) -> str:
    import vl_convert

    return vl_convert.vegalite_to_svg(figures.spec_for(CHARTS[name], layout, mode), vl_version=figures.VEGA_LITE)


def size_of(svg: str) -> tuple[float, float]:
    width, height = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg).groups()
    return float(width), float(height)


def ink_beyond(svg: str) -> int:
    """Pixels that are drawn outside the figure."""
    import io

    import numpy as np
    import vl_convert
    from PIL import Image

    width, height = size_of(svg)
    wider = f'width="{width + 2 * BEYOND}" height="{height + 2 * BEYOND}"'
    svg = re.sub(r'width="[\d.]+" height="[\d.]+"', wider, svg, count=1)
    box = f'viewBox="{-BEYOND} {-BEYOND} {width + 2 * BEYOND} {height + 2 * BEYOND}"'
    svg = re.sub(r'viewBox="[^"]+"', box, svg, count=1)
    picture = Image.open(io.BytesIO(vl_convert.svg_to_png(svg))).convert("RGBA")
    alpha = np.asarray(picture)[..., 3].copy()
    alpha[BEYOND : BEYOND + int(height) + 1, BEYOND : BEYOND + int(width) + 1] = 0
    return int((alpha > 64).sum())


def assert_whole(name: str, layout: Layout, mode: theme.Mode) -> None:
    svg = svg_of(name, layout, mode)
    assert ink_beyond(svg) == 0
    assert size_of(svg)[0] == pytest.approx(layout.width, rel=0.015)
    least = 7 * theme.POINT if layout.paper else 15
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)px"', svg)]
    assert sizes and min(sizes) * min(1.0, layout.width / size_of(svg)[0]) >= least - 0.2
    if not layout.paper and not CHARTS[name].half:
        assert size_of(svg)[1] >= 150


@pytest.mark.parametrize("name", CHARTS)
def test_figures_of_one_column_are_whole(name):
    assert_whole(name, Layout.inches(3.4), "paper")


@heavy
@pytest.mark.parametrize("mode", ["light", "dark", "print"])
@pytest.mark.parametrize("name", CHARTS)
def test_figures_of_the_page_are_whole(name, mode):
    for layout in (WIDE, NARROW, Layout(width=640.0)):
        assert_whole(name, layout, mode)


@heavy
@pytest.mark.parametrize("name", CHARTS)
def test_figures_of_two_columns_are_whole(name):
    assert_whole(name, Layout.inches(7.0), "paper")


def test_a_file_is_exactly_as_wide_as_asked(tmp_path):
    chart = CHARTS["user-activity"]
    png = figures.save(chart, tmp_path / "figure.png", width=3.4).read_bytes()
    assert struct.unpack(">I", png[16:20])[0] == 1020
    assert ' width="3.4in" ' in figures.save(chart, tmp_path / "figure.svg", width=3.4).read_text(encoding="utf-8")
    pdf = figures.save(chart, tmp_path / "figure.pdf", width=3.4).read_bytes()
    width = float(re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+)", pdf)[1])
    assert width == pytest.approx(3.4 * 72)


def test_fonts_in_pdf_are_truetype(tmp_path):
    pdf = figures.save(CHARTS["leaderboard"], tmp_path / "figure.pdf").read_bytes()
    assert b"/CIDFontType2" in pdf and b"/FontFile2" in pdf and b"/Type3" not in pdf


@pytest.mark.parametrize("suffix", figures.SUFFIXES)
def test_the_same_chart_gives_the_same_bytes(tmp_path, suffix):
    first, second = (figures.save(CHARTS["differences"], tmp_path / f"{k}{suffix}", width=7).read_bytes() for k in "ab")
    assert first == second and not re.search(rb"CreationDate|ModDate", first)


def test_refusals(tmp_path, monkeypatch):
    chart = CHARTS["leaderboard"]
    with refused(SpecError, where="figure.gif", hint="use .pdf, .svg or .png"):
        figures.save(chart, tmp_path / "figure.gif")
    with refused(SpecError, where="width"):
        figures.save(chart, tmp_path / "figure.pdf", width=0.5)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with refused(MissingExtraError, hint="heldout[figures]"):
        figures.save(chart, tmp_path / "figure.pdf")
    assert not list(tmp_path.iterdir())


def test_vl_convert_has_the_vendored_vega_lite():
    import vl_convert

    from heldout.reports.render.html import _vendor

    vendored = re.search(r"vega-lite (\d+\.\d+)\.\d+", (_vendor() / "README.md").read_text(encoding="utf-8"))[1]
    assert vendored == figures.VEGA_LITE and figures.VEGA_LITE in vl_convert.get_vegalite_versions()


def test_notebooks_get_a_page_in_a_frame_and_the_specification():
    chart = CHARTS["leaderboard"]
    bundle = figures.mimebundle(chart)
    assert set(bundle) == {"text/html", "text/plain", "application/vnd.vegalite.v6+json"}
    frame = bundle["text/html"]
    assert frame.startswith("<iframe") and 'sandbox="allow-scripts allow-downloads"' in frame
    assert chart.title in unescape(frame) and "default-src 'none'" in unescape(unescape(frame))
    spec = bundle["application/vnd.vegalite.v6+json"]
    assert json.loads(json.dumps(spec, allow_nan=False))["config"] == theme.config("light")
