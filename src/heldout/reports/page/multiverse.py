"""A multiverse as one HTML file: tables and drawings in the page, no script and no request to anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template

from markupsafe import Markup

from heldout.reports.multiverse_failures import failed_sections, marked_systems
from heldout.reports.multiverse_views import (
    MOVES,
    contested,
    curve_note,
    grid_words,
    lacking,
    movers,
    outcome,
    overall,
    share_of,
    together,
)
from heldout.reports.page.markup import breakable, cell, el, join, rows, table
from heldout.reports.page.multiverse_rankings import rankings
from heldout.reports.page.multiverse_svg import curve_svg, shares_bar
from heldout.universes.findings.findings import Findings, PairFindings
from heldout.words import ABSENT, count, counted, percent

DRAWN = 10
"""Pairs of systems that are drawn; of all others the page has the sentence, and the findings everything."""
RULE = (
    "A winner is named when it is significantly better in more than half of the universes and the other in fewer than 5%. "
    "Where both are in 5% or more, it depends on the choices; otherwise nothing can be said."
)


def to_html(
    found: Findings,
    title: str,
    *,
    failed: Mapping[str, str] | None = None,
    left_out: Sequence[str] = (),
    notices: Sequence[str] = (),
) -> str:
    """The whole page; the same findings give the same bytes."""
    body = join(*sections(found, failed=failed, left_out=left_out, notices=notices))
    heads = (
        ("holds", "Does it hold?"),
        ("pairs", "Pairs"),
        ("rankings", "Rankings"),
        ("papers", "Papers"),
        ("failed", "Failed"),
        ("none", "No universe"),
        ("notices", "Notices"),
        ("grid", "Grid"),
    )
    meta = f"{counted(found.universes, 'universe')} · {counted(len(found.systems), 'system')} · level {found.level:g}"
    return Template(_template("multiverse.html")).substitute(
        title=join(title),
        meta=join(meta),
        nav=join(*(el("a", label, href=f"#{key}") for key, label in heads if f'id="{key}"' in body)),
        body=body,
        css=_template("report.css") + _template("multiverse.css"),
    )


def sections(
    found: Findings,
    *,
    failed: Mapping[str, str] | None = None,
    left_out: Sequence[str] = (),
    notices: Sequence[str] = (),
) -> list[Markup]:
    """The parts of the page, which a report of a study may take in too."""
    shown = contested(found)
    missing = failed_sections(found, failed, left_out, notices)
    return [_holds(found), _pairs(found, shown), rankings(found), _papers(found), *missing, _grid(found, failed)]


def _holds(found: Findings) -> Markup:
    grid = el("p", f"{counted(found.universes, 'universe')}: {grid_words(found)}.", cls="note")
    if len(found.pairs) == 1:
        pair = found.pairs[0]
        drawn = [shares_bar(pair), _legend(pair)] if pair.shares.universes else []
        parts = [el("p", pair.stability.sentence, cls="sentence"), *drawn]
    else:
        best = overall(found)
        parts = [*([el("p", best, cls="sentence")] if best else []), _overview(found)]
    return el("section", el("h2", "Does it hold?"), *parts, grid, el("p", RULE, cls="note"), id="holds")


def _legend(pair: PairFindings) -> Markup:
    s = pair.shares
    total = max(s.universes, 1)
    told = [
        ("first", f"{pair.first} significantly better {percent(s.first / total)}"),
        ("neither", f"neither {percent((total - s.first - s.second) / total)}"),
        ("second", f"{pair.second} significantly better {percent(s.second / total)}"),
    ]
    ahead = f"ahead at all: {pair.first} in {percent(s.ahead / total)}, {pair.second} in {percent(s.behind / total)}"
    keys = [el("span", el("i", cls=cls), words, cls="key") for cls, words in told]
    return el("p", *keys, el("span", ahead, cls="key"), cls="legend")


def _overview(found: Findings) -> Markup:
    heads = [
        cell("Pair"),
        cell("Verdict"),
        cell("First better", "num"),
        cell("Neither", "num"),
        cell("Second better", "num"),
        cell(""),
    ]
    words = {"holds": "", "depends": "depends on the choices", "undecided": "undecided"}
    body = []
    for pair in found.pairs:
        s, total = pair.shares, max(pair.shares.universes, 1)
        verdict = f"{pair.stability.winner} wins" if pair.stability.winner else words[pair.stability.kind]
        rest = s.universes - s.first - s.second
        figures = [cell(percent(n / total), "num", count(n)) for n in (s.first, rest, s.second)]
        body.append(
            [
                cell(breakable(f"{pair.first} – {pair.second}"), "name"),
                cell(verdict),
                *figures,
                cell(shares_bar(pair, width=160, height=12)),
            ]
        )
    return table(heads, rows(body), caption="Pairs of systems")


def _pairs(found: Findings, shown: list[PairFindings]) -> Markup:
    parts = []
    for at, pair in enumerate(shown[:DRAWN]):
        head = f"{pair.first} against {pair.second}"
        inside = join(
            el("p", pair.stability.sentence, cls="sentence") if len(found.pairs) > 1 else Markup(),
            *_curve(found, pair),
            el("h3", "What moves it"),
            _movers(found, pair),
            el("p", together(found, pair), cls="note"),
            el("p", MOVES, cls="note") if at == 0 else Markup(),
            el("h3", "One choice, the other winner"),
            _minimal(pair),
        )
        whole = len(shown) == 1
        parts.append(inside if whole else el("details", el("summary", el("b", head)), inside, open=at == 0))
    rest = [el("li", pair.stability.sentence) for pair in shown[DRAWN:]]
    note = [el("h3", "All other pairs"), el("ul", *rest, cls="minimal")] if rest else []
    order = "Those on which universes disagree most first." if len(shown) > 1 else ""
    title = f"{shown[0].first} against {shown[0].second}" if len(shown) == 1 else "Pair by pair"
    return el("section", el("h2", title), *([el("p", order, cls="note")] if order else []), *parts, *note, id="pairs")


def _curve(found: Findings, pair: PairFindings) -> list[Markup]:
    if not pair.curve.sizes:
        return []
    drawn = el("figure", curve_svg(pair, found), _curve_key(pair), el("figcaption", curve_note(pair.curve, pair)))
    return [el("h3", "Specification curve"), drawn]


def _curve_key(pair: PairFindings) -> Markup:
    told = [
        ("first", f"{pair.first} significantly better"),
        ("neither", "not significant"),
        ("second", f"{pair.second} significantly better"),
    ]
    return el("p", *(el("span", el("i", cls=cls), words, cls="key") for cls, words in told), cls="legend")


def _movers(found: Findings, pair: PairFindings) -> Markup:
    heads = [
        cell("Decision"),
        cell("Effect", "num", "Share of the variance of the effect that it explains alone"),
        cell("", "", ""),
        cell("With one other", "num", "What it explains together with one other, beyond both, summed over the others"),
        cell("Verdict", "num", "Share of the variance of the verdict (−1, 0, 1)"),
        cell("Universes paired", "num", "Pairs of universes that differ in this decision only"),
        cell("Leader changes", "num"),
        cell("Reversed", "num", "A significant winner turns into the other"),
        cell("Significance gained or lost", "num"),
        cell("Reversed, adjacent", "num", "Between neighbouring amounts only"),
    ]
    body = []
    for one in movers(found, pair):
        flips = one.flips.all if one.flips else None
        near = one.flips.adjacent if one.flips else None
        told = [percent(share_of(flips, what)) for what in ("leader", "reversed", "significance")]
        counts = [count(getattr(flips, what)) if flips else "" for what in ("leader", "reversed", "significance")]
        wide = 0.0 if one.effect != one.effect else 100 * one.effect
        bar = el(
            "svg",
            el("rect", cls="part", x="0", y="2", width=f"{wide:.1f}", height="10"),
            viewBox="0 0 100 14",
            width="100",
            height="14",
            aria_hidden="true",
        )
        body.append(
            [
                cell(one.words, "name"),
                cell(percent(one.effect), "num"),
                cell(bar),
                cell(percent(one.joint), "num"),
                cell(percent(one.verdict), "num"),
                cell(count(flips.pairs) if flips else ABSENT, "num"),
                *(cell(text, "num", hover) for text, hover in zip(told, counts, strict=True)),
                cell(percent(share_of(near, "reversed")), "num", count(near.reversed) if near else ""),
            ]
        )
    return table(heads, rows(body), caption="Decisions by what they move") if body else el("p", "No decision varies.")


def _minimal(pair: PairFindings) -> Markup:
    if not pair.minimal:
        return el("p", "No single decision turns a significant winner into the other.", cls="note")
    return el("ul", *(el("li", one.sentence) for one in pair.minimal), cls="minimal")


def _papers(found: Findings) -> Markup:
    heads = [
        cell("Paper"),
        cell("Universes", "num"),
        *(cell(f"{p.first} – {p.second}") for p in found.pairs[:3]),
        cell("What the grid lacks of it"),
    ]
    body = [
        [
            cell(one.paper, "name"),
            cell(count(one.universes), "num"),
            *(cell(outcome(one, pair, found)) for pair in range(len(found.pairs[:3]))),
            cell(lacking(one, found) or "nothing", "wrap"),
        ]
        for one in found.papers
    ]
    note = (
        "Universes that the authors would have chosen, of any seed. Where the grid lacks an option, those as near as it "
        "comes, which are marked fainter in the curves."
    )
    return el(
        "section",
        el("h2", "What five papers would have chosen"),
        table(heads, rows(body), caption="Papers"),
        el("p", note, cls="note"),
        id="papers",
    )


def _grid(found: Findings, failed: Mapping[str, str] | None) -> Markup:
    body = []
    for one in found.decisions:
        told = [el("span", el("code", level), f" {count(n)}  ") for level, n in zip(one.levels, one.counts, strict=True)]
        told += [el("span", f"not applicable {count(one.without)}")] if one.without else []
        body.append([cell(one.words, "name"), cell(one.letter), cell(join(*told), "wrap options")])
    heads = [cell("Decision"), cell("Letter"), cell("Options and their universes")]
    systems = el("p", "Systems: ", breakable(", ".join(marked_systems(found, failed))), ".", cls="note")
    return el("section", el("h2", "The grid"), systems, table(heads, rows(body), caption="Grid"), id="grid")


def _template(name: str) -> str:
    return (files("heldout.reports.page") / "templates" / name).read_text(encoding="utf-8")
