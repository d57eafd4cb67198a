"""Lists, sentences and file names as text."""

from __future__ import annotations

import re
from collections.abc import Sequence


def sentence(text: str) -> str:
    """A text with a full stop."""
    return text if not text or text.endswith((".", "?", "!", ":")) else f"{text}."


def change_lines(text: str) -> str:
    """What to change: lines of a difference as they are, everything else as sentences with a capital and a full stop."""
    lines = text.splitlines()
    return "\n".join(line if line[:2] in ("- ", "+ ", "  ") else sentence(line[:1].upper() + line[1:]) for line in lines)


def slug(text: str) -> str:
    """A text for names of tables, figures and files: userknn-wrmf."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def listed(words: Sequence[str], last: str = "and") -> str:
    """A, B and C."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
