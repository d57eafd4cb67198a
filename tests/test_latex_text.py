"""Text for LaTeX: its own characters disarmed."""

from __future__ import annotations

import pytest

from heldout.latex_text import escape


@pytest.mark.parametrize("char", list("&%$#_{}"))
def test_characters_of_latex_have_a_backslash(char: str) -> None:
    assert escape(f"a{char}b") == f"a\\{char}b"


def test_a_backslash_is_escaped_once() -> None:
    assert escape("\\_") == r"\textbackslash{}\_"


def test_signs_and_greek_letters_are_mathematics() -> None:
    assert escape("−0.1 · ρ ≥ τ…") == r"$-$0.1 $\cdot$ $\rho$ $\geq$ $\tau$\ldots{}"
    assert escape("plain text, 1.5") == "plain text, 1.5"
