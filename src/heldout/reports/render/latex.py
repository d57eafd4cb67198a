"""Tables for papers: booktabs, no wider than the column or the page they are in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from heldout.reports.columns import Column
from heldout.reports.document import Table
from heldout.text.latex import escape, table_row

COLUMN_LETTERS = 52
"""Letters of a row that fit one column of a paper of two columns."""
LONG_WORD, PIECE = 16, 4
"""Letters of a word that may not break in a column of lines, and of the pieces of a longer one."""
TEXT_WIDTH = r".3\linewidth"
"""Of a column of text that breaks into lines."""


def table(source: Table, *, label: str = "") -> str:
    """A table as people see it. It needs booktabs and graphicx, and compiles with pdfLaTeX and LuaLaTeX."""
    shown, folded = source.folded()
    columns = [column for column in shown.columns if column.kind != "letters"]
    wide = _letters(shown, columns) > COLUMN_LETTERS or any(column.lines for column in columns)
    kind = "table*" if wide else "table"
    caption = " ".join(filter(None, (_sentence(source.title), source.caption, folded)))
    lines = [
        r"% needs \usepackage{booktabs,graphicx}",
        rf"\begin{{{kind}}}[t]",
        r"\centering",
        rf"\caption{{{escape(caption)}}}",
        rf"\label{{{label or f'tab:{source.name}'}}}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{{''.join(map(_alignment, columns))}}}",
        r"\toprule",
        *_heads(columns),
        r"\midrule",
        *(table_row(_cells(shown, columns, number)) for number in range(len(shown.rows))),
        r"\bottomrule",
        r"\end{tabular}}",
        rf"\end{{{kind}}}",
    ]
    return "\n".join([*lines, ""])


def _sentence(title: str) -> str:
    return title if title.endswith((".", "?", "!")) else f"{title}."


def _alignment(column: Column) -> str:
    return "r" if column.numeric else f"p{{{TEXT_WIDTH}}}" if column.lines else "l"


def _heads(columns: Sequence[Column]) -> Iterator[str]:
    """The heads, below those that several columns share."""
    if any(column.group for column in columns):
        cells, rules, start = [], [], 1
        for group, members in groupby(columns, key=lambda column: column.group):
            count = len(list(members))
            cells.append(rf"\multicolumn{{{count}}}{{c}}{{{escape(group)}}}" if group else " & ".join([""] * count))
            rules += [rf"\cmidrule(lr){{{start}-{start + count - 1}}}"] if group else []
            start += count
        yield table_row(cells)
        yield "".join(rules)
    yield table_row(escape(column.title) + _arrow(column) for column in columns)


def _arrow(column: Column) -> str:
    return r" $\downarrow$" if column.better == "lower" else ""


def _cells(source: Table, columns: Sequence[Column], number: int) -> Iterator[str]:
    row = source.rows[number]
    for column in columns:
        place = source.columns.index(column)
        text = column.text(row[place], number)
        text = _breakable(text) if column.lines else escape(text)
        text = rf"\textbf{{{text}}}" if (number, column.name) in source.strong else text
        after = source.columns[place + 1] if place + 1 < len(source.columns) else None
        if after is not None and after.kind == "letters" and row[place + 1]:
            text += rf"\textsuperscript{{{escape(row[place + 1])}}}"
        yield text


def _breakable(text: str) -> str:
    """Text whose long words, such as digests and names of components, may break anywhere after a few letters."""
    words = (
        escape(word)
        if len(word) <= LONG_WORD
        else r"\allowbreak{}".join(escape(word[k : k + PIECE]) for k in range(0, len(word), PIECE))
        for word in text.split(" ")
    )
    return " ".join(words)


def _letters(source: Table, columns: Sequence[Column]) -> int:
    """How wide the table is, in letters."""
    widths = []
    for column in columns:
        place = source.columns.index(column)
        texts = (column.text(row[place], number) for number, row in enumerate(source.rows))
        widths.append(2 + max(map(len, (column.title, *texts))))
    return sum(widths)
