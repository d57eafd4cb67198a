"""A report shown inside a notebook: in a frame that shares nothing with the notebook."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import escape

SANDBOX = "allow-scripts allow-downloads"
"""What the frame may do: run the page's own script and save files. It has no origin, so it cannot reach the notebook."""


@dataclass(frozen=True, repr=False)
class PageView:
    """A page that Jupyter and marimo show in a sandboxed frame; its styles and scripts stay in there."""

    html: str
    """The whole page."""
    height: int = 720
    """Pixels that the frame takes."""

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{self.height}px;border:1px solid rgba(127,127,127,.3);border-radius:6px"
        return f'<iframe title="Heldout report" sandbox="{SANDBOX}" style="{style}" srcdoc="{escape(self.html)}"></iframe>'

    def __repr__(self) -> str:
        return f"a page of {len(self.html):,} characters, shown where a notebook shows HTML"
