"""Pages without what is measured anew in every run."""

from __future__ import annotations

import re

_MEASURED = re.compile(r'<(th|td|span|figure)[^>]* class="[^"]*\bmeasured\b[^"]*".*?</\1>', re.DOTALL)
"""Elements of the class "measured": seconds and bytes, which differ from run to run."""


def without_measured(page: str) -> str:
    """A page without its measured elements: two runs of the same study give the same text."""
    return _MEASURED.sub("", page)
