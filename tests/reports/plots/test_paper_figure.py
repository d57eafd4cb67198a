"""Figures of all results are written with fonts that publishers take, by `save_plot` and by matplotlib's `savefig`."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from tests.biases.sample import small_findings
from tests.reports.metric_trial import trial
from tests.reports.reproduced import reproduced

import heldout as ho

pytest.importorskip("matplotlib")

STUDY = {
    "data": "simulate(users=40, items=20, ratings=300)",
    "split": "ratio(train=0.7)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "Random"],
    "metrics": ["P@5"],
    "compare": ["t"],
}
RESULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "study": (lambda: ho.run(STUDY, progress=False), "leaderboard"),
    "multiverse": (lambda: ho.multiverse({**STUDY, "metrics": ["P@5", "RR"]}), "curve"),
    "meta": (lambda: ho.MetaResults(trials=(trial(),), manifest={}), "missing"),
    "bias": (lambda: ho.BiasResults(findings=small_findings(), manifest={}), "protocols"),
    "truth": (lambda: ho.truth(STUDY, draws=2, protocols=["AI-AR"], progress=False), "right"),
    "reproduce": (lambda: ho.ReproductionResults(record=reproduced(), manifest={}), "fig-2"),
}
"""Verb → its results, and one of their figures."""


def embedded_as_truetype(pdf: bytes) -> bool:
    """Whether all fonts of a PDF are TrueType; outlines of letters would be fonts of type 3."""
    return pdf.startswith(b"%PDF") and b"/FontFile2" in pdf and b"/Type3" not in pdf


@pytest.mark.parametrize("verb", RESULTS)
def test_fonts_are_truetype_and_bytes_are_the_same_each_time(verb: str, tmp_path: Path) -> None:
    make, kind = RESULTS[verb]
    results = make()
    results.save_plot(tmp_path / "saved.pdf", kind)
    results.plot(kind).savefig(tmp_path / "by-matplotlib.pdf")
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
    figure = ho.ReproductionResults(record=reproduced(), manifest={}).plot("fig-2")
    for suffix in ("svg", "png", "jpg", "eps"):
        figure.savefig(str(tmp_path / f"figure.{suffix}"))
    assert "</text>" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
    figure.savefig(tmp_path / "titled.pdf", metadata={"Title": "Of a paper"}, dpi=72)
    assert b"Of a paper" in (tmp_path / "titled.pdf").read_bytes()
