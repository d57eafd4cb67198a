"""HTML that is escaped unless said otherwise: elements, tables and JSON that is safe inside a page."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterable, Sequence
from typing import Any


class Raw(str):
    """Text that is markup already; any other string is escaped when it enters an element."""

    __slots__ = ()


def join(*parts: str) -> Raw:
    """Parts one after the other, the plain ones escaped."""
    return Raw("".join(part if isinstance(part, Raw) else html.escape(part, quote=False) for part in parts))


def el(tag: str, *children: str, **attributes: str | bool | None) -> Raw:
    """An element; `cls` is class, `data_x` is data-x, None and False leave the attribute out, True writes it bare."""
    written = []
    for name, value in attributes.items():
        if value is None or value is False or (name == "cls" and not value):
            continue
        name = "class" if name == "cls" else name.rstrip("_").replace("_", "-")
        written.append(f" {name}" if value is True else f' {name}="{html.escape(str(value))}"')
    opening = f"<{tag}{''.join(written)}>"
    return Raw(opening) if tag in ("br", "wbr", "meta") else Raw(f"{opening}{join(*children)}</{tag}>")


Cell = tuple[str, str, str]
"""Text (or markup), class, title."""


def cell(text: str, cls: str = "", title: str = "") -> Cell:
    """One cell of a table."""
    return (text, cls, title)


def rows(cells: Iterable[Sequence[Cell]], marked: Sequence[str] = ()) -> Raw:
    """Table rows; the first cell of a row names it. `marked` gives classes of rows."""
    made = []
    for i, line in enumerate(cells):
        inner = [
            el("th" if k == 0 else "td", text, cls=cls, title=title or None, scope="row" if k == 0 else None)
            for k, (text, cls, title) in enumerate(line)
        ]
        made.append(el("tr", *inner, cls=marked[i] if i < len(marked) else ""))
    return join(*made)


def table(heads: Sequence[Cell], body: Raw, *, caption: str = "", key: str = "") -> Raw:
    """A table that scrolls sideways inside its own box on narrow screens."""
    head = el("thead", el("tr", *(el("th", t, cls=c, title=x or None, scope="col") for t, c, x in heads)))
    parts = [el("caption", caption)] if caption else []
    made = el("table", *parts, head, el("tbody", body), id=key or None)
    return el("div", made, cls="scroll", tabindex="0", role="region", aria_label=caption or "table")


def breakable(name: str) -> Raw:
    """A long text form that may break before a parenthesis, after a comma or at a dot between words."""
    safe = html.escape(name, quote=False)
    return Raw(safe.replace("(", "<wbr>(").replace(",", ",<wbr>"))


def finite(value: Any) -> Any:
    """JSON types only: not-a-number and infinities become null, unknown objects their text."""
    if isinstance(value, dict):
        return {str(k): finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(v) for v in value]
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    item = getattr(value, "item", None)
    return finite(item()) if callable(item) else str(value)


def embedded_json(value: Any) -> Raw:
    """JSON that no text inside it can break out of a script element."""
    text = json.dumps(finite(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char, code in (("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029")):
        text = text.replace(char, code)
    return Raw(text)
