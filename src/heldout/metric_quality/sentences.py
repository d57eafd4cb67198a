"""What is found about metrics, in words: which can be trusted on these data, at which depth, and what is not known."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from heldout.metric_quality.findings import KEEPS, MetricRow, SweepPoint
from heldout.tables.arrays import Float64
from heldout.targets.target import Target
from heldout.text.numbers import counted, number, p_number, percent
from heldout.text.phrases import listed

FEW_SYSTEMS = 10
"""Systems below which a τ has so few pairs that it jumps."""
MOST_NAMED = 3
"""Metrics that are named of those within one standard error of the lowest mean p."""
LEAST_ERROR = 0.0005
"""The least standard error that three decimals show."""


def metric_sentence(rows: Sequence[MetricRow], pairs: int) -> str:
    """The answer, and the numbers behind it."""
    return " ".join(filter(None, (metric_answer(rows), "".join(metric_numbers(rows, pairs)))))


def metric_answer(rows: Sequence[MetricRow]) -> str:
    """Which metric separates the systems, in at most 12 words; none is called best if the standard error covers the rest."""
    with_p = _by_mean_p(rows)
    if not with_p or not any(row.significant for row in with_p):
        return "No metric tells any two of these systems apart."
    lowest, near = with_p[0], within_error(rows)
    if len(with_p) == 1:
        return f"{lowest.metric} tells {percent(lowest.significant)} of the pairs of systems apart."
    if np.isnan(lowest.mean_p_error):
        return f"{lowest.metric} has the lowest mean p, of unknown error."
    if separating_metric(rows):
        return f"{lowest.metric} separates these systems best."
    if not near:
        return f"{lowest.metric} has the lowest mean p, but not clearly."
    others = near[0].metric if len(near) == 1 else f"{len(near)} more metrics"
    return f"{lowest.metric} and {others} separate these systems about equally well."


def metric_numbers(rows: Sequence[MetricRow], pairs: int) -> list[str]:
    """Power and robustness of the metric with the lowest mean p; every second text is a number that stands out."""
    with_p = _by_mean_p(rows)
    if not with_p:
        return []
    lowest, highest, near = with_p[0], with_p[-1], [row.metric for row in within_error(rows) or covered(rows)]
    parts = ["Over ", counted(pairs, "pair"), " of systems, ", lowest.metric]
    parts += [" has a mean p-value of " if len(with_p) == 1 else " has the lowest mean p-value, ", mean_p_words(lowest)]
    error = " (standard error over systems)" if lowest.mean_p_error >= LEAST_ERROR else ""
    parts += [f"{error}; discriminative power (DP), the sum of the p-values, is ", dp_number(lowest.dp)]
    end = "."
    if near:
        more = [f"{len(near) - MOST_NAMED} more"] if len(near) > MOST_NAMED else []
        end += f" Within one standard error: {listed([*near[:MOST_NAMED], *more])}; other systems may order them otherwise."
    if not np.isnan(lowest.missing_low):
        or_more = " or more" if lowest.missing_low < 1 else ""
        parts += [f"{end} {lowest.metric} keeps the order of systems (Kendall's τ ≥ {KEEPS}) with "]
        parts += [_share(lowest.missing_low)]
        end = f"{or_more} of the test ratings."
    elif not np.isnan(lowest.missing_tau):
        end += f" {lowest.metric} does not keep the order of systems when test ratings are missing "
        end += f"(Kendall's τ < {KEEPS} from the first share on)."
    if highest is not lowest:
        end += f" {highest.metric} has the highest mean p, {mean_p_words(highest)}."
    if rows[0] is not lowest:
        end += f" By the rule that orders the table, {rows[0].metric} comes first."
    return [*parts, end]


def within_error(rows: Sequence[MetricRow]) -> list[MetricRow]:
    """Metrics whose mean p differs from the lowest one by less than the standard error of the lowest, without that one."""
    with_p = _by_mean_p(rows)
    return [row for row in with_p[1:] if row.mean_p - with_p[0].mean_p < with_p[0].mean_p_error]


def covered(rows: Sequence[MetricRow]) -> list[MetricRow]:
    """Metrics whose mean p differs from the lowest one by less than one of both standard errors."""
    with_p = _by_mean_p(rows)
    errors = [max(row.mean_p_error, with_p[0].mean_p_error) for row in with_p]
    return [row for row, error in zip(with_p[1:], errors[1:], strict=True) if row.mean_p - with_p[0].mean_p < error]


def separating_metric(rows: Sequence[MetricRow]) -> str | None:
    """The metric that separates systems best; None if a standard error covers its distance from another one."""
    with_p = _by_mean_p(rows)
    known = len(with_p) > 1 and not any(np.isnan(row.mean_p_error) for row in with_p)
    return with_p[0].metric if known and not covered(rows) else None


def _by_mean_p(rows: Sequence[MetricRow]) -> list[MetricRow]:
    return sorted((row for row in rows if not np.isnan(row.mean_p)), key=lambda row: row.mean_p)


def mean_p_words(row: MetricRow) -> str:
    """0.020 ± 0.010, < 0.001: a standard error that would be written as 0 is omitted."""
    error = f" ± {number(row.mean_p_error, 3)}" if row.mean_p_error >= LEAST_ERROR else ""
    return f"{p_number(row.mean_p)}{error}"


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
    return [f"{listed(pairs)} have the same values for every user by every metric: {each} p = 1 by each."]


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
