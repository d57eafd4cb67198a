"""A multiverse in Markdown: the sentences, what moves them, minimal pairs and papers, to paste where text goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heldout.reports.multiverse_failures import failed_systems, marked_systems
from heldout.reports.multiverse_views import (
    MOVES,
    contested,
    grid_words,
    lacking,
    movers,
    outcome,
    overall,
    share_of,
    together,
)
from heldout.universes.findings.findings import Findings, PairFindings
from heldout.words import count, counted, number, percent


def to_markdown(
    found: Findings,
    title: str,
    *,
    failed: Mapping[str, str] | None = None,
    left_out: Sequence[str] = (),
    notices: Sequence[str] = (),
) -> str:
    """The whole as Markdown; the same findings give the same text."""
    lines = [f"# {title}", "", f"{counted(found.universes, 'universe')}: {grid_words(found)}; level {found.level:g}.", ""]
    lines += [f"Systems: {_plain(', '.join(marked_systems(found, failed)))}.", ""] if failed else []
    lines += [f"**{_plain(overall(found))}**", ""] if overall(found) else []
    for pair in contested(found):
        lines += _pair(found, pair)
    agreement = found.agreement
    distinct = counted(agreement.distinct, "different ranking")
    told = f"Mean Kendall τ between two universes {number(agreement.mean, 2)}; {distinct}."
    lines += ["## Rankings", "", told, ""]
    by = [(found.words(one.decision), number(one.mean, 3)) for one in agreement.by_decision]
    lines += _table(("only this changes", "mean τ"), by) if by else []
    rows = [
        (one.paper, count(one.universes), outcome(one, 0, found) if found.pairs else "", lacking(one, found) or "nothing")
        for one in found.papers
    ]
    lines += ["## What five papers would have chosen", ""]
    lines += _table(("paper", "universes", _against(found.pairs[0]) if found.pairs else "", "the grid lacks"), rows)
    failures = [one.sentence for one in failed_systems(found, failed)]
    for head, told_of in {"Failed": failures, "No universe": left_out, "Notices": notices}.items():
        lines += [f"## {head}", "", *(f"- {_plain(text)}" for text in told_of), ""] if told_of else []
    return "\n".join(lines).rstrip() + "\n"


def _against(pair: PairFindings) -> str:
    return f"{pair.first} against {pair.second}"


def _pair(found: Findings, pair: PairFindings) -> list[str]:
    lines = [f"## {_against(pair)}", "", f"**{_plain(pair.stability.sentence)}**", ""]
    rows = []
    for one in movers(found, pair):
        flips = one.flips.all if one.flips else None
        shares = (percent(share_of(flips, what)) for what in ("leader", "reversed", "significance"))
        rows.append((one.words, percent(one.effect), percent(one.joint), percent(one.verdict), *shares))
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
        lines += [*_table(heads, rows), _plain(together(found, pair)), ""]
        lines += [MOVES, ""] if pair is contested(found)[0] else []  # once is enough
    lines += [f"- {_plain(one.sentence)}" for one in pair.minimal]
    return [*lines, ""] if pair.minimal else lines


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return [*("| " + " | ".join(_plain(text).replace("|", "\\|") for text in line) + " |" for line in lines), ""]


def _plain(text: str) -> str:
    """Text that Markdown does not take for markup."""
    for char in "\\*_<`[":
        text = text.replace(char, f"\\{char}")
    return text
