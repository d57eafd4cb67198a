"""A multiverse as one HTML file: tables, drawings and the explorer of its universes in the page, no request to anywhere."""

from __future__ import annotations

import math
from dataclasses import replace

from markupsafe import Markup

from heldout.catalogue.spelled import spelled
from heldout.reports.multiverse_views import MOVES, MultiverseReport, curve_note, grid_words, lacking, outcome
from heldout.reports.page import protocol
from heldout.reports.page.explorer import packed_universes, universe_section
from heldout.reports.page.markup import FEW_ROWS, NOTEBOOK_STYLE, breakable, cell, el, join, rows, table
from heldout.reports.page.multiverse_rankings import rankings
from heldout.reports.page.multiverse_svg import curve_drawings, shares_bar
from heldout.reports.page.static import static_page, template, text_section
from heldout.universes.explored import ExploredUniverses
from heldout.universes.findings import MultiverseFindings, PairFindings
from heldout.universes.grid.decisions import KIND_OF
from heldout.universes.sentences import overall_sentence, together
from heldout.universes.variance import movers
from heldout.words import ABSENT, count, counted, percent

NO_UNIVERSE = "Options that do not apply somewhere, and what is the same universe again."
CITED = ("gunawardana2009", "bellogin2011", "bellogin2017", "valcarce2018", "canamares2020")
"""The papers whose choices are marked."""
DRAWN = 10
"""Pairs of systems that are drawn; of all others the page has the sentence, and the findings everything."""
RULE = (
    "A winner is named when it is significantly better in more than half of the universes and the other in fewer than 5%. "
    "Where both are in 5% or more, it depends on the choices; otherwise nothing can be said."
)


def to_html(report: MultiverseReport) -> str:
    """The whole page; the same report gives the same bytes.

    The system whose margins the explorer draws has one colour and one side in all drawings.
    """
    if report.explored is not None and report.explored.explored.reference >= 0:
        board = report.explored.explored
        report = replace(report, findings=report.findings.seen_from(board.systems[board.reference]))
    findings = report.findings
    parts = [
        _holds(findings),
        universe_section(report.explored) if report.explored else Markup(),
        _pairs(findings),
        rankings(findings),
        _papers(findings),
        text_section("failed", "Failed", report.failures),
        text_section("none", "No universe", report.left_out, NO_UNIVERSE),
        text_section("notices", "Notices", report.notices) if report.protocol is None else Markup(),
        _grid(report),
        protocol.reviewed(report.protocol, CITED),
    ]
    body = join(*parts)
    heads = (
        ("holds", "Does it hold?"),
        ("explore", "Explore"),
        ("pairs", "Pairs"),
        ("rankings", "Rankings"),
        ("papers", "Papers"),
        ("failed", "Failed"),
        ("none", "No universe"),
        ("grid", "Grid"),
        *(protocol.REVIEWED if report.protocol is not None else (("notices", "Notices"),)),
    )
    sizes = f"{counted(findings.universes, 'universe')} · {counted(len(findings.systems), 'system')}"
    return static_page(
        body,
        title=report.title,
        eyebrow="Heldout multiverse",
        meta=f"{sizes} · level {findings.level:g}",
        sections=heads,
        style="multiverse",
        beside="All findings stand in multiverse.json beside it.",
        script=_script(report.explored) if report.explored else None,
    )


def _script(explored: ExploredUniverses) -> Markup:
    """The universes, and the script that shows them."""
    sources = [template(name) for name in ("words.js", "explorer.js", "multiverse.js")]
    return join(packed_universes(explored), "\n", el("script", Markup("\n".join(sources))))


def _holds(findings: MultiverseFindings) -> Markup:
    grid = el("p", f"{counted(findings.universes, 'universe')}: {grid_words(findings)}.", cls="note")
    if len(findings.pairs) == 1:
        pair = findings.pairs[0]
        drawn = [shares_bar(pair), _legend(pair)] if pair.shares.universes else []
        parts = [el("p", pair.stability.sentence, cls="sentence"), *drawn]
    else:
        first = findings.contested[0]
        disagree = min(first.shares.first, first.shares.second) > 0
        said = overall_sentence(findings) or (first.stability.sentence if disagree else "")
        parts = [*([el("p", said, cls="sentence")] if said else []), _overview(findings)]
    return el("section", el("h2", "Does it hold?"), *parts, grid, el("p", RULE, cls="note"), id="holds")


