"""What a code of a warning means: a title and a page of explanation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """What a code means and what to do about it."""

    title: str
    text: str
