"""Protocols held against the truth as a LaTeX table for papers."""

from __future__ import annotations

from heldout.biases.truth.findings import TruthFindings
from heldout.latex_text import escape, table_row
from heldout.reports.truth_views import best_of_each, figures, sizes_words

COLUMNS = ("right", "right_low", "tau", "type_s", "bias", "error", "rmse")


def to_latex(findings: TruthFindings, *, label: str = "tab:truth") -> str:
    """Each protocol with the metric by which it was right most often; needs `booktabs`."""
    shown = [figure for figure in figures(findings) if figure.key in COLUMNS]
    caption = f"Protocols held against the truth of {findings.data}: {sizes_words(findings)}."
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}[t]",
        r"\centering",
        f"\\caption{{{escape(caption)}}}",
        f"\\label{{{label}}}",
        f"\\begin{{tabular}}{{ll{'r' * len(shown)}}}",
        r"\toprule",
        table_row(["Protocol", "Metric", *(escape(figure.brief) for figure in shown)]),
        r"\midrule",
    ]
    for row in best_of_each(findings):
        cells = [escape(row.protocol), escape(row.metric), *(escape(figure.text(row)) for figure in shown)]
        lines.append(table_row(cells))
    note = "Each protocol with the metric by which it was right most often. "
    note += " ".join(f"{figure.brief}: {figure.meaning}" for figure in shown)
    lines += [r"\bottomrule", r"\end{tabular}", "", r"\smallskip"]
    return "\n".join([*lines, f"\\parbox{{\\linewidth}}{{\\footnotesize {escape(note)}}}", r"\end{table}", ""])