def _legend(pair: PairFindings) -> Markup:
    s = pair.shares
    outcomes = [
        ("first", f"{pair.first} significantly better {percent(s.share(s.first))}"),
        ("neither", f"neither {percent(s.share(s.undecided))}"),
        ("second", f"{pair.second} significantly better {percent(s.share(s.second))}"),
    ]
    ahead = f"{pair.first} in {percent(s.share(s.ahead))}, {pair.second} in {percent(s.share(s.behind))}"
    keys = [el("span", el("i", cls=cls), words, cls="key") for cls, words in outcomes]
    return el("p", *keys, el("span", f"ahead at all: {ahead}", cls="key"), cls="legend")


def html_fragment(report: MultiverseReport) -> str:
    """Whether conclusions hold, in short, for notebooks: sentences and a table, no script and no style but its own."""
    findings = report.findings
    said = overall_sentence(findings) or (findings.pairs[0].stability.sentence if findings.pairs else "")
    grid = f"{counted(findings.universes, 'universe')}: {grid_words(findings)}."
    return el(
        "div", NOTEBOOK_STYLE, el("p", el("strong", said)), _overview(findings, drawn=False), el("p", grid), cls="heldout"
    )


def _overview(findings: MultiverseFindings, *, drawn: bool = True) -> Markup:
    heads = [
        cell("Pair"),
        cell("Verdict"),
        cell("First better", "num"),
        cell("Neither", "num"),
        cell("Second better", "num"),
        *([cell("Shares")] if drawn else []),
    ]
    words = {"holds": "", "depends": "depends on the choices", "undecided": "undecided"}
    body = []
    many = len(findings.pairs) > FEW_ROWS
    for pair in findings.contested if many else findings.pairs:
        s = pair.shares
        verdict = f"{pair.stability.winner} wins" if pair.stability.winner else words[pair.stability.kind]
        figures = [cell(percent(s.share(n)), "num", count(n)) for n in (s.first, s.undecided, s.second)]
        body.append(
            [
                cell(breakable(f"{pair.first} – {pair.second}"), "name"),
                cell(verdict),
                *figures,
                *([cell(shares_bar(pair, width=160, height=12))] if drawn else []),
            ]
        )
    overview = table(heads, rows(body), caption="Pairs of systems", name="pairs", most=FEW_ROWS if drawn else None)
    order = el("p", "Pairs on which universes disagree most stand first.", cls="note") if many and drawn else Markup()
    return join(order, overview)


def _pairs(findings: MultiverseFindings) -> Markup:
    shown = findings.contested
    parts = []
    for at, pair in enumerate(shown[:DRAWN]):
        head = f"{pair.first} against {pair.second}"
        inside = join(
            el("p", pair.stability.sentence, cls="sentence") if len(findings.pairs) > 1 else Markup(),
            *_curve(findings, pair),
            el("h3", "What moves it"),
            _movers(findings, pair),
            el("p", together(findings, pair), cls="note"),
            el("p", MOVES, cls="note") if at == 0 else Markup(),
            el("h3", "One choice, the other winner"),
            _minimal(pair),
        )
        whole = len(shown) == 1
        parts.append(inside if whole else el("details", el("summary", el("b", head)), inside, open=at == 0))
    rest = [el("li", pair.stability.sentence) for pair in shown[DRAWN:]]
    others = el("summary", el("b", f"All other pairs: {count(len(rest))}"))
    note = [el("details", others, el("ul", *rest, cls="minimal"))] if rest else []
    order = "Those on which universes disagree most first." if len(shown) > 1 else ""
    title = f"{shown[0].first} against {shown[0].second}" if len(shown) == 1 else "Pair by pair"
    return el("section", el("h2", title), *([el("p", order, cls="note")] if order else []), *parts, *note, id="pairs")


def _curve(findings: MultiverseFindings, pair: PairFindings) -> list[Markup]:
    if not pair.curve.sizes:
        return []
    marked = el("span", " The line marks the universe that is chosen above.", cls="scripted")
    drawn = el(
        "figure",
        curve_drawings(pair, findings),
        _curve_key(pair),
        el("figcaption", curve_note(pair.curve, pair), marked),
        data_figure="speccurve",
    )
    return [el("h3", "Specification curve"), drawn]


def _curve_key(pair: PairFindings) -> Markup:
    outcomes = [
        ("first", f"{pair.first} significantly better"),
        ("neither", "not significant"),
        ("second", f"{pair.second} significantly better"),
    ]
    return el("p", *(el("span", el("i", cls=cls), words, cls="key") for cls, words in outcomes), cls="legend")


