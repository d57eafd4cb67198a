"""Biases as a LaTeX table for papers: booktabs, every system under every protocol."""

from __future__ import annotations

from heldout.biases.findings import BiasFindings
from heldout.latex_text import escape, table_row
from heldout.reports.bias_views import protocol_lines, sizes_words, times_text, value_text
from heldout.words import number


def to_latex(findings: BiasFindings, *, label: str = "tab:biases") -> str:
    """Every system under every protocol, the best in bold; needs `booktabs`."""
    choices = "; ".join(f"{stage} {text}" for stage, text in findings.protocol.items() if text != "none")
    caption = f"Systems under plain and popularity-neutral protocols: {sizes_words(findings)}. Study: {choices}."
    heads = ["Protocol", *findings.systems, "pop. / random", "τ"]
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}[t]",
        r"\centering",
        f"\\caption{{{escape(caption)}}}",
        f"\\label{{{label}}}",
        f"\\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}",
        r"\toprule",
        table_row(escape(head) for head in heads),
        r"\midrule",
    ]
    for line in protocol_lines(findings):
        best = min(line.values.values(), key=lambda row: row.place).system
        cells = [escape(line.effect.protocol)]
        for system in findings.systems:
            text = escape(value_text(line, system))
            cells.append(f"\\textbf{{{text}}}" if system == best else text)
        cells += [escape(times_text(line.popularity)), escape(number(line.effect.tau, 2))]
        lines.append(table_row(cells))
    note = (
        f"{findings.metric}, or the metric that a protocol is named by. pop. / random: popularity's {findings.precision} by "
        f"that of a random ranking. τ: Kendall's tau-b with the order of systems under {findings.effects.reference}."
    )
    lines += [r"\bottomrule", r"\end{tabular}", "", r"\smallskip"]
    return "\n".join([*lines, f"\\parbox{{\\linewidth}}{{\\footnotesize {escape(note)}}}", r"\end{table}", ""])
