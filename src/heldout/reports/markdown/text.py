"""Text and tables that Markdown does not take for markup."""

from __future__ import annotations

from collections.abc import Sequence


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, and an empty one behind it."""
    lines = [heads, ["---"] * len(heads), *rows]
    return [*("| " + " | ".join(plain(text).replace("|", "\\|") for text in line) + " |" for line in lines), ""]


def plain(text: str) -> str:
    """Text with the characters of markup escaped."""
    for char in "\\*_<`[":
        text = text.replace(char, f"\\{char}")
    return text
