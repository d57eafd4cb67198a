"""Formulas of the catalogue as mathematics."""

from __future__ import annotations

import re

import pytest

from heldout.catalogue import KINDS, classes
from heldout.review.methods.latex import formula_latex

FORMULAS = [
    (f"{kind} {cls.key}", cls.formula)
    for kind in ("metric", "gain", "discount", "aggregation")
    for cls in classes(kind)
    if cls.formula and cls.__module__.startswith("heldout.")
]


@pytest.mark.parametrize(("name", "formula"), FORMULAS, ids=[name for name, _ in FORMULAS])
def test_formulas_are_mathematics_that_another_program_reads(name: str, formula: str) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.mathtext import MathTextParser

    latex = formula_latex(formula)
    assert latex.isascii(), name
    # matplotlib reads TeX's mathematics, but words only by TeX's own command and not by that of amsmath.
    plain = re.sub(r"\\text\{([^}]*)\}", lambda match: r"\mathrm{" + match[1].replace(" ", r"\ ") + "}", latex)
    MathTextParser("path").parse(f"${plain.replace(chr(39), '')}$")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_formulas_are_written_in_the_signs_of_mathematics_not_in_latex(kind: str) -> None:
    """Terminal, pages and reference show them as they are."""
    assert [f"{cls.key}: {cls.formula}" for cls in classes(kind) if re.search(r"\\[A-Za-z{},;]", cls.formula)] == []


def test_formulas_by_hand() -> None:
    assert formula_latex("2^(r−1) ≤ n") == r"2^{r-1} \leq  n"
    assert formula_latex("Σ_{k ≤ n} g_k").replace(" ", "") == r"\sum_{k\leqn}g_{k}"
    assert formula_latex("1/log2(k + 1)") == r"1/\log_{2} (k + 1)"


def test_roots_cover_what_they_are_of() -> None:
    assert formula_latex("√((1/n) Σ x)").startswith(r"\sqrt{(1/n) \sum")
    assert formula_latex("s / √n") == r"s / \sqrt{n}"
