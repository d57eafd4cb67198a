"""A trial of metrics as a LaTeX table for papers: booktabs, the protocol in the caption, the definitions in a note."""

from __future__ import annotations

from heldout.latex_text import escape, table_row
from heldout.metric_quality.findings import MetricFindings, unbeaten
from heldout.reports.metric_quality_figures import figures, rule_words
from heldout.reports.metric_quality_views import FRONT, best_of_each, sizes_words

COLUMNS = ("dp", "mean_p", "significant", "missing_tau", "missing_low", "popularity_tau", "swap_rate", "reliability")


def to_latex(trial: MetricFindings, *, every_depth: bool = False, label: str = "tab:metric-quality") -> str:
    """Each metric at its best depth, or at every depth, the best first; needs `booktabs`."""
    shown = [figure for figure in figures(trial) if figure.key in COLUMNS]
    rows = list(trial.rows) if every_depth else best_of_each(trial)
    best = unbeaten(trial.rows, FRONT)
    protocol = "; ".join(f"{stage} {text}" for stage, text in trial.protocol.items() if text != "none")
    caption = f"Metrics on trial: {sizes_words(trial)}. Protocol: {protocol}."
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}[t]",
        r"\centering",
        f"\\caption{{{escape(caption)}}}",
        f"\\label{{{label}}}",
        f"\\begin{{tabular}}{{l{'r' * len(shown)}}}",
        r"\toprule",
        table_row(["Metric", *(escape(figure.brief) for figure in shown)]),
        r"\midrule",
    ]
    for row in rows:
        name = escape(row.metric)
        cells = [f"\\textbf{{{name}}}" if row.metric in best else name, *(escape(figure.text(row)) for figure in shown)]
        lines.append(table_row(cells))
    depths = "" if every_depth else "Each metric at its best depth. "
    note = f"{depths}Ranked by {rule_words(trial.rule)}. Bold: no other metric beats it in both power and robustness. "
    note += " ".join(f"{figure.brief}: {figure.meaning}" for figure in shown)
    lines += [r"\bottomrule", r"\end{tabular}", "", r"\smallskip"]
    return "\n".join([*lines, f"\\parbox{{\\linewidth}}{{\\footnotesize {escape(note)}}}", r"\end{table}", ""])
