"""A matplotlib figure that is written the way publishers take it, whoever writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

FILES: dict[str, Any] = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "heldout"}
"""Fonts as TrueType in PDF and EPS and as text in SVG: many publishers refuse Type 3, matplotlib's usual form."""
UNDATED: dict[str, dict[str, None]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
"""So that the same figure gives the same bytes."""
DPI = 200


class PaperFigure(Figure):
    """A figure whose `savefig` embeds fonts as TrueType and leaves out the date."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure, as `matplotlib.figure.Figure.savefig` does; options that are given win."""
        kind = options.get("format") or (Path(fname).suffix.lstrip(".") if isinstance(fname, str | Path) else "")
        metadata = UNDATED.get(kind.lower(), {}) | (options.get("metadata") or {})
        with rc_context(FILES):
            super().savefig(fname, **{"dpi": DPI, **options, "metadata": metadata or None})
