"""The experimental section as LaTeX, with formulas and the BibTeX entries that it cites."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from heldout.catalogue.references import bibliography, in_order
from heldout.review.methods.parts import CITED, ChecklistRow, Methods, Paragraph
from heldout.text.latex import escape

HEAD = r"""% needs \usepackage{amsmath,booktabs,longtable}; T1 fonts and UTF-8 input are usual
\section{Experimental setup}
"""
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
    "\u0328": "k",
}
_LETTERS = {
    "ß": r"{\ss}",
    "ø": r"{\o}",
    "Ø": r"{\O}",
    "ł": r"{\l}",
    "Ł": r"{\L}",
    "æ": r"{\ae}",
    "Æ": r"{\AE}",
    "œ": r"{\oe}",
    "ı": r"{\i}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "±": r"$\pm$",
    "—": "---",
    "\u00a0": "~",
}
_VOLUME = re.compile(r"(?P<journal>.+) (?P<volume>\d+)(?:\((?P<number>[\d–-]+)\))?")
"""The bibliography writes volume and number behind the name of a journal."""
_PUBLISHED = {"book": "publisher", "phdthesis": "school"}


def methods_latex(methods: Methods, *, bibliography_name: str = "methods") -> str:
    """A fragment to \\input: subsections, the checklist as a table, the study file, and where the references are."""
    lines = [HEAD.rstrip()]
    if methods.caution:
        lines.append(f"% {methods.caution}")
    for section in methods.sections:
        lines += ["", f"\\subsection{{{latex_text(section.title)}}}"]
        for paragraph in section.paragraphs:
            lines += [*_paragraph(paragraph), ""]
    lines += _table(methods.checklist)
    lines += ["", r"\subsection{Study file}", r"\begin{verbatim}", _verbatim(methods.study).rstrip(), r"\end{verbatim}", ""]
    if methods.cited:
        lines += [r"% \bibliographystyle{plain}", f"% \\bibliography{{{bibliography_name}}}"]
    return "\n".join(lines).rstrip() + "\n"


def methods_bibtex(methods: Methods) -> str:
    """The cited entries; letters with accents are written so that every BibTeX reads them."""
    return "\n".join(bibtex_entry(key) for key in in_order(methods.cited) if key in bibliography())


def bibtex_entry(key: str) -> str:
    """One entry, in ASCII."""
    entry, kind = dict(bibliography()[key]), _kind(key)
    if kind in _PUBLISHED and "howpublished" in entry:
        entry[_PUBLISHED[kind]] = entry.pop("howpublished")
    lines = [f"@{kind}{{{key},"]
    issue = _VOLUME.fullmatch(entry.get("journal", ""))
    if issue is not None:
        entry |= {name: value for name, value in issue.groupdict().items() if value is not None}
    for name, value in entry.items():
        shown = latex_text(value)
        # Another pair of braces keeps capitals of titles as they are.
        lines.append(f"  {name} = {{{{{shown}}}}}," if name == "title" else f"  {name} = {{{shown}}},")
    return "\n".join([*lines, "}", ""])


def _kind(key: str) -> str:
    """What an entry is: told by where it appeared, as the bibliography keeps fields only."""
    entry = bibliography()[key]
    if "journal" in entry:
        return "article"
    if "booktitle" in entry:
        return "incollection" if "Handbook" in entry["booktitle"] else "inproceedings"
    where = entry.get("howpublished", "")
    return "phdthesis" if "University" in where else "misc" if where in ("", "NIST") else "book"


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    if paragraph.text:
        yield latex_text(paragraph.text)
    if paragraph.items:
        yield r"\begin{itemize}"
        for item in paragraph.items:
            formula = f" ${formula_latex(item.formula)}$" if item.formula else ""
            yield f"\\item \\textbf{{{latex_text(item.head)}}}: {latex_text(item.text)}{formula}"
        yield r"\end{itemize}"


def _table(decisions: tuple[ChecklistRow, ...]) -> list[str]:
    lines = [
        r"\subsection{Checklist of decisions}",
        r"\begin{longtable}{@{}lp{0.27\linewidth}p{0.5\linewidth}l@{}}",
        r"\toprule",
        r" & Decision & Chosen & \\",
        r"\midrule",
        r"\endhead",
    ]
    for row in decisions:
        chosen = r" \newline ".join(_code(text) for text in row.chosen)
        default = "default" if row.default else ""
        cells = [latex_text(row.letter), latex_text(row.question), f"\\raggedright {chosen}", default]
        lines.append(" & ".join(cells) + r" \\")
    return [*lines, r"\bottomrule", r"\end{longtable}"]


def latex_text(text: str) -> str:
    """Prose with citations and code, everything that LaTeX would read disarmed."""
    pieces = []
    for piece in re.split(r"(`[^`]*`|\[@[^\]]*\])", text):
        if len(piece) > 1 and piece.startswith("`") and piece.endswith("`"):
            pieces.append(_code(piece[1:-1]))
        elif CITED.fullmatch(piece):
            keys = ",".join(key.strip().lstrip("@") for key in piece[1:-1].split(";"))
            pieces.append(f"\\cite{{{keys}}}")
        else:
            pieces.append(_plain(piece))
    return re.sub(r" \\cite", r"~\\cite", "".join(pieces))


def _code(text: str) -> str:
    """Typewriter text that may break after commas and brackets."""
    broken = re.sub(r"([,(=/]|[0-9a-f]{16}(?=[0-9a-f]))", r"\1\\allowbreak{}", _plain(text))
    return f"\\texttt{{{broken}}}"


def _plain(text: str) -> str:
    """ASCII alone: accents as commands, signs as mathematics; a letter of another script stays."""
    pieces = []
    for char in unicodedata.normalize("NFC", text):
        if ord(char) < 128:
            pieces.append(escape(char))
        elif char in _LETTERS:
            pieces.append(_LETTERS[char])
        else:
            pieces.append(_accented(char) or _sign(char))
    return "".join(pieces)


def _accented(char: str) -> str:
    parts = unicodedata.normalize("NFD", char)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        letter = {"i": r"\i", "j": r"\j"}.get(parts[0], parts[0]) if _ACCENTS[parts[1]] not in ("c", "k") else parts[0]
        return f"{{\\{_ACCENTS[parts[1]]}{{{letter}}}}}"
    return ""


def _sign(char: str) -> str:
    escaped = escape(char)
    if escaped != char:
        return escaped
    as_math = formula_latex(char)
    return char if as_math == char else f"${as_math.strip()}$"


def _verbatim(text: str) -> str:
    """The study file in ASCII, whose strings mean the same: a verbatim block takes no commands."""
    escaped = "".join(c if ord(c) < 128 else f"\\u{ord(c):04X}" if ord(c) < 0x10000 else f"\\U{ord(c):08X}" for c in text)
    return escaped.replace("end{verbatim}", "\\u0065nd{verbatim}")


_SIGNS = {
    "Σ": r"\sum ",
    "Π": r"\prod ",
    "Φ": r"\Phi ",
    "α": r"\alpha ",
    "β": r"\beta ",
    "γ": r"\gamma ",
    "δ": r"\delta ",
    "ε": r"\varepsilon ",
    "ζ": r"\zeta ",
    "η": r"\eta ",
    "θ": r"\theta ",
    "κ": r"\kappa ",
    "λ": r"\lambda ",
    "µ": r"\mu ",
    "ρ": r"\rho ",
    "σ": r"\sigma ",
    "τ": r"\tau ",
    "φ": r"\phi ",
    "χ": r"\chi ",
    "≤": r"\leq ",
    "≥": r"\geq ",
    "≠": r"\neq ",
    "≈": r"\approx ",
    "∝": r"\propto ",
    "∈": r"\in ",
    "∩": r"\cap ",
    "∪": r"\cup ",
    "⋃": r"\bigcup ",
    "∖": r"\setminus ",
    "⊂": r"\subset ",
    "⊆": r"\subseteq ",
    "→": r"\to ",
    "⇔": r"\Leftrightarrow ",
    "·": r"\cdot ",
    "×": r"\times ",
    "÷": r"\div ",
    "−": "-",
    "–": "-",
    "…": r"\ldots ",
    "½": r"\frac{1}{2}",
    "²": "^{2}",
    "¹": "^{1}",
    "⁰": "^{0}",
    "⁴": "^{4}",
    "⁺": "^{+}",
    "⁻": "^{-}",
    "₁": "_{1}",
    "ᵀ": r"^{\top}",
    "ℓ": r"\ell ",
    "‖": r"\Vert ",
    "⌊": r"\lfloor ",
    "⌋": r"\rfloor ",
    "⌈": r"\lceil ",
    "⌉": r"\rceil ",
    "#": r"\#",
    "%": r"\%",
    "&": r"\&",
    "$": r"\$",
    "~": r"\sim ",
    "\\": r"\setminus ",
}
_OVER = {"\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar"}
"""Signs that stand above the letter before them."""
_FUNCTIONS = {
    "log": r"\log_{2} ",
    "ln": r"\ln ",
    "min": r"\min ",
    "max": r"\max ",
    "exp": r"\exp ",
    "cos": r"\cos ",
    "rmax": r"r_{\max}",
}
"""Words that mathematics writes its own way; a logarithm without a base is binary in the catalogue."""
_WORDS = re.compile(r"[A-Za-z][A-Za-z'-]+(?: [A-Za-z'-]+(?![\w(_@]))*")
_PIECE = re.compile(
    r"(?P<words>" + _WORDS.pattern + r")|(?P<over>.[\u0302\u0303\u0304])|(?P<script>[_^√])|(?P<one>.)", re.DOTALL
)


def formula_latex(text: str) -> str:
    """A formula in mathematics mode, without the dollars: sums, Greek letters, scripts, and words as upright text.

    formula_latex("2^(r−1)") = "2^{r-1}"; single letters stay variables.
    """
    latex, at = [], 0
    while at < len(text):
        piece = _PIECE.match(text, at)
        if piece is None:  # pragma: no cover - the pattern takes any sign
            break
        at = piece.end()
        if piece["words"]:
            if piece["words"] == "log" and text[at : at + 1] == "_":
                latex.append(r"\log")  # the base follows
                continue
            if piece["words"] in _FUNCTIONS:
                latex.append(_FUNCTIONS[piece["words"]])
                at += piece["words"] == "log" and text[at : at + 1] == "2"
                continue
            before = " " if text[: piece.start()].endswith(" ") else ""
            after = " " if text[at : at + 1] == " " else ""
            latex.append(rf"\text{{{before}{piece['words']}{after}}}")
        elif piece["over"]:
            latex.append(f"{_OVER[piece['over'][1]]}{{{piece['over'][0]}}}")
        elif piece["script"]:
            inner, at = _script(text, at)
            command = r"\sqrt" if piece["script"] == "√" else piece["script"]
            latex.append(f"{command}{{{formula_latex(inner)}}}")
        elif piece["one"] in "{}":
            latex.append(f"\\{piece['one']}")
        elif piece["one"] == ";":
            latex.append(r";\quad ")
        else:
            latex.append(_SIGNS.get(piece["one"], piece["one"]))
    return "".join(latex)


def _script(text: str, at: int) -> tuple[str, int]:
    """What is lowered or raised from `at` on, and where it ends: a group in brackets, or a word or number."""
    if at < len(text) and text[at] in "({":
        depth, closing = 0, {"(": ")", "{": "}"}[text[at]]
        for end in range(at, len(text)):
            depth += (text[end] == text[at]) - (text[end] == closing)
            if depth == 0:
                return text[at + 1 : end], end + 1
    word = re.compile(r"[-−]?\w+").match(text, at)
    return (word[0], word.end()) if word else ("", at)
