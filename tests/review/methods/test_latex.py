"""The experimental section as LaTeX: nothing of a name reaches it unescaped."""

from __future__ import annotations

import re

import pytest

import heldout as ho
from heldout import Methods
from heldout.catalogue.references import bibliography
from heldout.review.methods.latex import bibtex_entry, latex_text


@pytest.fixture(scope="module")
def section() -> Methods:
    return ho.methods(
        {
            "title": "A & B: 100% of _them_ #1 {x} \\end{verbatim} τ",
            "data": "simulate(users=90, items=40, ratings=1500)",
            "split": "ratio(train=0.8)",
            "recommend": ["Popularity", {"name": "k_NN & 100% {ü} #2 ~^\\", "model": "UserKNN(k=5)"}],
            "metrics": ["nDCG(gain=exp2)@10", "RBP(phi=0.8)@10", "RMSE"],
            "target": ["AllItems", "P1R(9)"],
        }
    )


def outside_verbatim(latex: str) -> str:
    return re.sub(r"\\begin\{verbatim\}.*?\\end\{verbatim\}", "", latex, flags=re.DOTALL)


def test_latex_is_ascii_and_balanced(section: Methods) -> None:
    latex = section.to_latex()
    assert latex.isascii()
    body = outside_verbatim(latex)
    bare = re.sub(r"\\[\\{}]", "", body)
    depth = 0
    for char in bare:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    assert re.findall(r"\\begin\{(\w+)\}", body) == re.findall(r"\\end\{(\w+)\}", body)
    assert len(re.findall(r"(?<!\\)\$", body)) % 2 == 0


def test_latex_has_no_active_character_outside_of_its_place(section: Methods) -> None:
    body = outside_verbatim(section.to_latex())
    prose = re.sub(r"(?<!\\)\$[^$]*\$", "", body)
    prose = re.sub(r"\\cite\{[^}]*\}|\\begin\{longtable\}\{.*\}", "", prose)
    for line in (line for line in prose.splitlines() if not line.startswith("%")):
        assert not re.search(r"(?<!\\)[#%_^]", line), line
        if not line.endswith(r"\\"):
            assert not re.search(r"(?<!\\)&", line), line


def test_rows_of_the_table_have_four_cells(section: Methods) -> None:
    table = section.to_latex().partition(r"\endhead")[2].partition(r"\bottomrule")[0].strip().splitlines()
    assert len(table) == len(section.checklist)
    for row in table:
        assert row.endswith(r"\\")
        assert len(re.findall(r"(?<!\\)&", row)) == 3


def test_the_study_file_survives_verbatim(section: Methods) -> None:
    import tomllib

    latex = section.to_latex()
    inside = re.findall(r"\\begin\{verbatim\}\n(.*?)\n\\end\{verbatim\}", latex, flags=re.DOTALL)
    assert len(inside) == 1
    assert tomllib.loads(inside[0]) == tomllib.loads(section.study)


def test_what_is_cited_is_in_the_bibtex_and_nothing_else(section: Methods) -> None:
    cited = {key for found in re.findall(r"\\cite\{([^}]*)\}", section.to_latex()) for key in found.split(",")}
    entries = re.findall(r"^@\w+\{([^,]+),", section.to_bibtex(), re.MULTILINE)
    assert cited == set(section.cited) == set(entries)
    assert section.to_bibtex().isascii()
    assert r"Bellog{\'{\i}}n" in section.to_bibtex()


def test_every_entry_of_the_bibliography_becomes_bibtex() -> None:
    for key in bibliography():
        entry = bibtex_entry(key)
        assert entry.isascii(), key
        assert entry.count("{") == entry.count("}")
        assert not re.search(r"(?<!\\)[&%#]", entry), key
        assert not re.search(r"journal = \{[^}]*\d", entry), key


def test_volume_and_number_are_fields_of_their_own() -> None:
    entry = bibtex_entry("canamares2020")
    for field in ("journal = {Information Retrieval Journal},", "volume = {23},", "number = {4},"):
        assert f"  {field}\n" in entry


def test_text_by_hand() -> None:
    assert latex_text("50% of `a_b` [@bellogin2011; @krichene2020] & τ") == (
        r"50\% of \texttt{a\_b}~\cite{bellogin2011,krichene2020} \& $\tau$"
    )
    assert latex_text("Näher") == r"N{\"{a}}her"
