"""The drawings of a multiverse's page: the specification curve, bars of shares, and the map of rankings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup

from heldout.reports.label_places import on_discs
from heldout.reports.multiverse_views import exact_papers, reach, shade, short_paper
from heldout.reports.page.markup import el, join
from heldout.universes.findings import Agreement, MultiverseFindings, PairFindings, SpecificationCurve
from heldout.words import count, counted, percent, shorten_all, signed

WIDE, AREA, HEIGHT, PITCH, GAP = 1036, 720, 190, 14, 8
"""The whole at most, the columns at most and at least half of that, their height, a row, and the space between decisions."""
LETTER, LABEL = 6.6, 38
"""Width of a letter of a label, on the wide side since fonts differ, and letters of a label at most."""
NARROW, NARROW_COLUMNS, NARROW_LABEL = 360, 120, 52
"""Width, columns and letters of a label in a window too narrow for labels beside rows."""
BELOW_LABEL = 7
"""From the foot of a label to its row, where brackets reach down."""
STEPS = 8
COLOURS = 12
NUMBER = 6.0
"""Half the height of a number on a disc of the map."""
CLASSES = {1: "first", 0: "neither", -1: "second"}


def shares_bar(pair: PairFindings, *, width: int = 720, height: int = 16) -> Markup:
    """One bar: the first significantly better, neither, the second."""
    s = pair.shares
    outcomes = [
        (s.first, "first", f"{pair.first} better"),
        (s.undecided, "neither", "neither"),
        (s.second, "second", f"{pair.second} better"),
    ]
    at, parts = 0.0, []
    for n, cls, words in outcomes:
        wide = width * n / max(s.universes, 1)
        if n:
            hover = el("title", f"{words}: {count(n)} ({percent(s.share(n))})")
            parts.append(
                el("rect", hover, cls=cls, x=f"{at:.2f}", y="0", width=f"{max(wide - 1, 0.5):.2f}", height=str(height))
            )
        at += wide
    label = ", ".join(f"{words} {percent(s.share(n))}" for n, _, words in outcomes)
    return el(
        "svg",
        *parts,
        viewBox=f"0 0 {width} {height}",
        cls="shares",
        role="img",
        aria_label=label,
        preserveAspectRatio="none",
    )


def curve_drawings(pair: PairFindings, findings: MultiverseFindings) -> Markup:
    """The specification curve for a wide window and for a narrow one, of which a page shows the one that fits."""
    return join(curve_svg(pair, findings), narrow_curve_svg(pair, findings))


def narrow_curve_svg(pair: PairFindings, findings: MultiverseFindings) -> Markup:
    """The same curve in the width of a phone: labels stand above their rows."""
    curve = pair.curve.thinned(NARROW_COLUMNS)
    wide = NARROW / max(len(curve.sizes), 1)
    parts = [*_bars(curve, wide), *_axis(curve, NARROW, inside=True), _here()]
    y = HEIGHT + 20.0
    for name, rows in groupby(curve.rows, key=lambda row: row.decision):
        options = [*rows]
        short = shorten_all([row.label for row in options], NARROW_LABEL)
        parts.append(_text(findings.words(name), 0, y + 4, "start", "decision"))
        y += PITCH
        for row in options:
            parts.append(_text(short[row.label], 0, y + 2, "start"))
            parts += _shades(shade(row, curve.sizes), wide, y + BELOW_LABEL)
            y += 2 * PITCH + 2
        y += GAP
    marks = [(name, columns) for name, columns in curve.papers if columns]
    if marks:
        parts.append(_text("papers", 0, y + 4, "start", "decision"))
        y += PITCH
    for name, columns in marks:
        parts.append(_text(short_paper(name), 0, y + 2, "start"))
        parts.append(_paper_marks(name, columns, wide, y + BELOW_LABEL, findings))
        y += 2 * PITCH + 2
    return _curve(parts, pair, findings, f"0 0 {NARROW} {y:.0f}", "narrow", NARROW, 1.6 * NARROW)


def _curve(
    parts: Sequence[Markup], pair: PairFindings, findings: MultiverseFindings, box: str, cls: str, area: float, most: float
) -> Markup:
    """The drawing; its systems are written in full, as the explorer has them, so that the script finds its universe."""
    full = dict(zip(findings.names, findings.systems, strict=True))
    return el(
        "svg",
        *parts,
        viewBox=box,
        cls=f"speccurve {cls}",
        role="img",
        aria_label=f"Specification curve of {pair.first} against {pair.second}",
        style=f"max-width:{most:.0f}px",
        data_first=full[pair.first],
        data_second=full[pair.second],
        data_area=f"{area:.1f}",
    )


def _here() -> Markup:
    """The line at the universe that a reader chose; the script puts it there."""
    return el("path", cls="here", d=f"M0 0V{HEIGHT}", visibility="hidden")


def _paper_marks(name: str, columns: Sequence[int], wide: float, y: float, findings: MultiverseFindings) -> Markup:
    """Marks of the columns with universes that a paper would have chosen."""
    size = max(wide, 2.5)
    d = "".join(f"M{c * wide:.1f} {y + 1:.1f}h{size:.1f}v{PITCH - 3}h-{size:.1f}z" for c in sorted(set(columns)))
    return el("path", d=d, cls="paper" if name in exact_papers(findings) else "paper near")


def curve_svg(pair: PairFindings, findings: MultiverseFindings) -> Markup:
    """The specification curve with the choices below."""
    curve = pair.curve
    n = len(curve.sizes)
    groups = [(findings.words(name), [*rows]) for name, rows in groupby(curve.rows, key=lambda row: row.decision)]
    marks = [(name, columns) for name, columns in curve.papers if columns]
    shown = [(words, rows, shorten_all([row.label for row in rows], LABEL)) for words, rows in groups]
    left = _margin(
        [(words, [*short.values()]) for words, _, short in shown] + [("papers", [short_paper(m) for m, _ in marks])]
    )
    wide = min(24.0, max(AREA / 2, min(AREA, WIDE - left - 60)) / max(n, 1))
    parts = [*_axis(curve, wide * n), *_bars(curve, wide), _here()]
    y = HEIGHT + 14.0
    for words, rows, short in shown:
        parts.append(_text(words, -left, y + 10, "start", "decision"))
        for row in rows:
            parts.append(_text(short[row.label], -8, y + 10, "end"))
            parts += _shades(shade(row, curve.sizes), wide, y)
            y += PITCH
        y += GAP
    if marks:
        parts.append(_text("papers", -left, y + 10, "start", "decision"))
    for name, columns in marks:
        parts.append(_text(short_paper(name), -8, y + 10, "end"))
        parts.append(_paper_marks(name, columns, wide, y, findings))
        y += PITCH
    size = left + max(wide * n, 300) + 60
    return _curve(parts, pair, findings, f"{-left:.0f} 0 {size:.0f} {y + 4:.0f}", "broad", wide * n, size)


def _margin(groups: Sequence[tuple[str, Sequence[str]]]) -> float:
    """Room for the labels: every one whole, and the first of a decision beside the decision's words, which are bold."""
    beside = [LETTER * (1.15 * len(words) + 2 + len(labels[0])) for words, labels in groups if labels]
    return 8 + max([72.0, *beside, *(LETTER * len(label) for _, labels in groups for label in labels)])


