"""The universes as a reader switches between them: what each chose, how it ranks the systems, and whom it calls the winner.

A grid of more universes than a page holds is thinned to one of fewer options (`kept_universes`), in which all remaining
combinations are whole, so that every switch still changes one decision only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.analysis.explored import Switch, Switchboard, relative_margin
from heldout.analysis.rows import VerdictRow
from heldout.analysis.sentences import brief
from heldout.analysis.statistics import ENOUGH
from heldout.tables.arrays import Bool, Float64, Int32, Int64
from heldout.text.names import short_names
from heldout.text.numbers import counted, digits_for
from heldout.text.phrases import listed
from heldout.universes.sentences import FEW_SERVED, universe_sentence
from heldout.universes.universes import Universes

MOST_UNIVERSES, MOST_VALUES = 12_000, 120_000
"""Universes, and values of systems in them, that a page holds at the most."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ExploredUniverses:
    """Universes as a reader switches between them; rows of all arrays are the ways of `explored`."""

    explored: Switchboard
    values: Float64
    """Ways × systems; NaN without a value."""
    low: Float64
    """Ways × systems: lower end of the interval of the value; NaN where the aggregation has none."""
    high: Float64
    order: Int32
    """Ways × systems: the places of the systems, best first, those without a value last."""
    p: Float64
    """Ways × systems: adjusted p of the pair of the system with the leader, or with the baseline; NaN without one."""
    against: Int32
    """By way, the system that `p` compares with."""
    metrics: tuple[str, ...]
    """By way, the metric with gain and cut-off."""
    higher: Bool
    left_out: str
    """Which options are not shown for the size of the page; empty where all are."""


def explored_universes(universes: Universes, *, level: float) -> ExploredUniverses:
    """All universes, or those that a page has room for."""
    rows, left_out = kept_universes(universes)
    kept = universes.only(rows)
    number_of = np.flatnonzero(rows).astype(np.int32)
    order, valued = _ordered(kept)
    baseline = _baseline(kept)
    place = {(a, b): (k, 1) for k, (a, b) in enumerate(kept.pairs.tolist())}
    place |= {(b, a): (k, -1) for (a, b), (k, _) in place.items()}
    calls = [_called(kept, u, order[u], int(valued[u]), baseline, place, level) for u in range(len(kept))]
    place_of = {system: k for k, system in enumerate(kept.systems)}
    start = next((u for u in range(len(kept)) if valued[u] > 1), 0)
    first = int(order[start, 0]) if len(kept) and valued[start] > 1 else -1
    against = np.where(valued > 0, order[:, 0], -1) if baseline < 0 else np.full(len(kept), baseline)
    names = {decision.name: k for k, decision in enumerate(kept.decisions)}
    switches = tuple(
        Switch(decision.name, decision.words, decision.letter, decision.spelled)
        for decision in (kept.decisions[k] for k in universes.varying)
    )
    short = short_names(kept.systems)
    return ExploredUniverses(
        explored=Switchboard(
            noun="universe",
            systems=kept.systems,
            switches=switches,
            codes=kept.codes[:, list(universes.varying)].astype(np.int32),
            number=number_of,
            tests=tuple(kept.level(u, names["test"]) for u in range(len(kept))),
            start=start,
            reference=first,
            leader=np.array([-1 if row is None or row.tie else place_of[row.leader] for row, _ in calls], dtype=np.int32),
            significant=np.array([row is not None and row.significant for row, _ in calls], dtype=np.int8),
            margin=_margins(kept, order, valued, first),
            sentences=tuple(sentence for _, sentence in calls),
            briefs=tuple(
                "nothing to compare" if row is None else brief(row, digits_for(kept.values[u].tolist()), short)
                for u, (row, _) in enumerate(calls)
            ),
        ),
        values=kept.values,
        low=kept.low,
        high=kept.high,
        order=order,
        p=_p_values(kept, against),
        against=against.astype(np.int32),
        metrics=tuple(_metric(kept, u, names) for u in range(len(kept))),
        higher=kept.higher,
        left_out=left_out,
    )


