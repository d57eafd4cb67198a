"""Text for LaTeX: its own characters disarmed."""

from __future__ import annotations

import pytest

from heldout.text.latex import escape, table_row


@pytest.mark.parametrize("char", list("&%$#_{}"))
def test_characters_of_latex_have_a_backslash(char: str) -> None:
    assert escape(f"a{char}b") == f"a\\{char}b"


def test_a_backslash_is_escaped_once() -> None:
    assert escape("\\_") == r"\textbackslash{}\_"


def test_signs_and_greek_letters_are_mathematics() -> None:
    assert escape("−0.1 · ρ ≥ τ…") == r"$-$0.1 $\cdot$ $\rho$ $\geq$ $\tau$\ldots{}"
    assert escape("χ²(3)") == r"$\chi$$^2$(3)" and escape("ε Ω") == r"$\varepsilon$ $\Omega$"
    assert escape("plain text, 1.5") == "plain text, 1.5"


def test_letters_that_pdftex_lacks_are_set_by_others_and_named_for_it() -> None:
    assert escape("Müller – Čapek") == "Müller -- Čapek"
    assert escape("aא̀b") == r"a\ifdefined\Umathcode א̀\else U+05D0 U+0300\fi{}b"
    assert escape("\u202e") == "\\ifdefined\\Umathcode \u202e\\else U+202E\\fi{}"


def test_hyphens_are_not_joined_and_lines_not_broken() -> None:
    assert escape("a---b\n--k") == "a-{}-{}-b -{}-k"


def test_a_cell_is_no_option_of_the_row_above() -> None:
    assert table_row(["[0.1, 0.2]", "x"]) == r"{}[0.1, 0.2] & x \\"
    assert table_row(["*", "x"]) == r"{}* & x \\"
    assert table_row(["a", "*"]) == r"a & * \\"