def _axis(curve: SpecificationCurve, wide: float, *, inside: bool = False) -> list[Markup]:
    """Rules at 0 and at both ends, with their words beside them, or inside: the lowest at the right, where bars go up."""
    low, high = reach(curve)
    parts = []
    for value in sorted({low, 0.0, high}):
        y = _at(value, low, high)
        parts.append(el("path", d=f"M0 {y:.1f}h{max(wide, 1):.1f}", cls="zero" if value == 0 else "rule"))
        if value == 0 or abs(y - _at(0.0, low, high)) > 14:
            text = "equal" if value == 0 else f"{signed(100 * value, 1)}%"
            above = y - 3 if y > 14 else y + 11
            if not inside:
                parts.append(_text(text, -8, y + 4, "end"))
            elif value < 0:
                parts.append(_text(text, wide - 2, above, "end"))
            else:
                parts.append(_text(text, 2, above, "start"))
    return parts


def _at(value: float, low: float, high: float) -> float:
    return 4 + (HEIGHT - 8) * (high - min(max(value, low), high)) / (high - low)


def _bars(curve: SpecificationCurve, wide: float) -> list[Markup]:
    """One path for each colour, columns of equal colour side by side."""
    low, high = reach(curve)
    zero = _at(0.0, low, high)
    paths: dict[str, list[str]] = {}
    space = 1.0 if wide > 8 else 0.0
    for c, value in enumerate(curve.effect):
        y = _at(value, low, high)
        y = min(y, zero - 1) if value >= 0 else max(y, zero + 1)
        d = f"M{c * wide:.2f} {zero:.1f}V{y:.1f}h{wide - space:.2f}V{zero:.1f}z"
        paths.setdefault(CLASSES[curve.winner(c)], []).append(d)
    return [el("path", d="".join(d), cls=cls) for cls, d in paths.items()]