def kept_universes(universes: Universes) -> tuple[Bool, str]:
    """Which universes a page holds, and which options that leaves out.

    Seeds go first, all but the first; then every second option of the decision with most of them, the ends kept, until the
    rest is few enough.
    """
    most = min(MOST_UNIVERSES, max(1, MOST_VALUES // max(1, len(universes.systems))))
    rows = np.ones(len(universes), dtype=np.bool_)
    options = {k: np.unique(universes.codes[:, k][universes.codes[:, k] >= 0]).tolist() for k in universes.varying}
    seed = universes.decision("seed")
    while rows.sum() > most:
        widest = seed if len(options.get(seed, ())) > 1 else max(options, key=lambda k: len(options[k]))
        levels = options[widest]
        options[widest] = levels[:1] if widest == seed or len(levels) < 3 else _thinned(levels)
        rows &= np.isin(universes.codes[:, widest], [-1, *options[widest]])
    gone = []
    for k, levels in options.items():
        decision, every = universes.decisions[k], np.unique(universes.codes[:, k][universes.codes[:, k] >= 0]).tolist()
        if len(levels) < len(every):
            names = [decision.label(level) for level in levels]
            gone.append(f"{decision.words} {listed(names)} of {len(every)} options")
    if not gone:
        return rows, ""
    sizes = f"{counted(int(rows.sum()), 'universe')} of {len(universes):,}"
    return rows, f"For the size of the page, {sizes} can be shown here: those of {listed(gone)}."


def _thinned(levels: list[int]) -> list[int]:
    """Every second option, and the last."""
    return sorted({*levels[::2], levels[-1]} if len(levels) % 2 else {*levels[: len(levels) - 1 : 2]})


def _ordered(universes: Universes) -> tuple[Int32, Int64]:
    """Systems best first, those without a value last, and how many have one; equal ones in the order of the study."""
    better = np.where(universes.higher[:, None], -universes.values, universes.values)
    order = np.argsort(np.where(np.isnan(better), np.inf, better), axis=1, kind="stable").astype(np.int32)
    return order, np.isfinite(universes.values).sum(axis=1)


def _baseline(universes: Universes) -> int:
    """The system that all pairs have where only pairs with it were compared; −1 where all pairs were."""
    compared = np.unique(universes.pairs)
    if len(universes.pairs) >= len(compared) * (len(compared) - 1) // 2:
        return -1
    return next((int(k) for k in compared if (universes.pairs == k).any(axis=1).all()), -1)


def _called(
    universes: Universes,
    u: int,
    order: Int32,
    valued: int,
    baseline: int,
    place: dict[tuple[int, int], tuple[int, int]],
    level: float,
) -> tuple[VerdictRow | None, str]:
    """Whom a universe calls the winner, as the verdict of a setting, and the sentence that says so.

    `place` leads from two systems to the place of their pair and its sign: −1 where the pair is the other way round.
    """
    if valued < 2:
        return None, "Fewer than two systems have a value in this universe."
    leader = int(order[0])
    rival = baseline if baseline not in (-1, leader) and np.isfinite(universes.values[u, baseline]) else int(order[1])
    k, side = place.get((leader, rival), (-1, 0))
    p = float(universes.p_adjusted[u, k]) if k >= 0 else float("nan")
    won = side * int(universes.winner[u, k]) if k >= 0 else 0
    few = k >= 0 and float(universes.served[u, k]) < ENOUGH
    value, other = (float(universes.values[u, system]) for system in (leader, rival))
    row = VerdictRow(
        setting=u,
        leader=universes.systems[leader],
        value=value,
        rival=universes.systems[rival],
        difference=value - other,
        p_adjusted=None if np.isnan(p) else p,
        significant=won > 0,
        agrees=True,
        refused=f"{FEW_SERVED} systems" if few else "",
        remark=FEW_SERVED if few else "",
    )
    return row, universe_sentence(universes, row, won, level, float(universes.served[u, k]) if k >= 0 else 1.0)


def _margins(universes: Universes, order: Int32, valued: Int64, reference: int) -> Float64:
    """The reference against the best other system of each universe."""
    if reference < 0:
        return np.full(len(universes), np.nan)
    best = np.where(order[:, 0] == reference, order[:, 1], order[:, 0])
    at = np.arange(len(universes))
    margin = relative_margin(universes.values[at, reference], universes.values[at, best], universes.higher)
    return np.where(valued > 1, margin, np.nan)


def _p_values(universes: Universes, against: Int64) -> Float64:
    """Ways × systems: adjusted p of each system's pair with the one it is held against."""
    p = np.full(universes.values.shape, np.nan)
    at = np.arange(len(universes))
    for k, (a, b) in enumerate(universes.pairs.tolist()):
        for system, other in ((a, b), (b, a)):
            held = at[against == other]
            p[held, system] = universes.p_adjusted[held, k]
    return p


def _metric(universes: Universes, u: int, names: dict[str, int]) -> str:
    """nDCG(gain=exp2)@10."""
    gain, cutoff = (int(universes.codes[u, names[name]]) for name in ("gain", "cutoff"))
    text = universes.level(u, names["metric"])
    several = len(universes.decisions[names["gain"]].levels) > 1
    graded = f"(gain={universes.level(u, names['gain'])})" if gain >= 0 and several else ""
    return f"{text}{graded}" + (f"@{universes.level(u, names['cutoff'])}" if cutoff >= 0 else "")
