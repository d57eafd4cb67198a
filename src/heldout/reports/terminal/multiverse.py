"""A multiverse in a terminal: renderables for rich, fitted to the width, readable without colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from heldout.reports.multiverse_failures import failed_systems, marked_systems
from heldout.reports.multiverse_views import (
    MOVES,
    contested,
    grid_words,
    lacking,
    listed_of,
    movers,
    outcome,
    overall,
    share_of,
    together,
)
from heldout.reports.terminal.columns import Column, fit, table
from heldout.reports.terminal.drawing import bar
from heldout.reports.terminal.multiverse_drawings import curve_text, shares_text
from heldout.reports.terminal.parts import heading, small
from heldout.universes.findings.findings import Findings, PairFindings
from heldout.words import counted, number, percent, shorten, shorten_all

DETAILED, LISTED, RANKINGS = 1, 16, 5
"""Pairs of systems told in full, minimal pairs of each (and reasons why there is no universe), and rankings."""


def render(
    found: Findings,
    title: str,
    width: int | None = None,
    *,
    failed: Mapping[str, str] | None = None,
    left_out: Sequence[str] = (),
    notices: Sequence[str] = (),
) -> Group:
    """The whole of it: sentences, the curve, what moves it, minimal pairs, rankings, papers, and what has no value."""
    whole = _Fitted(found, title, dict(failed or {}), tuple(left_out), tuple(notices))
    return Group(whole) if width is None else Group(*whole.parts(width))


@dataclass(frozen=True)
class _Fitted:
    """A report that takes its width from the console it meets."""

    found: Findings
    title: str
    failed: dict[str, str]
    left_out: tuple[str, ...]
    notices: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield from self.parts(options.max_width)

    def parts(self, width: int) -> list[RenderableType]:
        """All parts, fitted to a width."""
        found = self.found
        whole = [*_parts(found, self.title, width, self.failed), *_failed(found, self.failed), *_none(self.left_out)]
        return [*whole, heading("Notices"), *(_item(text) for text in self.notices)] if self.notices else whole


def _parts(found: Findings, title: str, width: int, failed: Mapping[str, str]) -> list[RenderableType]:
    shown = contested(found)
    parts: list[RenderableType] = [
        Rule(Text(shorten(title, width - 6), style="bold"), style="dim"),
        small(f"{counted(found.universes, 'universe')}: {grid_words(found)}."),
    ]
    parts += [small(f"Systems: {', '.join(marked_systems(found, failed))}.")] if failed else []
    if len(shown) > 1:
        parts += _overview(found, width)
    for pair in shown[:DETAILED]:
        parts += _pair(found, pair, width)
    left = shown[DETAILED:]
    if left:
        parts += [heading("Other pairs"), *(_item(pair.stability.sentence) for pair in left[:12])]
        parts += [small(f"{counted(len(left) - 12, 'further pair')}: see multiverse.json.")] if len(left) > 12 else []
    return [*parts, *_rankings(found, width), *_papers(found)]


def _item(sentence: str) -> Table:
    """A sentence behind a dash, its further lines below its first word."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("–", Text(sentence))
    return grid


