"""Options beside each other: where two are the same but for a parameter, each writes it, the default too."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.catalogue.lookup import make
from heldout.catalogue.text import parse
from heldout.errors import HeldoutError


def spelled(kind: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The texts of options of a kind, with every parameter that another option of the same name writes.

    Example: ratio(train=0.5) and ratio are ratio(train=0.5) and ratio(train=0.8). Chains, metrics and what is not installed
    here stay as they are.
    """
    written: dict[str, dict[str, None]] = {}
    calls = [_call(text) for text in texts]
    for name, keys in filter(None, calls):
        written.setdefault(name, {}).update(dict.fromkeys(keys))
    return tuple(
        _with(kind, text, call[0], written[call[0]]) if call is not None and set(written[call[0]]) - set(call[1]) else text
        for text, call in zip(texts, calls, strict=True)
    )


def _call(text: str) -> tuple[str, list[str]] | None:
    try:
        call = parse(text)
    except HeldoutError:
        return None
    return None if call.at or call.args else (call.name, list(call.kwargs))


def _with(kind: str, text: str, name: str, wanted: dict[str, None]) -> str:
    """The text with the parameters that are wanted of it, as its full form writes them."""
    try:
        full = make(kind, text).full_text
    except HeldoutError:
        return text
    inside = full.partition("(")[2].removesuffix(")")
    kept = [entry for entry in _entries(inside) if entry.partition("=")[0] in wanted]
    return f"{name}({', '.join(kept)})" if kept else text


def _entries(inside: str) -> list[str]:
    """What stands between the commas of a call, but not between those of calls inside it."""
    entries, depth, last = [], 0, 0
    for at, char in enumerate(inside):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            entries.append(inside[last:at].strip())
            last = at + 1
    return [*entries, inside[last:].strip()]
