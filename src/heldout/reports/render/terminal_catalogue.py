"""Components in a terminal: a list of a kind, and one component in full."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text


def render_list(rows: Sequence[tuple[str, str, str]], title: str) -> Group:
    """A catalogue: name, signature and summary of each entry."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(overflow="fold", style="cyan", ratio=2)
    grid.add_column(overflow="fold", ratio=3)
    for name, signature, summary in rows:
        form = Text(name, style="bold")
        form.append(
            signature[len(name) :] if signature.startswith(name) else f" {signature}" if signature else "", style="not bold"
        )
        grid.add_row(form, Text(summary))
    return Group(Text(f"{title} ({len(rows)})", style="bold"), grid)


def render_card(title: str, sections: Sequence[tuple[str, str | Sequence[tuple[str, str, str, str]]]]) -> Group:
    """One entry in full: paragraphs, and fields as name, type, default and meaning."""
    parts: list[RenderableType] = [Text(title, style="bold")]
    for head, body in sections:
        if not body:
            continue
        parts.append(Padding(Text(head, style="bold cyan"), (1, 0, 0, 0)))
        if isinstance(body, str):
            parts.append(Padding(Text(body), (0, 0, 0, 2)))
            continue
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(overflow="fold", style="bold", no_wrap=True)
        grid.add_column(overflow="fold", ratio=1)
        for name, kind, default, doc in body:
            grid.add_row(
                Text(name),
                Group(Text(f"{kind} = {default}" if default != "" else f"{kind}, required", style="cyan"), Text(doc)),
            )
        parts.append(Padding(grid, (0, 0, 0, 2)))
    return Group(*parts)
