"""The catalogue's formulas as LaTeX mathematics."""

from __future__ import annotations

import re

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
