"""Pairwise comparisons as a LaTeX table for papers."""

from __future__ import annotations

from heldout.analysis.findings import Findings
from heldout.latex_text import escape, table_row
from heldout.reports.captions import figures_text, note_on_test, protocol, uncalled_note
from heldout.words import count, exact_p, interval, percent, signed


def pairs_to_latex(
    findings: Findings, setting: int | None = None, test: str | None = None, *, label: str = "tab:pairs"
) -> str:
    """Every pair of a setting: difference, interval, effect sizes, wins, p and adjusted p; needs `booktabs`."""
    chosen = findings.setting(findings.primary if setting is None else setting)
    tests = findings.tests(chosen.id)
    pairs = findings.pairs(chosen.id, test or tests[0]) if tests else []
    digits = findings.digits(chosen.id)
    heads = ["Pair", "Difference", "Interval", "$d$", "Superior", "Win/tie/loss", "$p$", "$p$ adjusted"]
    said = "; ".join(f"{stage} {text}" for stage, text in protocol(chosen))
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}[t]",
        r"\centering",
        f"\\caption{{{escape(f'Pairwise comparison, first minus second. Protocol: {said}.')}}}",
        f"\\label{{{label}}}",
        r"\begin{tabular}{lrcrrrrr}",
        r"\toprule",
        table_row(heads),
        r"\midrule",
    ]
    for p in pairs:
        cells = [
            escape(f"{p.a} − {p.b}"),
            escape(signed(p.difference, digits)),
            escape(interval(p.low, p.high, digits, sign=True)),
            escape(signed(p.effect, 2)),
            escape(percent(p.superiority)),
            f"{count(p.wins)}/{count(p.ties)}/{count(p.losses)}",
            escape(exact_p(p.p) + (f" ({figures_text(p)})" if p.p is not None and p.figures else "")),
            escape(exact_p(p.p_adjusted)),
        ]
        lines.append(table_row(cells))
    lines += [r"\bottomrule", r"\end{tabular}"]
    if pairs:
        note = f"{note_on_test(pairs[0])}. {uncalled_note(findings.verdict_row(chosen.id))}".rstrip()
        lines += ["", r"\smallskip", f"\\parbox{{\\linewidth}}{{\\footnotesize {escape(note)}}}"]
    return "\n".join([*lines, r"\end{table}", ""])
