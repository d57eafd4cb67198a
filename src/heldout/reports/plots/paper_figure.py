"""A matplotlib figure that is written the way publishers take it, whoever writes it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

FILES: dict[str, Any] = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "heldout"}
"""Fonts as TrueType in PDF and EPS and as text in SVG: many publishers refuse Type 3, matplotlib's usual form."""
UNDATED: dict[str, dict[str, None]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
"""So that the same figure gives the same bytes."""
DPI = 200
SCREEN_DPI = 96
"""Pixels of an inch as browsers count them; a notebook gets twice as many, for screens that have them."""


class PaperFigure(Figure):
    """A figure whose `savefig` embeds fonts as TrueType and leaves out the date, and which notebooks show."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure, as `matplotlib.figure.Figure.savefig` does; options that are given win."""
        kind = options.get("format") or (Path(fname).suffix.lstrip(".") if isinstance(fname, str | Path) else "")
        metadata = UNDATED.get(kind.lower(), {}) | (options.get("metadata") or {})
        with rc_context(FILES):
            super().savefig(fname, **{"dpi": DPI, **options, "metadata": metadata or None})

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """The picture for a notebook, and its size; without it, only figures of pyplot are shown there."""
        stream = BytesIO()
        self.savefig(stream, format="png", dpi=2 * SCREEN_DPI)
        width, height = (round(SCREEN_DPI * inches) for inches in self.get_size_inches())
        return stream.getvalue(), {"width": width, "height": height}