def _movers(findings: MultiverseFindings, pair: PairFindings) -> Markup:
    heads = [
        cell("Decision"),
        cell("Effect", "num", "Share of the variance of the effect that it explains alone"),
        cell("Both", "", "Dark alone, light together with one other; decisions are sorted by the whole bar"),
        cell("With one other", "num", "What it explains together with one other, beyond both, summed over the others"),
        cell("Verdict", "num", "Share of the variance of the verdict (−1, 0, 1)"),
        cell("Universes paired", "num", "Pairs of universes that differ in this decision only"),
        cell("Leader changes", "num"),
        cell("Reversed", "num", "A significant winner turns into the other"),
        cell("Significance gained or lost", "num"),
        cell("Reversed, adjacent", "num", "Between neighbouring amounts only"),
    ]
    body = []
    every = movers(findings, pair)
    longest = max([1.0, *(mover.explained for mover in every)])
    for mover in every:
        flips = mover.flips.all if mover.flips else None
        near = mover.flips.adjacent if mover.flips else None
        hovers = [count(n) for n in (flips.leader, flips.reversed, flips.significance)] if flips else [""] * 3
        alone = 0.0 if math.isnan(mover.effect) else 100 * mover.effect / longest
        whole = 100 * mover.explained / longest
        bar = el(
            "svg",
            el("rect", cls="part", x="0", y="2", width=f"{alone:.1f}", height="10"),
            el("rect", cls="part joint", x=f"{alone:.1f}", y="2", width=f"{max(whole - alone, 0.0):.1f}", height="10"),
            viewBox="0 0 100 14",
            width="100",
            height="14",
            aria_hidden="true",
        )
        body.append(
            [
                cell(mover.words, "name"),
                cell(percent(mover.effect), "num"),
                cell(bar),
                cell(percent(mover.joint), "num"),
                cell(percent(mover.verdict), "num"),
                cell(count(flips.pairs) if flips else ABSENT, "num"),
                *(cell(percent(share), "num", hover) for share, hover in zip(mover.changes, hovers, strict=True)),
                cell(percent(near.share(near.reversed) if near else None), "num", count(near.reversed) if near else ""),
            ]
        )
    return (
        table(heads, rows(body), caption="Decisions by what they move", name="decisions")
        if body
        else el("p", "No decision varies.")
    )


def _minimal(pair: PairFindings) -> Markup:
    if not pair.minimal:
        return el("p", "No single decision turns a significant winner into the other.", cls="note")
    return el("ul", *(el("li", minimal.sentence) for minimal in pair.minimal), cls="minimal")


def _papers(findings: MultiverseFindings) -> Markup:
    heads = [
        cell("Paper"),
        cell("Universes", "num"),
        *(cell(f"{p.first} – {p.second}") for p in findings.pairs[:3]),
        cell("What the grid lacks of it"),
    ]
    body = [
        [
            cell(marked.paper, "name"),
            cell(count(marked.universes), "num"),
            *(cell(outcome(marked, pair, findings)) for pair in range(len(findings.pairs[:3]))),
            cell(lacking(marked, findings) or "nothing", "wrap"),
        ]
        for marked in findings.papers
    ]
    note = (
        "Universes that the authors would have chosen, of any seed. Where the grid lacks an option, those as near as it "
        "comes, which are marked fainter in the curves."
    )
    return el(
        "section",
        el("h2", "What five papers would have chosen"),
        table(heads, rows(body), caption="Papers", name="papers"),
        el("p", note, cls="note"),
        id="papers",
    )


def _grid(report: MultiverseReport) -> Markup:
    body = []
    for decision in report.findings.decisions:
        levels = zip(spelled(KIND_OF[decision.name], decision.levels), decision.counts, strict=True)
        options = [el("span", el("code", level), f" {count(n)}", cls="option") for level, n in levels]
        options += [el("span", f"not applicable {count(decision.without)}", cls="option")] if decision.without else []
        body.append([cell(decision.words, "name"), cell(decision.letter), cell(Markup(" ").join(options), "wrap options")])
    heads = [cell("Decision"), cell("Letter"), cell("Options and their universes")]
    systems = el("p", "Systems: ", breakable(", ".join(report.systems)), ".", cls="note")
    return el("section", el("h2", "The grid"), systems, table(heads, rows(body), caption="Grid", name="grid"), id="grid")
