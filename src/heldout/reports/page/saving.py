"""The script by which a page saves its figures and tables, and what LaTeX needs of it."""

from __future__ import annotations

from importlib.resources import files

from heldout.latex_text import SPECIAL, TYPEABLE
from heldout.reports.page.markup import embedded_json
from heldout.reports.sheet import COLUMN_LETTERS, PAGE_LETTERS


def saving_script() -> str:
    """The source of the script; the letters that LaTeX takes are those of `heldout.latex_text`."""
    source = (files("heldout.reports.page") / "templates" / "saving.js").read_text(encoding="utf-8")
    special = {char: text for char, text in SPECIAL.items() if char != "\x00"}
    tex = {"special": special, "typeable": "".join(sorted(TYPEABLE)), "column": COLUMN_LETTERS, "page": PAGE_LETTERS}
    return f"const TEX = {embedded_json(tex)};\n{source}"
