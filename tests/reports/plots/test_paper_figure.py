"""Figures of all results are written with fonts that publishers take, by `Figure.save` and by matplotlib's `savefig`."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from tests.reports.every_kind import DRAWN, results_of
from tests.reports.reproduced import reproduced

import heldout as ho

pytest.importorskip("matplotlib")


def embedded_as_truetype(pdf: bytes) -> bool:
    """Whether all fonts of a PDF are TrueType; outlines of letters would be fonts of type 3."""
    return pdf.startswith(b"%PDF") and b"/FontFile2" in pdf and b"/Type3" not in pdf


@pytest.mark.parametrize("verb", DRAWN)
def test_fonts_are_truetype_and_bytes_are_the_same_each_time(verb: str, tmp_path: Path) -> None:
    results = results_of(verb)
    kind = list(results.figures)[-1]
    results.figures[kind].save(tmp_path / "saved.pdf")
    results.figures[kind].draw().savefig(tmp_path / "by-matplotlib.pdf")
    saved = (tmp_path / "saved.pdf").read_bytes()
    assert embedded_as_truetype(saved)
    assert saved == (tmp_path / "by-matplotlib.pdf").read_bytes()


def test_another_figure_of_matplotlib_would_fail_the_test_above() -> None:
    from matplotlib.figure import Figure

    figure, stream = Figure(), BytesIO()
    figure.add_subplot().set_title("Title")
    figure.savefig(stream, format="pdf")
    assert not embedded_as_truetype(stream.getvalue())


def test_text_stays_text_in_svg_and_other_formats_are_written_as_by_matplotlib(tmp_path: Path) -> None:
    figure = ho.Results(findings=reproduced(), manifest={"kind": "reproduction"}).figures["fig-2"].draw()
    for suffix in ("svg", "png", "jpg", "eps"):
        figure.savefig(str(tmp_path / f"figure.{suffix}"))
    assert "</text>" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
    figure.savefig(tmp_path / "titled.pdf", metadata={"Title": "Of a paper"}, dpi=72)
    assert b"Of a paper" in (tmp_path / "titled.pdf").read_bytes()


def test_a_notebook_gets_the_picture_in_twice_the_pixels_of_its_size() -> None:
    png, size = results_of("study").figures["leaderboard"].draw(width=5)._repr_png_()
    assert png.startswith(b"\x89PNG") and size["width"] == 5 * 96
    assert int.from_bytes(png[16:20]) == 2 * size["width"] and abs(int.from_bytes(png[20:24]) - 2 * size["height"]) <= 1
