"""What is found about metrics, in words: which can be trusted on these data, at which depth, and what is not known."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from heldout.metric_quality.findings import KEEPS, MetricRow, SweepPoint
from heldout.tables.arrays import Float64
from heldout.targets.target import Target
from heldout.words import counted, listed, number, p_number, percent

FEW_SYSTEMS = 10
"""Systems below which a τ has so few pairs that it jumps."""
MOST_NAMED = 3
"""Metrics that may be as good as the best and are named next to it."""


def metric_sentence(rows: Sequence[MetricRow], pairs: int) -> str:
    """Which metric separates systems best, down to which share of the ratings it keeps their order, and which is worst."""
    with_p = [row for row in rows if not np.isnan(row.mean_p)]
    if not with_p:
        return "No metric separates any two of these systems: there is nothing to choose by."
    best = min(with_p, key=lambda row: row.mean_p)
    worst = max(with_p, key=lambda row: row.mean_p)
    text = (
        f"On these data {best.metric} separates systems best (DP {dp_number(best.dp)}, mean p {p_number(best.mean_p)} over "
    )
    text += f"{counted(pairs, 'pair')}{_as_good(best, with_p)})"
    if not np.isnan(best.missing_low):
        text += f" and keeps their order down to {_share(best.missing_low)} of the test ratings (τ ≥ {KEEPS})"
    elif not np.isnan(best.missing_tau):
        text += f" but does not keep their order when test ratings are missing (τ < {KEEPS} from the first share on)"
    text += (
        f"; {worst.metric} worst (DP {dp_number(worst.dp)}, mean p {p_number(worst.mean_p)})." if worst is not best else "."
    )
    first = rows[0]
    if first is not best:
        text += f" By the rule that orders the table {first.metric} comes first."
    return text


def _as_good(best: MetricRow, rows: Sequence[MetricRow]) -> str:
    """Metrics whose mean p differs from the best one's by less than its standard error; empty if there is none."""
    near = [row.metric for row in rows if row is not best and row.mean_p - best.mean_p < best.mean_p_error]
    if not near:
        return ""
    more = [f"{len(near) - MOST_NAMED} more"] if len(near) > MOST_NAMED else []
    return f", within one standard error of {listed([*near[:MOST_NAMED], *more])}"


def _share(share: float) -> str:
    """5% or 12.5%."""
    return percent(share, 0 if round(100 * share, 6).is_integer() else 1)


def dp_number(dp: float) -> str:
    """2.12, 0.029, < 0.001: a sum of p-values, which is never written as 0."""
    return number(dp, 2 if dp >= 0.1 else 3) if dp >= 0.001 else p_number(dp)


def metric_limits(systems: int, users: int, rows: Sequence[MetricRow], folds: int) -> list[str]:
    """What a reader must not read into the figures."""
    pairs = comb(systems, 2)
    sentences = []
    if systems < FEW_SYSTEMS:
        sentences.append(
            f"τ of {systems} systems has {counted(pairs, 'pair')}: one exchange of neighbours changes it by "
            f"{number(2 / pairs, 2)}."
        )
    if systems < 5:
        sentences.append("With fewer than 5 systems the jackknife gives no error of the mean p.")
    close = [row for row in rows if row.mean_p_error == row.mean_p_error]
    if len(close) > 1:
        first, second = sorted(close, key=lambda row: row.mean_p)[:2]
        if second.mean_p - first.mean_p < first.mean_p_error:
            sentences.append(
                f"{first.metric} and {second.metric} differ in mean p by less than its standard error over systems "
                f"({p_number(first.mean_p_error)}): other systems may order them otherwise."
            )
    if folds > 1:
        sentences.append(f"Users of {folds} folds count once in each fold, as if they were different users.")
    extrapolated = [row.metric for row in rows if row.swap_extrapolated]
    if extrapolated:
        sentences.append(
            f"The users needed for a swap rate of 5% are extrapolated for {counted(len(extrapolated), 'metric')}: they are "
            f"more than half of the users at hand ({users:,} in all)."
        )
    return sentences


def identical_systems(systems: Sequence[str], values: Float64) -> list[str]:
    """Which pairs of systems no metric tells apart for any user: `values` are metrics × systems × users."""
    pairs = [
        f"{systems[a]} and {systems[b]}"
        for a in range(len(systems))
        for b in range(a + 1, len(systems))
        if np.array_equal(values[:, a], values[:, b], equal_nan=True)
    ]
    if not pairs:
        return []
    each = "the pair has" if len(pairs) == 1 else "each of these pairs has"
    return [f"{listed(pairs)} have the same values for every user by every metric: {each} p = 1 in every DP."]


def emptied(points: Sequence[SweepPoint], of: str) -> list[str]:
    """At which shares of the test ratings, or items, no sample orders the systems: no user, or no difference, is left."""
    shares = sorted({point.share for point in points})
    metrics = sorted({point.metric for point in points})
    by_shares: dict[tuple[float, ...], list[str]] = {}
    for metric in metrics:
        empty = tuple(sorted(point.share for point in points if point.metric == metric and point.samples == 0))
        if empty:
            by_shares.setdefault(empty, []).append(metric)
    return [
        f"{_with_shares(empty, shares, of)} no sample orders the systems by "
        f"{'any metric' if names == metrics else listed(names)}: no user, or no difference, is left"
        f"{'' if list(empty) == shares else ', and the mean τ is that of the other shares'}."
        for empty, names in sorted(by_shares.items(), reverse=True)
    ]


def _with_shares(empty: Sequence[float], shares: list[float], of: str) -> str:
    """With 10% of the test ratings or less; single shares where a smaller one orders the systems again."""
    if list(empty) == shares and empty[-1] == 1:
        return f"Even with all {of}"
    if list(empty) == shares[: len(empty)]:
        return f"With {_share(empty[-1])} of the {of} or less"
    return f"With {listed([_share(share) for share in reversed(empty)])} of the {of}"


def blind_to_ratings(blind: Sequence[str]) -> list[str]:
    """Which metrics are not tried without some ratings, since they cannot but keep their order."""
    if not blind:
        return []
    verb = "looks" if len(blind) == 1 else "look"
    return [f"{listed(blind)} never {verb} at test ratings and cannot be tried without some: such a metric is last by τ."]


def fixed_candidates(target: Target) -> list[str]:
    """A note on targets under which the test ratings decide what competes."""
    form = target.form
    by_ratings = form.candidates == "test" or form.single or form.sample is not None or form.pool == "unrated"
    if form.own or not by_ratings:
        return []
    return ["Which items compete is decided by the whole test set, also where a sample leaves some of its ratings out."]
