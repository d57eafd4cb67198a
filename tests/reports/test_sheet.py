"""Tables to publish: CSV, JSON, Markdown and LaTeX of the same cells."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest

from heldout.errors import SpecError, UnknownNameError
from heldout.reports.sheet import Sheet, SheetCell

HOSTILE = (
    "a_b & 50% of $5 #1 {x} ~y ^z \\end{tabular}",
    "<script>alert(1)</script>",
    "שלום \u202eabc",
    "[1ex] *",
    "=HYPERLINK(1)",
    "| pipe | `code`",
    "Müller – Čapek, “q”",
)
SHEET = Sheet(
    name="two-rows",
    title="Two rows: 50% & more",
    heads=("System", "P@5", "Interval", ""),
    numeric=(False, True, True, False),
    rows=(
        (
            SheetCell("=A, b"),
            SheetCell("0.1235", ("0.12345678901234567",), "a", True),
            SheetCell("[0.1, 0.2]", ("0.1", "0.2")),
            SheetCell("x"),
        ),
        (SheetCell("B"), SheetCell("–"), SheetCell("–"), SheetCell("−1,234")),
    ),
)


def test_csv_has_all_digits_and_no_formula() -> None:
    head, first, second = SHEET.to_csv().splitlines()
    assert head == "System,P@5,Interval low,Interval high,column 4"
    assert first == '"\'=A, b",0.12345678901234567,0.1,0.2,x'
    assert second == "B,,,,-1234"


def test_a_frame_has_numbers_where_all_are() -> None:
    frame = SHEET.frame
    assert frame["P@5"].to_list() == [0.12345678901234567, None]
    assert frame["column 4"].to_list() == ["x", "-1234"]
    assert json.loads(SHEET.to_json())[1] == {
        "System": "B",
        "P@5": None,
        "Interval low": None,
        "Interval high": None,
        "column 4": "-1234",
    }


def test_markdown_and_latex_are_as_shown() -> None:
    assert SHEET.to_markdown().splitlines() == [
        "| System | P@5 | Interval |  |",
        "| --- | ---: | ---: | --- |",
        "| =A, b | **0.1235** a | \\[0.1, 0.2] | x |",
        "| B | – | – | −1,234 |",
    ]
    latex = SHEET.to_latex()
    assert r"=A, b & \textbf{0.1235}$^{\mathrm{a}}$ & [0.1, 0.2] & x \\" in latex
    assert r"\caption{Two rows: 50\% \& more}" in latex and r"\label{tab:two-rows}" in latex
    assert r"\begin{table}[t]" in latex and "resizebox" not in latex


def test_a_wide_table_is_made_to_fit() -> None:
    wide = Sheet(name="wide", title="", heads=("x" * 80,) * 2, numeric=(False, False), rows=())
    assert r"\begin{table*}" in wide.to_latex() and r"\resizebox{\linewidth}" in wide.to_latex()


def test_a_frame_as_it_is_and_no_p_of_zero() -> None:
    frame = pl.DataFrame({"system": ["A", "B"], "p": [0.0, 0.25], "users": [1, 2], "seen": [None, True]})
    sheet = Sheet.of_frame("frame", "A frame", frame)
    assert sheet.to_csv().splitlines() == ["system,p,users,seen", "A,< 1e-300,1,", "B,0.25,2,true"]


def test_the_ending_says_the_format(tmp_path: Path) -> None:
    for name, text in {"t.csv": SHEET.to_csv(), "t.tex": SHEET.to_latex(), "t.md": SHEET.to_markdown()}.items():
        SHEET.save(tmp_path / name)
        assert (tmp_path / name).read_text() == text
    with pytest.raises(SpecError, match=r"cannot write a table as '\.xlsx'"):
        SHEET.save(tmp_path / "t.xlsx")
    with pytest.raises(UnknownNameError, match="unknown format of a table 'latx'; did you mean latex"):
        SHEET.to("latx")


def test_a_notebook_shows_it_escaped() -> None:
    hostile = Sheet(name="h", title="h", heads=HOSTILE[1:2], numeric=(False,), rows=((SheetCell(HOSTILE[1]),),))
    assert "<script" not in hostile._repr_html_()


def test_latex_of_hostile_names_is_compiled(tmp_path: Path) -> None:
    tex = next((found for found in map(shutil.which, ("pdflatex", "lualatex", "tectonic")) if found), None)
    if tex is None:
        pytest.skip("no pdflatex, lualatex or tectonic is installed")
    rows = tuple((SheetCell(name), SheetCell("0.1", letters="ab")) for name in HOSTILE)
    sheets = [
        Sheet(name="hostile", title=" ".join(HOSTILE), heads=("System", HOSTILE[0]), numeric=(False, True), rows=rows),
        Sheet(name="wide", title="Wide", heads=HOSTILE, numeric=(True,) * len(HOSTILE), rows=()),
    ]
    body = "\n".join(sheet.to_latex() for sheet in sheets)
    packages = r"\usepackage{booktabs,graphicx}"
    text = (
        f"\\documentclass[twocolumn]{{article}}\n{packages}\n\\begin{{document}}\n\\listoftables\n{body}\\end{{document}}\n"
    )
    (tmp_path / "t.tex").write_text(text, encoding="utf-8")
    stop = [] if tex.endswith("tectonic") else ["-interaction=nonstopmode", "-halt-on-error"]
    for _ in range(2):  # the second run reads the list of tables that the first one wrote
        ran = subprocess.run(
            [tex, *stop, "t.tex"], cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=60
        )
        assert ran.returncode == 0, ran.stdout[-2000:]
    assert (tmp_path / "t.pdf").read_bytes().startswith(b"%PDF")


def test_columns_that_say_the_same_of_all_rows_stand_in_the_caption_of_a_wide_table() -> None:
    heads = ("System", *(f"a rather long head {k}" for k in range(9)))
    lines = [(f"system {k}", *(str(k) if j < 4 else "100%" for j in range(9))) for k in range(3)]
    rows = tuple(tuple(SheetCell(text) for text in line) for line in lines)
    wide = Sheet(name="wide", title="Wide", heads=heads, numeric=(False, *[True] * 9), rows=rows)
    latex = wide.to_latex()
    assert r"\caption{Wide. The same in all rows: a rather long head 4: 100\%; " in latex
    assert r"\begin{tabular}{lrrrr}" in latex and "resizebox" not in latex
    narrow = Sheet(
        name="n", title="N", heads=heads[:1] + heads[-1:], numeric=(False, True), rows=tuple((r[0], r[-1]) for r in rows)
    )
    assert r"\caption{N}" in narrow.to_latex() and narrow.to_latex().count(r"100\%") == 3
    assert wide.to_csv().count("100%") == 15
