"""Components as HTML, as a notebook shows them: a table of a kind, and one component in full."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

_ROW = Markup('<tr><td style="text-align: left"><code>{}</code></td><td style="text-align: left">{}</td></tr>')
_TEXT = Markup('<p style="white-space: pre-wrap">{}</p>')
_DRAWING = Markup("<pre>{}</pre>")


def listing_html(rows: Sequence[tuple[str, str, str]], title: str) -> str:
    """A catalogue: name with parameters, and summary, of each entry."""
    body = Markup("").join(_ROW.format(signature or name, summary) for name, signature, summary in rows)
    return Markup("<p><b>{} ({})</b></p><table>{}</table>").format(title, len(rows), body)


def card_html(title: str, sections: Sequence[tuple[str, str | Sequence[tuple[str, str, str, str]]]]) -> str:
    """One entry in full: paragraphs, and parameters as a table."""
    parts = [Markup("<h4>{}</h4>").format(title)]
    for head, body in sections:
        if not body:
            continue
        if head:
            parts.append(Markup("<b>{}</b>").format(head))
        if isinstance(body, str):
            parts.append((_DRAWING if head.startswith("Drawn") else _TEXT).format(body))
        else:
            rows = [
                _ROW.format(f"{name}: {kind} = {default}" if default else f"{name}: {kind}", doc)
                for name, kind, default, doc in body
            ]
            parts.append(Markup("<table>{}</table>").format(Markup("").join(rows)))
    return Markup("").join(parts)
