"""The page's part on rankings: how alike universes order the systems, by decision, and the map."""

from __future__ import annotations

from markupsafe import Markup

from heldout.reports.multiverse_views import listed_of
from heldout.reports.page.markup import cell, el, rows, table
from heldout.reports.page.multiverse_svg import COLOURS, map_svg
from heldout.universes.findings.agreement import AgreementBy
from heldout.universes.findings.findings import Findings
from heldout.words import count, counted, number, percent

MATRIX, LISTED = 12, 8
"""Options up to which a matrix is written, and rankings that are listed."""


def rankings(found: Findings) -> Markup:
    """Mean τ over all universes and by decision; with three systems or more also matrices and the map."""
    agreement = found.agreement
    told = f"Two universes rank the systems with a Kendall τ of {number(agreement.mean, 2)} on average; "
    told += f"{counted(agreement.distinct, 'different ranking')}."
    parts = [el("h2", "Do universes rank alike?"), el("p", told)]
    if agreement.by_decision:
        heads = [
            cell("Decision"),
            cell("Mean τ", "num", "Over pairs of universes that differ in it only"),
            cell("Least alike"),
        ]
        body = [
            [cell(found.words(one.decision), "name"), cell(number(one.mean, 3), "num"), cell(_least(one))]
            for one in agreement.by_decision
        ]
        parts.append(table(heads, rows(body), caption="Agreement by decision"))
    if len(found.systems) > 2:
        parts += _matrices(found)
        if len(agreement.points) > 1:
            parts += _map(found)
    return el("section", *parts, id="rankings")


def _least(one: AgreementBy) -> str:
    pairs = [
        (one.between[i][j], i, j)
        for i in range(len(one.levels))
        for j in range(i + 1, len(one.levels))
        if one.between[i][j] == one.between[i][j]
    ]
    if not pairs:
        return "no two universes differ in it only"
    value, i, j = min(pairs)
    return f"{one.levels[i]} and {one.levels[j]}: {number(value, 3)}"


def _matrices(found: Findings) -> list[Markup]:
    parts = []
    for one in found.agreement.by_decision[:3]:
        if not 2 < len(one.levels) <= MATRIX:
            continue
        heads = [cell(found.words(one.decision)), *(cell(level, "num") for level in one.levels)]
        body = [
            [cell(level, "name"), *(cell(_shaded(v), "num") for v in line)]
            for level, line in zip(one.levels, one.between, strict=True)
        ]
        parts.append(table(heads, rows(body), caption=f"Mean τ between options of {found.words(one.decision)}"))
    return [el("h3", "Mean τ between options"), *parts] if parts else []


def _shaded(value: float) -> Markup:
    """The number on a tint that is stronger the less alike."""
    if value != value:
        return Markup()
    strength = round(min(1.0, (1 - value) / 2) * 70)
    return el("span", number(value, 2), cls="tau", style=f"background:color-mix(in srgb,var(--s1) {strength}%,transparent)")


def _map(found: Findings) -> list[Markup]:
    agreement = found.agreement
    words = found.words(agreement.decision)
    used = sorted({p.level for p in agreement.points})
    keys = [el("span", el("i", cls=f"c{k % COLOURS}"), f"{k + 1} {agreement.levels[k]}", cls="key") for k in used]
    out = f"; {count(agreement.left_out)} universes with rarer rankings are not drawn" if agreement.left_out else ""
    note = (
        f"Each disc is a ranking, as large as it is frequent; near ones are alike (√(2(1−τ)); the axes show "
        f"{percent(agreement.axes[0])} and {percent(agreement.axes[1])} of the spread). Number and colour: the {words} that "
        f"most of its universes have{out}."
    )
    common = [
        el("li", f"{order}: {counted(n, 'universe')} ({percent(n / found.universes)})")
        for order, n in agreement.common[:LISTED]
    ]
    more = listed_of(len(common), agreement.distinct)
    return [
        el("h3", "Map of rankings"),
        el("figure", map_svg(agreement, found.universes), el("p", *keys, cls="legend"), el("figcaption", note)),
        el("h3", "The most frequent rankings"),
        el("ol", *common, cls="minimal"),
        *([el("p", more, cls="note")] if more else []),
    ]
