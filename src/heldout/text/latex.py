"""Text for LaTeX: its own characters disarmed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "–": "--",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "−": r"$-$",
    "·": r"$\cdot$",
    "²": "$^2$",
    "≠": r"$\neq$",
    "∞": r"$\infty$",
    "±": r"$\pm$",
    "≈": r"$\approx$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "→": r"$\rightarrow$",
    "…": r"\ldots{}",
    "×": r"$\times$",
    "√": r"$\surd$",
    "∼": r"$\sim$",
    "≪": r"$\ll$",
    "⊇": r"$\supseteq$",
    "✓": r"$\surd$",
    "✗": r"$\times$",
    "\x00": "{}",
}
_GREEK = "αβγδζηθικμνξπρστυφχψωΓΔΘΞΠΣΥΦΨΩ"
_NAMES = {letter: unicodedata.name(letter).rpartition(" ")[2].lower() for letter in _GREEK}
SPECIAL |= {letter: rf"$\{name.capitalize() if letter.isupper() else name}$" for letter, name in _NAMES.items()}
SPECIAL |= {"ε": r"$\varepsilon$", "λ": r"$\lambda$", "Λ": r"$\Lambda$"}


TYPEABLE = frozenset(
    {chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x17F))} - set("«»ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ")
) | set("ȘșȚț‐‑‒—―†‡•€™")
"""Letters that pdfTeX sets by itself, found by setting each; LuaTeX and XeTeX set all that their font has."""


def escape(text: str) -> str:
    """Text with LaTeX's own characters disarmed; Greek letters and signs as mathematics.

    Letters that pdfTeX lacks are written for LuaTeX and XeTeX, and by their code (U+05D0) for pdfTeX.
    """
    pieces = []
    text = re.sub("[\x00-\x1f]", " ", text)
    for foreign, run in groupby(text, key=lambda char: char not in SPECIAL and char not in TYPEABLE):
        if foreign:
            letters = list(run)
            codes = " ".join(f"U+{ord(char):04X}" for char in letters)
            pieces.append(rf"\ifdefined\Umathcode {''.join(letters)}\else {codes}\fi{{}}")
        else:
            plain = re.sub("-(?=-)", "-\x00", "".join(run))  # hyphens that TeX would join to a dash
            pieces += [SPECIAL.get(char, char) for char in plain]
    return "".join(pieces)


def table_row(cells: Iterable[str]) -> str:
    """A row of a table of cells that are escaped; a first cell like [x] or * is not taken for an option of the row above."""
    line = " & ".join(cells) + r" \\"
    return "{}" + line if line.startswith(("[", "*")) else line
