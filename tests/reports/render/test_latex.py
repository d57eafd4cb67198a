"""Tables in LaTeX: escapes, shared heads, captions, and widths that fit a paper of two columns."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.heavy import heavy
from tests.reports.every_kind import KINDS, results_of
from tests.reports.kept import facts_of, study_scores_of
from tests.reports.pictured import pictured
from tests.reports.render.documents import board, settings
from tests.reports.sample import facts

import heldout as ho
from heldout.reports import comparison, study
from heldout.reports.columns import Column
from heldout.reports.document import FrameRows, Table

HOSTILE = (
    "a_b & 50% of $5 #1 {x} ~y ^z \\end{tabular}",
    "<script>alert(1)</script>",
    "שלום \u202eabc",
    "[1ex] *",
    "=HYPERLINK(1)",
    "| pipe | `code`",
    "Müller – Čapek, “q”",
)


def table(*columns: Column, rows: tuple[tuple[object, ...], ...] = (), **options: Any) -> Table:
    return Table(**{"name": "t", "title": "T", "columns": columns, "rows": rows, **options})


def test_a_table_has_rules_caption_and_label() -> None:
    latex = board().to_latex()
    assert latex.startswith("% needs \\usepackage{booktabs,graphicx}\n") and r"\label{tab:leaderboard}" in latex
    assert r"\caption{Leaderboard. Systems that share a letter" in latex
    assert r"Same for all systems: users averaged 1,946.}" in latex and "1,946 &" not in latex
    assert (
        r"UserKNN & \textbf{0.239} & 0.229--0.249\textsuperscript{a} & \textbf{0.119} & 0.114--0.124\textsuperscript{a}"
        in latex
    )
    assert r"\label{tab:mine}" in board().to_latex(label="tab:mine")
    for rule in ("toprule", "midrule", "bottomrule"):
        assert latex.count(rf"\{rule}") == 1


def test_heads_that_columns_share_stand_above_them() -> None:
    lines = board().to_latex().splitlines()
    above = next(line for line in lines if "multicolumn" in line)
    assert above.startswith(r" & \multicolumn{2}{c}{nDCG@10 (binary)} & \multicolumn{2}{c}{P@10} &")
    assert r"\cmidrule(lr){2-3}\cmidrule(lr){4-5}" in lines
    heads = lines[lines.index(r"\cmidrule(lr){2-3}\cmidrule(lr){4-5}") + 1]
    assert heads.count("&") == above.count("&") + 2 == 7
    plain = table(Column(name="a", kind="text"), Column(name="b", kind="text"), rows=(("x", "y"), ("z", "w")))
    assert "multicolumn" not in plain.to_latex() and r"a & b \\" in plain.to_latex()


def test_lower_is_better_is_an_arrow() -> None:
    made = table(Column(name="RMSE", kind="value", better="lower"), Column(name="P", kind="value", better="higher"))
    assert r"RMSE $\downarrow$ & P \\" in made.to_latex()


def test_special_characters_are_disarmed() -> None:
    made = table(Column(name="ρ_n", kind="text"), rows=((r"a_b & 50% {x} \y #1 $ ~ ^ < 1",), ("−1…",)), title="50% & more")
    latex = made.to_latex()
    assert r"a\_b \& 50\% \{x\} \textbackslash{}y \#1 \$ \textasciitilde{} \textasciicircum{} \textless{} 1" in latex
    assert r"\caption{50\% \& more.}" in latex and r"$\rho$\_n" in latex and r"$-$1\ldots{}" in latex


def test_a_title_that_ends_in_a_mark_gets_no_stop() -> None:
    assert r"\caption{Does it hold?}" in table(Column(name="a", kind="text"), title="Does it hold?").to_latex()


def test_a_narrow_table_takes_one_column_and_a_wide_one_both() -> None:
    narrow = table(Column(name="a", kind="text"), rows=(("x",), ("y",)))
    wide = table(Column(name="x" * 80, kind="text"), rows=(("x",), ("y",)))
    text = table(Column(name="a", kind="text", lines=True), rows=(("x",), ("y",)))
    assert r"\begin{table}[t]" in narrow.to_latex() and r"\end{table}" in narrow.to_latex()
    assert r"\begin{table*}[t]" in wide.to_latex() and r"\end{table*}" in wide.to_latex()
    assert r"p{.3\linewidth}" in text.to_latex() and r"\begin{table*}" in text.to_latex()
    for made in (narrow, wide, text):  # whatever the estimate of letters: never wider than the line
        assert r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}" in made.to_latex()


def test_long_words_of_columns_with_lines_may_break() -> None:
    digest = "0123456789abcdef" * 4
    rows = ((digest, digest), ("short words stay", "a_b"))
    made = table(Column(name="a", kind="text", lines=True), Column(name="b", kind="text"), rows=rows)
    line = next(line for line in made.to_latex().splitlines() if "0123" in line)
    lines, whole = line.removesuffix(r" \\").split(" & ")
    assert lines.replace(r"\allowbreak{}", "") == digest == whole and lines.count(r"\allowbreak{}") == 15
    assert r"short words stay & a\_b" in made.to_latex()


@pytest.mark.parametrize("name", HOSTILE)
def test_braces_balance_and_cells_stay_in_their_row(name: str) -> None:
    made = table(
        Column(name="System", kind="system"), Column(name=name, kind="value"), rows=((name, 0.1), ("B", 0.2)), title=name
    )
    latex = made.to_latex()
    bare = latex.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")
    body = latex.partition(r"\midrule")[2].partition(r"\bottomrule")[0].strip().splitlines()
    assert [line.replace(r"\&", "").count("&") for line in body] == [1, 1] and all(line.endswith(r"\\") for line in body)


def every_table() -> Iterator[Table]:
    """All tables of studies: with pictures, baselines, several tests, descriptive metrics, and hostile names."""
    ran = ho.run(
        {
            "data": "simulate(users=60, items=40, ratings=1200)",
            "split": "folds(2)",
            "recommend": ["Popularity", "Random", "UserKNN(k=5)", "EASE(l2=50)"],
            "metrics": ["nDCG(gain=binary)@10", "P@5", "RMSE", "Novelty@5", "CROC"],
            "target": ["AllItems", "TestItems", "OnePlusRandom(nonrelevant=20)"],
            "unrated": ["zero", "interval"],
            "compare": ["permutation(samples=1000)", "t", "friedman", "bayes(samples=200)"],
        }
    )
    yield from (ran.tables[name] for name in ran.tables if not name.startswith("all-"))
    for found in (
        facts(),
        pictured(),
        facts_of(study_scores_of(), metrics="P@10", tests=["t", "sign"], baseline="Good"),
        facts_of(study_scores_of(), metrics="P@10", tests=["friedman", "tukey"], aggregate=["mean", "trimmed(0.1)"]),
        facts_of(study_scores_of(), metrics="P@10", tests=[]),
    ):
        yield from study.document(found).tables().values()
        yield from comparison.document(found, [found.primary]).tables().values()
    yield from (board(), settings())
    rows = tuple((name, 0.1, "ab") for name in HOSTILE[:2] + HOSTILE[3:])
    columns = (Column(name="System", kind="system"), Column(name=HOSTILE[0], kind="value"), Column(name="l", kind="letters"))
    yield table(*columns, rows=rows, title=" ".join(HOSTILE[:1]))


def compiled(tex: str, text: str, folder: Path) -> str:
    """Compile a text twice, so that the list of tables is read, and give the log."""
    (folder / "t.tex").write_text(text, encoding="utf-8")
    for _ in range(2):
        ran = subprocess.run(
            [tex, "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=300,
        )
        assert ran.returncode == 0, ran.stdout[-3000:]
    assert (folder / "t.pdf").read_bytes().startswith(b"%PDF")
    return (folder / "t.log").read_text(encoding="utf-8", errors="replace")


ARTICLE = r"""\documentclass[twocolumn]{article}
\usepackage{iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\fi
\usepackage{booktabs,graphicx}
\extrafloats{300}
\begin{document}
%s
\clearpage
\end{document}
"""
MOST_OVERFULL = 5.0
"""Points by which a box may be too wide before a reader sees it."""


def tables_of(kind: str) -> Iterator[Table]:
    """All tables of results of a kind, except frames of every row."""
    if kind == "study":
        yield from every_table()
    else:
        made = results_of(kind)
        yield from (made.tables[name] for name in made.tables if not isinstance(made.tables[name].rows, FrameRows))


@heavy
@pytest.mark.parametrize("tex", ["pdflatex", "lualatex"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_table_fits_a_paper_of_two_columns(kind: str, tex: str, tmp_path: Path) -> None:
    program = shutil.which(tex)
    if program is None:
        pytest.skip(f"{tex} is not installed")
    tables = list(tables_of(kind))
    assert len(tables) > 1
    texts = [made.to_latex(label=f"tab:{k}") for k, made in enumerate(tables)]
    assert "Umathcode" not in "".join(texts)  # pdfLaTeX would print codes such as U+2713
    log = compiled(program, ARTICLE % "\n\\clearpage\n".join(texts), tmp_path)
    overfull = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", log)]
    assert [points for points in overfull if points > MOST_OVERFULL] == []
    assert "Missing character" not in log and "multiply defined" not in log


@heavy
def test_hostile_names_are_compiled(tmp_path: Path) -> None:
    program = next((found for found in map(shutil.which, ("pdflatex", "lualatex")) if found), None)
    if program is None:
        pytest.skip("neither pdflatex nor lualatex is installed")
    rows = tuple((name, 0.1, "ab") for name in HOSTILE)
    columns = (Column(name="System", kind="system"), Column(name=HOSTILE[0], kind="value"), Column(name="l", kind="letters"))
    wide = table(*(Column(name=name, kind="value") for name in HOSTILE), title="Wide", name="wide")
    made = table(*columns, rows=rows, title=" ".join(HOSTILE))
    compiled(program, ARTICLE % f"\\listoftables\n{made.to_latex()}\n{wide.to_latex()}", tmp_path)


def test_labels_of_a_document_are_unique() -> None:
    for found in (facts(), pictured()):
        labels = re.findall(r"\\label\{([^}]+)\}", "".join(t.to_latex() for t in study.document(found).tables().values()))
        assert len(labels) == len(set(labels)) == len(study.document(found).tables())
    changed = replace(facts(), title="x")
    assert study.document(changed).tables().keys() == study.document(facts()).tables().keys()
