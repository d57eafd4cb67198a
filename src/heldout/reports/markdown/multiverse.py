"""A multiverse in Markdown: the sentences, what moves them, minimal pairs and papers, to paste where text goes."""

from __future__ import annotations

from heldout.reports.markdown.text import plain, table
from heldout.reports.multiverse_views import MOVES, MultiverseReport, grid_words, lacking, outcome
from heldout.universes.findings import MultiverseFindings, PairFindings
from heldout.universes.sentences import overall_sentence, together
from heldout.universes.variance import movers
from heldout.words import count, counted, number, percent


def to_markdown(report: MultiverseReport) -> str:
    """The whole as Markdown; the same report gives the same text."""
    findings, title = report.findings, report.title
    grid = f"{counted(findings.universes, 'universe')}: {grid_words(findings)}; level {findings.level:g}."
    lines = [f"# {title}", "", grid, ""]
    lines += [f"Systems: {plain(', '.join(report.systems))}.", ""] if report.failed else []
    lines += [f"**{plain(overall_sentence(findings))}**", ""] if overall_sentence(findings) else []
    for pair in findings.contested:
        lines += _pair(findings, pair)
    agreement = findings.agreement
    distinct = counted(agreement.distinct, "different ranking")
    mean = f"Mean Kendall τ between two universes {number(agreement.mean, 2)}; {distinct}."
    lines += ["## Rankings", "", mean, ""]
    by = [(findings.words(decision.decision), number(decision.mean, 3)) for decision in agreement.by_decision]
    lines += table(("only this changes", "mean τ"), by) if by else []
    rows = [
        (
            marked.paper,
            count(marked.universes),
            outcome(marked, 0, findings) if findings.pairs else "",
            lacking(marked, findings) or "nothing",
        )
        for marked in findings.papers
    ]
    lines += ["## What five papers would have chosen", ""]
    lines += table(("paper", "universes", _against(findings.pairs[0]) if findings.pairs else "", "the grid lacks"), rows)
    for head, texts in {"Failed": report.failures, "No universe": report.left_out, "Notices": report.notices}.items():
        lines += [f"## {head}", "", *(f"- {plain(text)}" for text in texts), ""] if texts else []
    return "\n".join(lines).rstrip() + "\n"


def _against(pair: PairFindings) -> str:
    return f"{pair.first} against {pair.second}"


def _pair(findings: MultiverseFindings, pair: PairFindings) -> list[str]:
    lines = [f"## {_against(pair)}", "", f"**{plain(pair.stability.sentence)}**", ""]
    rows = []
    for mover in movers(findings, pair):
        changes = (percent(share) for share in mover.changes)
        rows.append((mover.words, percent(mover.effect), percent(mover.joint), percent(mover.verdict), *changes))
    if rows:
        heads = (
            "decision",
            "effect",
            "with one other",
            "verdict",
            "leader changes",
            "reversed",
            "significance gained or lost",
        )
        lines += [*table(heads, rows), plain(together(findings, pair)), ""]
        lines += [MOVES, ""] if pair is findings.contested[0] else []  # once is enough
    lines += [f"- {plain(minimal.sentence)}" for minimal in pair.minimal]
    return [*lines, ""] if pair.minimal else lines
