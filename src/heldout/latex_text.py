"""Text for LaTeX: its own characters disarmed."""

from __future__ import annotations

_SPECIAL = {
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
    "−": r"$-$",
    "·": r"$\cdot$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "φ": r"$\phi$",
    "ε": r"$\varepsilon$",
    "λ": r"$\lambda$",
    "σ": r"$\sigma$",
    "Φ": r"$\Phi$",
    "²": "$^2$",
    "±": r"$\pm$",
    "≈": r"$\approx$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "→": r"$\rightarrow$",
    "…": r"\ldots{}",
    "×": r"$\times$",
    "\n": " ",
}


def escape(text: str) -> str:
    """Text with LaTeX's own characters disarmed; Greek letters and signs as mathematics."""
    return "".join(_SPECIAL.get(char, char) for char in text)
