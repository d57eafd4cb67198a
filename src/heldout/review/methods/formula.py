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
    made, at = [], 0
    while at < len(text):
        found = _PIECE.match(text, at)
        if found is None:  # pragma: no cover - the pattern takes any sign
            break
        at = found.end()
        if found["words"]:
            if found["words"] == "log" and text[at : at + 1] == "_":
                made.append(r"\log")  # the base follows
                continue
            if found["words"] in _FUNCTIONS:
                made.append(_FUNCTIONS[found["words"]])
                at += found["words"] == "log" and text[at : at + 1] == "2"
                continue
            before = " " if text[: found.start()].endswith(" ") else ""
            after = " " if text[at : at + 1] == " " else ""
            made.append(rf"\text{{{before}{found['words']}{after}}}")
        elif found["over"]:
            made.append(f"{_OVER[found['over'][1]]}{{{found['over'][0]}}}")
        elif found["script"]:
            inner, at = _script(text, at)
            command = r"\sqrt" if found["script"] == "√" else found["script"]
            made.append(f"{command}{{{formula_latex(inner)}}}")
        elif found["one"] in "{}":
            made.append(f"\\{found['one']}")
        elif found["one"] == ";":
            made.append(r";\quad ")
        else:
            made.append(_SIGNS.get(found["one"], found["one"]))
    return "".join(made)


def _script(text: str, at: int) -> tuple[str, int]:
    """What is lowered or raised from `at` on, and where it ends: a group in brackets, or a word or number."""
    if at < len(text) and text[at] in "({":
        depth, closing = 0, {"(": ")", "{": "}"}[text[at]]
        for end in range(at, len(text)):
            depth += (text[end] == text[at]) - (text[end] == closing)
            if depth == 0:
                return text[at + 1 : end], end + 1
    found = re.compile(r"[-−]?\w+").match(text, at)
    return (found[0], found.end()) if found else ("", at)
