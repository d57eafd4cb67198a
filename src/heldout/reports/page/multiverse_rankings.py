"""The page's part on rankings: how alike universes order the systems, by decision, and the map."""

from __future__ import annotations

import math

from markupsafe import Markup

from heldout.reports.multiverse_views import listed_of
from heldout.reports.page.markup import cell, el, rows, table
from heldout.reports.page.multiverse_svg import COLOURS, map_svg
from heldout.universes.findings import AgreementBy, MultiverseFindings
from heldout.words import count, counted, number, percent, shorten_all

MATRIX, LISTED = 12, 8
"""Options up to which a matrix is written, and rankings that are listed."""
ROOM, NARROWEST = 100, 10
"""Letters for all heads of a matrix, and for one at least; its rows name the options whole."""


def rankings(findings: MultiverseFindings) -> Markup:
    """Mean τ over all universes and by decision; with three systems or more also matrices and the map."""
    agreement = findings.agreement
    mean = f"Two universes rank the systems with a Kendall τ of {number(agreement.mean, 2)} on average"
    text = f"{mean}; {counted(agreement.distinct, 'different ranking')}."
    parts = [el("h2", "Do universes rank alike?"), el("p", text)]
    if agreement.by_decision:
        heads = [
            cell("Decision"),
            cell("Mean τ", "num", "Over pairs of universes that differ in it only"),
            cell("Least alike"),
        ]
        body = [
            [cell(findings.words(by.decision), "name"), cell(number(by.mean, 3), "num"), cell(_least_alike(by))]
            for by in agreement.by_decision
        ]
        parts.append(table(heads, rows(body), caption="Agreement by decision", name="agreement"))
    if len(findings.systems) > 2:
        parts += _matrices(findings)
        if len(agreement.points) > 1:
            parts += _map(findings)
    return el("section", *parts, id="rankings")


def _least_alike(by: AgreementBy) -> str:
    if by.least_alike is None:
        return "no two universes differ in it only"
    first, second, tau = by.least_alike
    return f"{first} and {second}: {number(tau, 3)}"


def _matrices(findings: MultiverseFindings) -> list[Markup]:
    parts = []
    for by in findings.agreement.by_decision[:3]:
        if not 2 < len(by.levels) <= MATRIX:
            continue
        short = shorten_all(by.levels, max(ROOM // len(by.levels), NARROWEST))
        heads = [cell(findings.words(by.decision)), *(cell(short[level], "num", level) for level in by.levels)]
        body = [
            [cell(level, "name"), *(cell(_shaded(v), "num") for v in line)]
            for level, line in zip(by.levels, by.between, strict=True)
        ]
        parts.append(
            table(
                heads,
                rows(body),
                caption=f"Mean τ between options of {findings.words(by.decision)}",
                name="agreement-of-options",
            )
        )
    return [el("h3", "Mean τ between options"), *parts] if parts else []


def _shaded(value: float) -> Markup:
    """The number on a tint that is stronger the less alike."""
    if math.isnan(value):
        return Markup()
    strength = round(min(1.0, (1 - value) / 2) * 70)
    return el("span", number(value, 2), cls="tau", style=f"background:color-mix(in srgb,var(--s1) {strength}%,transparent)")


def _map(findings: MultiverseFindings) -> list[Markup]:
    agreement = findings.agreement
    words = findings.words(agreement.decision)
    used = sorted({p.level for p in agreement.points})
    keys = [el("span", el("i", cls=f"c{k % COLOURS}"), f"{k + 1} {agreement.levels[k]}", cls="key") for k in used]
    out = f"; {count(agreement.left_out)} universes with rarer rankings are not drawn" if agreement.left_out else ""
    note = (
        f"Each disc is a ranking, as large as it is frequent; near ones are alike (√(2(1−τ)); the axes show "
        f"{percent(agreement.axes[0])} and {percent(agreement.axes[1])} of the spread). Number and colour: the {words} that "
        f"most of its universes have{out}."
    )
    common = [
        el("li", f"{order}: {counted(n, 'universe')} ({percent(share)})")
        for order, n, share in findings.common_rankings[:LISTED]
    ]
    more = listed_of(len(common), agreement.distinct)
    return [
        el("h3", "Map of rankings"),
        el(
            "figure",
            map_svg(agreement, findings.universes),
            el("p", *keys, cls="legend"),
            el("figcaption", note),
            data_figure="map",
        ),
        el("h3", "The most frequent rankings"),
        el("ol", *common, cls="minimal"),
        *([el("p", more, cls="note")] if more else []),
    ]
