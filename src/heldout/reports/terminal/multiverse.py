"""A multiverse in a terminal: renderables for rich, fitted to the width, readable without colour."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from heldout.reports.multiverse_views import MOVES, MultiverseReport, grid_words, lacking, listed_of, outcome
from heldout.reports.terminal.columns import Column, NameCells
from heldout.reports.terminal.drawing import bar
from heldout.reports.terminal.multiverse_drawings import curve_text, shares_text
from heldout.reports.terminal.parts import ShortNames, fitted, heading, item, noted, small, stacked, title_line
from heldout.universes.findings import MultiverseFindings, PairFindings
from heldout.universes.sentences import overall_sentence, together
from heldout.universes.variance import movers
from heldout.words import counted, number, percent, shorten_all

DETAILED, LISTED, RANKINGS = 1, 16, 5
"""Pairs of systems told in full, minimal pairs of each (and reasons why there is no universe), and rankings."""


def render(report: MultiverseReport, width: int | None = None) -> Group:
    """The whole of it: sentences, the curve, what moves it, minimal pairs, rankings, papers, and what has no value."""
    return fitted(lambda room: _parts(report, room), width)


def _parts(report: MultiverseReport, width: int) -> list[RenderableType]:
    findings = report.findings
    shown = findings.contested
    parts: list[RenderableType] = [
        title_line(report.title, width),
        small(f"{counted(findings.universes, 'universe')}: {grid_words(findings)}."),
    ]
    parts += [small(f"Systems: {', '.join(report.systems)}.")] if report.failed else []
    parts.append(ShortNames(dict(zip(findings.names, findings.systems, strict=True))))
    if len(shown) > 1:
        parts += _overview(findings, width)
    for pair in shown[:DETAILED]:
        parts += _pair(findings, pair, width)
    left = shown[DETAILED:]
    if left:
        parts += [heading("Other pairs"), *(item(pair.stability.sentence) for pair in left[:12])]
        parts += [small(f"{counted(len(left) - 12, 'further pair')}: see multiverse.json.")] if len(left) > 12 else []
    parts += [*_rankings(findings, width), *_papers(findings)]
    parts += _texts("Failed", report.failures)
    parts += _texts("No universe", report.left_out[:LISTED])
    more = len(report.left_out) - LISTED
    parts += [small(f"{counted(more, 'further reason')}: see manifest.json.")] if more > 0 else []
    return [*parts, *_texts("Notices", report.notices)]


def _texts(head: str, texts: Sequence[str]) -> list[RenderableType]:
    return [heading(head), *(item(text) for text in texts)] if texts else []


def _overview(findings: MultiverseFindings, width: int) -> list[RenderableType]:
    short = shorten_all(findings.names, max(8, width // 5))
    full_names = {short[name]: system for name, system in zip(findings.names, findings.systems, strict=True)}
    pairs = [f"{short[p.first]} – {short[p.second]}" for p in findings.pairs]
    words = {"holds": "", "depends": "depends", "undecided": "undecided"}
    columns = [
        Column(head="pair", forms=[NameCells(pairs, full_names)], right=False),
        Column(
            head="winner",
            forms=[[short[p.stability.winner] if p.stability.winner else words[p.stability.kind] for p in findings.pairs]],
            right=False,
            styles=["bold" if p.stability.winner else "" for p in findings.pairs],
        ),
        Column(head="first", forms=[[percent(p.shares.share(p.shares.first)) for p in findings.pairs]]),
        Column(head="second", forms=[[percent(p.shares.share(p.shares.second)) for p in findings.pairs]]),
    ]
    note = small("Share of universes in which the first or the second of the pair is significantly better.")
    best = [Text(overall_sentence(findings), style="bold")] if overall_sentence(findings) else []
    return [heading("Does it hold?"), *best, *stacked(columns, width), note]


def _pair(findings: MultiverseFindings, pair: PairFindings, width: int) -> list[RenderableType]:
    parts: list[RenderableType] = [
        heading(f"{pair.first} against {pair.second}"),
        Text(pair.stability.sentence, style="bold"),
        *shares_text(pair, width),
    ]
    if pair.anova.single and pair.curve.sizes:
        drawn, note = curve_text(pair, findings, width)
        parts += [heading("Specification curve"), *drawn, small(note)]
        parts += _movers(findings, pair, width)
    if pair.minimal:
        parts += [heading("One choice, the other winner"), *(item(minimal.sentence) for minimal in pair.minimal[:LISTED])]
        more = len(pair.minimal) - LISTED
        parts += [small(f"{counted(more, 'further minimal pair')}: see multiverse.json.")] if more > 0 else []
    elif pair.anova.single:
        parts.append(Padding(Text("No single decision turns a significant winner into the other."), (1, 0, 0, 0)))
    return parts


def _movers(findings: MultiverseFindings, pair: PairFindings, width: int) -> list[RenderableType]:
    rows = movers(findings, pair)
    leader, turned, significance = zip(*(row.changes for row in rows), strict=True) if rows else ((), (), ())
    long = [row.words for row in rows]
    bars = [bar(0.0 if math.isnan(row.effect) else row.effect, 10) for row in rows]
    columns = [
        Column(head="decision", forms=[long, [text.partition(" (")[0] for text in long]], right=False),
        Column(head="effect", forms=[[percent(row.effect) for row in rows]]),
        Column(head="", forms=[bars], need=4, right=False),
        Column(head="joint", forms=[[percent(row.joint) for row in rows]], need=2),
        Column(head="verdict", forms=[[percent(row.verdict) for row in rows]], need=3),
        Column(head="leader", forms=[[percent(share) for share in leader]], need=5),
        Column(head="reversed", forms=[[percent(share) for share in turned]], need=1),
        Column(head="gained/lost", forms=[[percent(share) for share in significance]], need=6),
    ]
    return [heading("What moves it"), *stacked(columns, width), small(together(findings, pair)), small(MOVES)]


def _rankings(findings: MultiverseFindings, width: int) -> list[RenderableType]:
    agreement = findings.agreement
    aside = f"mean Kendall τ {number(agreement.mean, 2)}, {counted(agreement.distinct, 'different ranking')}"
    parts: list[RenderableType] = [heading("Do universes rank alike?", aside)]
    by = [decision for decision in agreement.by_decision if not math.isnan(decision.mean)]
    if by and len(findings.systems) > 2:
        text = ", ".join(f"{findings.words(decision.decision)} {number(decision.mean, 2)}" for decision in by)
        parts.append(Text(f"τ when only this changes: {text}."))
        rankings = findings.common_rankings[:RANKINGS]
        parts += [noted(percent(share), order) for order, _, share in rankings]
        more = listed_of(len(rankings), agreement.distinct)
        parts += [small(more)] if more else []
    return parts


def _papers(findings: MultiverseFindings) -> list[RenderableType]:
    parts: list[RenderableType] = [heading("What five papers would have chosen")]
    for marked in findings.papers:
        line = Text(f"{marked.paper}: ", style="bold")
        text = outcome(marked, 0, findings) if len(findings.pairs) == 1 else counted(marked.universes, "universe")
        line.append(text, style="not bold")
        if marked.missing:
            line.append(f"; the grid lacks {lacking(marked, findings)}", style="not bold dim")
        parts.append(line)
    return parts
