"""The explorer: a switch for each decision that varies, verdict and ranking of what is chosen, and what would flip it.

Python writes the state of the start into the page, and all others, compressed, for the script, which only selects and draws.
"""

from __future__ import annotations

import base64
import json
import math
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from markupsafe import Markup

from heldout.analysis.explored import Switchboard
from heldout.reports.page.markup import Cell, breakable, cell, el, finite, join, rows, table
from heldout.universes.explored import ExploredUniverses
from heldout.words import count, counted, digits_for, interval, number, p_number, percent

ABSENT_VALUE = -(2**31)
"""Stands for a system without a value among whole numbers."""
NO_INTERVAL = -1
"""Stands for a value without an interval among distances of lower ends, which are 0 or more."""
_TYPES = {"int8": "Int8Array", "uint8": "Uint8Array", "int16": "Int16Array", "uint16": "Uint16Array", "int32": "Int32Array"}
_TYPES |= {"float64": "Float64Array"}


def packed(record: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Markup:
    """A record and its arrays as one compressed text: length of the JSON, the JSON, the arrays, each at a multiple of 8."""
    parts, at, places = [], 0, {}
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes()
        places[name] = [_TYPES[array.dtype.name], at, array.size]
        raw += b"\0" * (-len(raw) % 8)
        parts.append(raw)
        at += len(raw)
    head = json.dumps(finite({**record, "arrays": places}), ensure_ascii=False, separators=(",", ":")).encode()
    head += b" " * (-(len(head) + 4) % 8)
    text = base64.b64encode(zlib.compress(struct.pack("<I", len(head)) + head + b"".join(parts), 9)).decode()
    return el("script", Markup(text), type="application/octet-stream", id="explored")


def smallest(array: np.ndarray) -> np.ndarray:
    """Whole numbers in the smallest type that holds them."""
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    for kind in ("int8", "uint8", "int16", "uint16", "int32"):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return array.astype(kind)
    return array.astype(np.float64)


def record_of(explored: Switchboard) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What studies and multiverses have in common, as JSON and arrays."""
    tests = list(dict.fromkeys(explored.tests))
    record = {
        "noun": explored.noun,
        "systems": list(explored.systems),
        "switches": [vars(switch) for switch in explored.switches],
        "start": explored.start,
        "reference": explored.reference,
        "tests": tests,
        "sentences": explored.sentences,
        "briefs": explored.briefs,
    }
    arrays = {
        "codes": smallest(explored.codes.ravel()),
        "number": smallest(explored.number),
        "test": smallest(np.array([tests.index(test) for test in explored.tests])),
        "leader": smallest(explored.leader),
        "significant": explored.significant.astype(np.int8),
        "outcome": explored.verdict_of_reference,
        "margin": explored.margin.astype(np.float64),
    }
    return record, arrays


def packed_universes(universes: ExploredUniverses) -> Markup:
    """The universes for the script: values as the whole numbers that their printed digits make, p as printed.

    Of an interval the page holds how far its lower end is from the value, and how much further the upper one is: small
    numbers, most of them alike, which compress.
    """
    record, arrays = record_of(universes.explored)
    digits = [digits_for(values) for values in universes.values.tolist()]
    values, low, high = (_printed(array, digits) for array in (universes.values, universes.low, universes.high))
    ends = (low != ABSENT_VALUE) & (high != ABSENT_VALUE) & (values != ABSENT_VALUE)
    below = np.where(ends, values - low, NO_INTERVAL)
    texts: dict[str, int] = {}
    p = [[texts.setdefault(p_number(v), len(texts)) for v in values] for values in universes.p.tolist()]
    metrics = list(dict.fromkeys(universes.metrics))
    record |= {"metrics": metrics, "p_texts": list(texts)}
    arrays |= {
        "values": smallest(values.ravel()),
        "below": smallest(below.ravel()),
        "skew": smallest(np.where(ends, high - values - below, 0).ravel()),
        "digits": smallest(np.array(digits, dtype=np.int64)),
        "order": smallest(universes.order.ravel()),
        "p": smallest(np.array(p, dtype=np.int64).ravel()),
        "against": smallest(universes.against),
        "metric": smallest(np.array([metrics.index(metric) for metric in universes.metrics], dtype=np.int64)),
        "higher": universes.higher.astype(np.int8),
    }
    return packed(record, arrays)


def _printed(values: np.ndarray, digits: Sequence[int]) -> np.ndarray:
    """Numbers as the whole ones that their printed digits make: 0.1234 is 1234; `ABSENT_VALUE` without one."""
    lines = zip(values.tolist(), digits, strict=True)
    whole = [[ABSENT_VALUE if math.isnan(v) else int(f"{v:.{d}f}".replace(".", "")) for v in line] for line, d in lines]
    return np.array(whole, dtype=np.int64).reshape(values.shape)


Drawn = tuple[float | None, float | None, float | None]
"""Value, lower and upper end of its interval; None where there is none."""


def reach(drawn: Sequence[Drawn]) -> tuple[float, float]:
    """The scale on which values and intervals are drawn: from the least to the greatest."""
    ends = [v for line in drawn for v in line if v is not None]
    return (min(ends), max(ends)) if ends else (0.0, 1.0)


def track(drawn: Drawn, scale: tuple[float, float]) -> Cell:
    """A value as a dot on a line, with its interval; the script draws the same."""
    value, low, high = drawn
    width = scale[1] - scale[0] or 1.0

    def share(v: float) -> float:
        return max(0.0, 100 * (v - scale[0]) / width)

    parts = []
    if low is not None and high is not None:
        ends = f"left:{share(low):.2f}%;right:{max(0.0, 100 - share(high)):.2f}%"
        parts.append(el("i", cls="whisker", style=ends))
    if value is not None:
        parts.append(el("i", cls="dot", style=f"left:{share(value):.2f}%"))
    return cell(el("span", *parts, cls="line", aria_hidden="true"), "track")


def scale_head(scale: tuple[float, float], digits: int) -> Cell:
    """The head of the drawn column: its two ends."""
    return cell(f"{number(scale[0], digits)} to {number(scale[1], digits)}", "track", "The scale of the drawing")


def section(explored: Switchboard, *, board: Markup, protocol: Markup, beside: Sequence[Markup] = ()) -> Markup:
    """The section: switches, verdict, curve, leaderboard, and what would flip the verdict."""
    several = len(explored.codes) > 1 and bool(explored.switches)
    noun = explored.noun
    note = (
        "A switch for each choice that was made in more than one way. Together they choose one of "
        f"{count(len(explored.codes))} {noun}s, and all below follows. The address of the page keeps the choice: copy it to "
        "show what you see."
    )
    parts = [el("h2", "Explore" if several else "Leaderboard")]
    if several:
        reset = el("button", "Back to the first choices", type="button", id="reset")
        parts += [
            el("p", note, cls="note scripted"),
            el("div", id="switches", cls="switches scripted"),
            el("p", reset, el("span", id="link-note", role="status"), cls="controls scripted"),
        ]
    parts.append(el("p", explored.sentences[explored.start], id="answer", cls="sentence", role="status", aria_live="polite"))
    parts += [el("dl", protocol, id="protocol", cls="protocol"), board, *beside]
    if several:
        parts += [_curve(explored), _flips(noun)]
    return el("section", *parts, id="explore")


def _curve(explored: Switchboard) -> Markup:
    """The place of the curve of margins, with what it shows in words."""
    if not explored.has_curve:
        return Markup()
    name, outcome = explored.systems[explored.reference], explored.verdict_of_reference
    drawn = np.isfinite(explored.margin)
    n = int(drawn.sum())
    shares = [(side, int((outcome[drawn] == side).sum())) for side in (1, 0, -1)]
    words = {1: f"{name} wins significantly", 0: "no significant winner", -1: "another system wins significantly"}
    keys = [
        el("span", el("i", cls=cls), f"{words[side]} {percent(k / n)}", cls="key")
        for (side, k), cls in zip(shares, ("first", "neither", "second"), strict=True)
    ]
    lacking = counted(len(drawn) - n, explored.noun) if n < len(drawn) else ""
    without = f" {lacking} without a value of {name} or of any other system are not drawn." if lacking else ""
    caption = (
        f"All {explored.noun}s from where {name} is furthest behind the best other system to where it is furthest ahead, "
        "as a share of the mean of both; the line marks the chosen one. Click on the curve to choose another. The largest "
        f"tenth may lie beyond the scale.{without}"
    )
    return el(
        "figure",
        el("h3", "Where it stands among all"),
        el("div", id="margins", cls="margins"),
        el("p", id="standing", cls="note"),
        el("p", *keys, cls="legend"),
        el("figcaption", caption),
        cls="scripted curve-of-margins",
        data_figure="margin-curve",
    )


def _flips(noun: str) -> Markup:
    return el(
        "div",
        el("h3", "What would flip this?"),
        el("p", id="flips-note"),
        el("ul", id="flips", cls="flips"),
        cls="scripted",
        id="flip-section",
    )


def universe_cells(universes: ExploredUniverses, way: int) -> list[list[Cell]]:
    """The leaderboard of a universe; the script makes the same cells."""
    drawn, digits = _drawn(universes, way)
    scale = reach(drawn)
    lines = []
    for rank, system in enumerate(universes.order[way].tolist(), start=1):
        against = system == int(universes.against[way])
        value, low, high = drawn[system]
        lines.append(
            [
                cell(str(rank), "num"),
                cell(breakable(universes.explored.systems[system]), "name"),
                track(drawn[system], scale),
                cell(number(value, digits), "num strong best" if rank == 1 and value is not None else "num strong"),
                cell(interval(low, high, digits), "num"),
                cell("" if against else p_number(universes.p[way, system]), "num"),
            ]
        )
    return lines


def universe_heads(universes: ExploredUniverses, way: int) -> list[Cell]:
    """The heads of that table."""
    drawn, digits = _drawn(universes, way)
    lower = "" if universes.higher[way] else " (lower is better)"
    against = int(universes.against[way])
    name = universes.explored.systems[against] if against >= 0 else "the leader"
    return [
        cell("#", "num"),
        cell("System", "name"),
        scale_head(reach(drawn), digits),
        cell(breakable(f"{universes.metrics[way]}{lower}"), "num"),
        cell("Interval", "num", "Confidence interval of the value"),
        cell("p adjusted", "num", f"Of the difference from {name}, adjusted for the pairs of the universe"),
    ]


def _drawn(universes: ExploredUniverses, way: int) -> tuple[list[Drawn], int]:
    """By system, value and interval as they are printed, and with how many digits."""
    digits = digits_for(universes.values[way].tolist())
    columns = zip(*(array[way].tolist() for array in (universes.values, universes.low, universes.high)), strict=True)
    printed = [[None if math.isnan(v) else float(f"{v:.{digits}f}") for v in ends] for ends in columns]
    return [(value, low, high) for value, low, high in printed], digits


def universe_section(universes: ExploredUniverses) -> Markup:
    """The explorer of a multiverse."""
    explored = universes.explored
    start = explored.start
    board = table(
        universe_heads(universes, start), rows(universe_cells(universes, start)), caption="Leaderboard", key="leaderboard"
    )
    note = (
        "Interval: the confidence interval of the value; none for medians and trimmed means. It is about one system alone. "
        "p adjusted: of the difference between the system and the leader, adjusted for the pairs of the universe."
    )
    beside = [el("p", note, cls="note"), *([el("p", universes.left_out, cls="note")] if universes.left_out else [])]
    return section(explored, board=board, protocol=choice_items(explored, start), beside=beside)


def choice_items(explored: Switchboard, way: int) -> Markup:
    """What a way chose, as terms and descriptions."""
    chosen = [
        (switch.words, switch.options[c])
        for switch, c in zip(explored.switches, explored.codes[way].tolist(), strict=True)
        if c >= 0
    ]
    return join(*(el("div", el("dt", words), el("dd", breakable(text))) for words, text in chosen))
