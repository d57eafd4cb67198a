"""Every quotation on the page of papers is in the paper, word for word."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from heldout.papers.analysis import PAPERS
from heldout.papers.paper import Paper

PAGE = Path(__file__).parents[2] / "docs" / "published-beside-measured.md"


def _letters(text: str) -> str:
    """Letters and digits, without commands of LaTeX: hyphenation, spaces and signs differ between texts of a paper."""
    text = re.sub(r"\\[a-zA-Z]+", "", text).replace("ﬁ", "fi").replace("ﬂ", "fl")
    return re.sub(r"[^a-z0-9]", "", text.casefold())


def _is_in(words: str, lines: list[str]) -> bool:
    """True if the words follow one another, or are interrupted once by the end of a column or page."""
    whole, part = "".join(lines), _letters(words)
    if part in whole:
        return True
    ends = (k for k in range(1, len(part)) if any(line.endswith(part[:k]) for line in lines))
    return any(any(line.startswith(part[k:]) for line in lines) for k in ends)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_quotations_are_word_for_word(paper: Paper, real_data: Callable[[str], Path]) -> None:
    author, year = paper.key.split("-")
    [text] = real_data("../papers").glob(f"{author}-{year}-*.txt")
    lines = [_letters(line) for line in text.read_text(encoding="utf-8").splitlines()]
    page = PAGE.read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")
    section = re.split(r"^## ", page.partition(f"## {paper.name}\n")[2], flags=re.MULTILINE)[0]
    quotations = dict.fromkeys(re.findall("“([^”]+)”", section))
    assert quotations
    reworded = [
        quotation
        for quotation in quotations
        for words in re.split(r"…|\\?\[[^]]*\]", quotation)  # what is left out, and what is added in brackets
        if not _is_in(words, lines)
    ]
    assert not reworded


def test_a_reworded_quotation_is_noticed() -> None:
    lines = [
        _letters(line) for line in ("If a parameter greater than 10 is chosen in A or greater than", "20 in B, it is so.")
    ]
    assert _is_in("or greater than 20 in B", lines)
    assert not _is_in("If a parameter greater than 20 is chosen in B", lines)
