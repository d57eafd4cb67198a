"""The console that reports are printed on: text from files and ids is shown, never obeyed."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from heldout.errors import visible


class Screen(Console):
    """A rich console without markup, emoji codes and highlighting, on which control characters are written out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of a renderable, their text safe for a terminal."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        """Let the command end as any other whose reader went away, instead of rich's exit code 1."""
        raise BrokenPipeError


errors = Screen(stderr=True)
"""Stderr. A bar on it makes way for messages that are printed by this same console."""


def printed(renderable: RenderableType, width: int) -> str:
    """A renderable as plain text of this width, wherever it will be shown."""
    text = StringIO()
    Screen(file=text, width=width, no_color=True, force_terminal=False, force_jupyter=False).print(renderable)
    return text.getvalue()
