"""The frame of a page of tables and drawings, with a script or without: title, links to its sections, and its styles."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from string import Template

from markupsafe import Markup

from heldout.reports.page.markup import el, join
from heldout.reports.page.saving import saving_script


def static_page(
    body: Markup,
    *,
    title: str,
    eyebrow: str,
    meta: str,
    sections: Sequence[tuple[str, str]],
    style: str = "",
    beside: str,
    script: Markup | None = None,
) -> str:
    """One HTML file of a body.

    `sections` are ids and names, `style` names a style sheet of its own, and `beside` is a sentence on the files in the same
    folder. Every page has the scripts that save its figures and tables and fold tables that are too wide, some one more.
    """
    return Template(template("static.html")).substitute(
        title=join(title),
        eyebrow=join(eyebrow),
        meta=join(meta),
        nav=join(*(el("a", label, href=f"#{key}") for key, label in sections if f'id="{key}"' in body)),
        body=body,
        beside=join(beside),
        live="" if script else ' class="live"',
        script=join(script or "", el("script", Markup(f"\n{saving_script()}\n{template('folding.js')}"))),
        css=template("report.css")
        + (template("explorer.css") if script else "")
        + template("folding.css")
        + template("saving.css")
        + template("static.css")
        + template("pictures.css")
        + (template(f"{style}.css") if style else ""),
    )


def template(name: str) -> str:
    """A file of `templates/`."""
    return (files("heldout.reports.page") / "templates" / name).read_text(encoding="utf-8")


def text_section(key: str, head: str, texts: Sequence[str], note: str = "") -> Markup:
    """A section that lists texts; nothing where there are none."""
    if not texts:
        return Markup()
    items = el("ul", *(el("li", text) for text in texts), cls="minimal")
    return el("section", el("h2", head), *([el("p", note, cls="note")] if note else []), items, id=key)