def _overview(found: Findings, width: int) -> list[RenderableType]:
    short = shorten_all(found.names, max(8, width // 5))
    words = {"holds": "", "depends": "depends", "undecided": "undecided"}
    totals = [max(p.shares.universes, 1) for p in found.pairs]
    columns = [
        Column("pair", [[f"{short[p.first]} – {short[p.second]}" for p in found.pairs]], right=False),
        Column(
            "winner",
            [[short[p.stability.winner] if p.stability.winner else words[p.stability.kind] for p in found.pairs]],
            right=False,
            styles=["bold" if p.stability.winner else "" for p in found.pairs],
        ),
        Column("first", [[percent(p.shares.first / n) for p, n in zip(found.pairs, totals, strict=True)]]),
        Column("second", [[percent(p.shares.second / n) for p, n in zip(found.pairs, totals, strict=True)]]),
    ]
    note = small("Share of universes in which the first or the second of the pair is significantly better.")
    best = [Text(overall(found), style="bold")] if overall(found) else []
    return [heading("Does it hold?"), *best, table(fit(columns, width)[0]), note]


def _pair(found: Findings, pair: PairFindings, width: int) -> list[RenderableType]:
    parts: list[RenderableType] = [
        heading(f"{pair.first} against {pair.second}"),
        Text(pair.stability.sentence, style="bold"),
        *shares_text(pair, width),
    ]
    if pair.anova.single and pair.curve.sizes:
        drawn, note = curve_text(pair, found, width)
        parts += [heading("Specification curve"), *drawn, small(note)]
        parts += _movers(found, pair, width)
    if pair.minimal:
        parts += [heading("One choice, the other winner"), *(_item(one.sentence) for one in pair.minimal[:LISTED])]
        more = len(pair.minimal) - LISTED
        parts += [small(f"{counted(more, 'further minimal pair')}: see multiverse.json.")] if more > 0 else []
    elif pair.anova.single:
        parts.append(Padding(Text("No single decision turns a significant winner into the other."), (1, 0, 0, 0)))
    return parts


def _movers(found: Findings, pair: PairFindings, width: int) -> list[RenderableType]:
    rows = movers(found, pair)
    flips = [one.flips.all if one.flips else None for one in rows]
    long = [one.words for one in rows]
    columns = [
        Column("decision", [long, [text.partition(" (")[0] for text in long]], right=False),
        Column("effect", [[percent(one.effect) for one in rows]]),
        Column("", [[bar(one.effect if one.effect == one.effect else 0.0, 10) for one in rows]], 4, right=False),
        Column("joint", [[percent(one.joint) for one in rows]], 2),
        Column("verdict", [[percent(one.verdict) for one in rows]], 3),
        Column("leader", [[percent(share_of(f, "leader")) for f in flips]], 5),
        Column("reversed", [[percent(share_of(f, "reversed")) for f in flips]], 1),
        Column("gained/lost", [[percent(share_of(f, "significance")) for f in flips]], 6),
    ]
    columns, left = fit(columns, width)
    gone = [head for head in left if head]
    out = f" Left out for width: {', '.join(gone)}." if gone else ""
    return [heading("What moves it"), table(columns), small(together(found, pair)), small(MOVES + out)]


def _rankings(found: Findings, width: int) -> list[RenderableType]:
    agreement = found.agreement
    told = f"mean Kendall τ {number(agreement.mean, 2)}, {counted(agreement.distinct, 'different ranking')}"
    parts: list[RenderableType] = [heading("Do universes rank alike?", told)]
    by = [one for one in agreement.by_decision if one.mean == one.mean]
    if by and len(found.systems) > 2:
        text = ", ".join(f"{found.words(one.decision)} {number(one.mean, 2)}" for one in by)
        parts.append(Text(f"τ when only this changes: {text}."))
        parts += [
            Text(shorten(f"{percent(n / found.universes)}  {order}", width)) for order, n in agreement.common[:RANKINGS]
        ]
        more = listed_of(min(RANKINGS, len(agreement.common)), agreement.distinct)
        parts += [small(more)] if more else []
    return parts


def _papers(found: Findings) -> list[RenderableType]:
    parts: list[RenderableType] = [heading("What five papers would have chosen")]
    for one in found.papers:
        line = Text(f"{one.paper}: ", style="bold")
        told = outcome(one, 0, found) if len(found.pairs) == 1 else counted(one.universes, "universe")
        line.append(told, style="not bold")
        if one.missing:
            line.append(f"; the grid lacks {lacking(one, found)}", style="not bold dim")
        parts.append(line)
    return parts


def _failed(found: Findings, failed: Mapping[str, str]) -> list[RenderableType]:
    told = [one.sentence for one in failed_systems(found, failed)]
    return [heading("Failed"), *(_item(text) for text in told)] if told else []


def _none(left_out: Sequence[str]) -> list[RenderableType]:
    if not left_out:
        return []
    more = len(left_out) - LISTED
    rest = [small(f"{counted(more, 'further reason')}: see manifest.json.")] if more > 0 else []
    return [heading("No universe"), *(_item(text) for text in left_out[:LISTED]), *rest]
