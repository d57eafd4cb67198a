"""A report, or one figure of it, shown inside a notebook: in a frame that shares nothing with the notebook."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import escape

from heldout.errors import UnknownNameError

SANDBOX = "allow-scripts allow-downloads"
"""What the frame may do: run the page's own script and save files. It has no origin, so it cannot reach the notebook."""


@dataclass(frozen=True, repr=False)
class PageView:
    """A page that Jupyter and marimo show in a sandboxed frame; its styles and scripts stay in there."""

    html: str
    """The whole page."""
    height: int = 720
    """Pixels that the frame takes."""

    @classmethod
    def of_figure(cls, page: str, name: str, height: int = 460) -> PageView:
        """The figure of this name alone, with its controls; UnknownNameError where the page has none."""
        wanted = name.replace("_", "-")
        names = sorted(set(re.findall(r'<figure[^>]* data-figure="([^"]+)"', page)))
        if wanted not in names:
            raise UnknownNameError("interactive figure", name, names, where="figure", listed=True)
        return cls(page.replace("<html ", f'<html data-only="{escape(wanted)}" ', 1), height)

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{self.height}px;border:1px solid rgba(127,127,127,.3);border-radius:6px"
        return f'<iframe title="Heldout report" sandbox="{SANDBOX}" style="{style}" srcdoc="{escape(self.html)}"></iframe>'

    def __repr__(self) -> str:
        return f"a page of {len(self.html):,} characters, shown where a notebook shows HTML"