def _shades(values: Sequence[float], wide: float, y: float) -> list[Markup]:
    """A row of shades: runs of equal ones joined, one path for each shade."""
    paths: dict[int, list[str]] = {}
    steps = [round(v * STEPS) if v <= 0 or v * STEPS >= 1 else 1 for v in values]
    space = 1.0 if wide > 8 else 0.0
    at = 0
    for step, run in groupby(steps):
        n = len(list(run))
        if step:
            starts = [(at + i, 1) for i in range(n)] if space else [(at, n)]
            paths.setdefault(step, []).extend(
                f"M{c * wide:.2f} {y:.1f}h{w * wide - space:.2f}v{PITCH - 2}h-{w * wide - space:.2f}z" for c, w in starts
            )
        at += n
    return [el("path", d="".join(d), cls="shade", fill_opacity=f"{step / STEPS:g}") for step, d in sorted(paths.items())]


def map_svg(agreement: Agreement, total: int) -> Markup:
    """Rankings as discs: near where alike, as large as frequent, numbered by the option that most of them chose."""
    size, pad = 460.0, 24.0
    points = agreement.points
    xs, ys = [p.x for p in points], [p.y for p in points]
    tall = max(ys) - min(ys)
    scale = min((size - 2 * pad) / (max(xs) - min(xs) or 1.0), (size - 2 * pad) / (tall or 1.0))
    mid = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    height = tall * scale + 2 * pad
    most = max(p.universes for p in points)
    frequent = sorted(points, key=lambda p: -p.universes)
    discs = [
        (
            size / 2 + (p.x - mid[0]) * scale,
            height / 2 - (p.y - mid[1]) * scale,
            max(2.0, 16 * (p.universes / most) ** 0.5),
        )
        for p in frequent
    ]
    parts = []
    for p, (x, y, r) in zip(frequent, discs, strict=True):
        level = agreement.levels[p.level] if agreement.levels else ""
        often = f"{counted(p.universes, 'universe')} ({percent(p.universes / total)})"
        words = f"{p.order}: {often}; mostly {agreement.decision} {level}"
        parts.append(
            el("circle", el("title", words), cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{r:.1f}", cls=f"point c{p.level % COLOURS}")
        )
    numbers = [str(p.level + 1) for p in frequent]
    halves = [NUMBER + LETTER * (len(number) - 1) / 2 for number in numbers]
    for number, place in zip(numbers, on_discs(discs, halves, wide=size, tall=height), strict=True):
        if place is not None:
            parts.append(_text(number, place[0], place[1] + 4, "middle", "inside" if place[2] else "outside"))
    return el(
        "svg",
        *parts,
        viewBox=f"0 0 {size:.0f} {height:.0f}",
        cls="map",
        role="img",
        aria_label="Map of the rankings that universes give",
    )


def _text(words: str, x: float, y: float, anchor: str, cls: str = "") -> Markup:
    return join(el("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, cls=cls))
