"""HTML built of elements and tables: text is escaped by markupsafe, and only `Markup` enters a page as it is."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup, escape


def join(*parts: str) -> Markup:
    """Concatenate parts; those that are no `Markup` are escaped."""
    return Markup().join(parts)


def el(tag: str, *children: str, **attributes: str | bool | None) -> Markup:
    """An element; `cls` is class, `data_x` is data-x, None and False leave the attribute out, True writes it bare."""
    written = []
    for name, value in attributes.items():
        if value is None or value is False or (name == "cls" and not value):
            continue
        name = "class" if name == "cls" else name.rstrip("_").replace("_", "-")
        written.append(f" {name}" if value is True else f' {name}="{escape(value)}"')
    opening = f"<{tag}{''.join(written)}>"
    return Markup(opening) if tag in ("br", "wbr", "meta") else Markup(f"{opening}{join(*children)}</{tag}>")


NOTEBOOK_STYLE = Markup(
    "<style>div.heldout table{border-collapse:collapse;font-size:.9em;font-variant-numeric:tabular-nums}"
    "div.heldout th,div.heldout td{padding:.25em .8em;text-align:left;font-weight:400;"
    "border-bottom:1px solid rgba(127,127,127,.25)}div.heldout thead th{font-weight:600}"
    "div.heldout .num{text-align:right;white-space:nowrap}"
    "div.heldout caption{text-align:left;padding:.25em .8em;opacity:.75}</style>"
)
"""Of tables that stand in a notebook by themselves, inside an element of the class heldout."""

LEAST_P = 1e-300
"""As `heldout.words.exact_p`: smaller ones are said to be below it."""
FEW_ROWS = 12
"""Rows that a long table shows until a reader asks for all."""
Cell = tuple[str, str, str]
"""Text (or markup), class, title."""


def cell(text: str, cls: str = "", title: str = "") -> Cell:
    """One cell of a table."""
    return (text, cls, title)


def datum(text: str, value: float | None) -> str:
    """A number as it is shown, with all its digits behind it, which are saved; the script writes the same."""
    return text if value is None or not math.isfinite(value) else el("data", text, value=repr(float(value)))


def data_interval(text: str, low: float | None, high: float | None) -> str:
    """An interval as it is shown, "[0.1, 0.2]", with the digits of its two ends."""
    ends = text.strip("[]").split(", ")
    return join("[", datum(ends[0], low), ", ", datum(ends[1], high), "]") if len(ends) == 2 else text


def data_p(text: str, p: float | None) -> str:
    """A p-value as it is shown; one that is too small for a number has none behind it."""
    return text if p is None or p < LEAST_P else datum(text, p)


def rows(cells: Iterable[Sequence[Cell]], classes: Sequence[str] = (), settings: Sequence[str] = ()) -> Markup:
    """Table rows; the first cell of a row names it. `classes` are those of the rows, `settings` their settings' ids."""
    lines = []
    for i, line in enumerate(cells):
        inner = [
            el("th" if k == 0 else "td", text, cls=cls, title=title or None, scope="row" if k == 0 else None)
            for k, (text, cls, title) in enumerate(line)
        ]
        setting = settings[i] if i < len(settings) else None
        lines.append(el("tr", *inner, cls=classes[i] if i < len(classes) else "", data_setting=setting))
    return join(*lines)


def table(
    heads: Sequence[Cell], body: Markup, *, caption: str = "", key: str = "", name: str = "", most: int | None = None
) -> Markup:
    """A table that scrolls sideways inside its own box on narrow screens; it is saved under its name, or under its key.

    With `most`, a script shows so many rows until a reader asks for all.
    """
    head = el("thead", el("tr", *(el("th", t, cls=c, title=x or None, scope="col") for t, c, x in heads)))
    parts = [el("caption", caption)] if caption else []
    rows_first = None if most is None else str(most)
    inside = el("table", *parts, head, el("tbody", body), id=key or None, data_table=name or None, data_most=rows_first)
    return el("div", inside, cls="scroll", tabindex="0", role="group", aria_label=caption or "table")


def breakable(name: str) -> Markup:
    """A long text form that may break before a parenthesis or after a comma."""
    wbr = el("wbr")
    return escape(name).replace("(", wbr + "(").replace(",", Markup(",") + wbr)


def coded(text: str) -> Markup:
    """A text in which what stands between backticks is code."""
    pieces = re.split(r"`([^`]*)`", text)
    return join(*(el("code", piece) if k % 2 else piece for k, piece in enumerate(pieces)))


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


def embedded_json(value: Any) -> Markup:
    """JSON that no text inside it can break out of a script element."""
    text = json.dumps(finite(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char, code in (("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029")):
        text = text.replace(char, code)
    return Markup(text)
