"""All that a trial of metrics says, as plain data: from this the terminal, the page and the files are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

import numpy as np
import polars as pl

from heldout.metric_quality.discriminative_power import DiscriminativePower
from heldout.metric_quality.reliability import Reliability
from heldout.metric_quality.robustness import SweepPoint
from heldout.metric_quality.samples import Counting, Sampling
from heldout.metric_quality.swap_rate import SwapRate, UsersNeeded

KEEPS = 0.95
"""The τ from which two orders of systems count as the same."""
CRITERIA: Mapping[str, bool] = {
    "mean_p": False,
    "missing_tau": True,
    "popularity_tau": True,
    "swap_rate": False,
    "reliability": True,
    "stability_tau": True,
    "validity_tau": True,
}
"""What metrics can be ranked by, and whether more of it is better."""
DEFAULT_RULE = ("mean_p", "missing_tau")
"""Power and robustness to missing ratings, as in Valcarce et al. (2018)."""


@dataclass(frozen=True, kw_only=True)
class MetricRow:
    """One metric at one depth, with everything the trial says of it."""

    metric: str
    name: str
    """The metric without its depth."""
    depth: int | None
    rank: float
    """Its place by the rule that metrics are ranked by, 1 the best: the mean of its places by each criterion."""
    dp: float
    mean_p: float
    mean_p_error: float
    significant: float
    median_p: float
    half_mean_p: float
    half_error: float
    missing_tau: float
    """Mean τ with the whole test set's order over all shares of ratings kept."""
    missing_low: float
    """The least share of the ratings down to which τ stays at 0.95 or above; NaN where it does at none."""
    popularity_tau: float
    swap_rate: float
    """With half of the users."""
    swap_users: int | None
    swap_extrapolated: bool
    swap_at_most: bool
    """Whether fewer users than `swap_users` would do: they are the fewest that were tried."""
    reliability: float
    """Eρ² at the users at hand."""
    absolute_reliability: float
    reliable_users: int | None
    stability_tau: float = float("nan")
    """Mean τ between the orders of systems under other seeds of the split."""
    tie_tau: float = float("nan")
    """Mean τ between the orders of systems under other orders of tied items."""
    validity_tau: float = float("nan")
    """τ with the order of systems by complete relevance, where the data are simulated."""


@dataclass(frozen=True, kw_only=True)
class AgreementMatrix:
    """How alike several metrics, or depths of one metric, rank the systems."""

    title: str
    """At which depth, or of which metric."""
    labels: tuple[str, ...]
    tau: tuple[tuple[float, ...], ...]
    tau_ap: tuple[tuple[float, ...], ...]
    overlap: tuple[tuple[float, ...], ...]
    tree: tuple[tuple[float, float, float, float], ...]
    """Merges of the average-linkage tree on 1 − τ, as scipy writes them; empty for depths of one metric."""
    order: tuple[int, ...]
    """The labels as the leaves of the tree stand."""


@dataclass(frozen=True, kw_only=True)
class MetricQuality:
    """The trial of metrics under one protocol."""

    protocol: dict[str, str]
    fold_digests: tuple[str, ...]
    """Of the ratings of each fold: by them a review knows that a trial was of the same data."""
    systems: tuple[str, ...]
    users: int
    folds: int
    pairs: int
    rows: tuple[MetricRow, ...]
    rule: tuple[str, ...]
    level: float
    """The p-value below which a pair of systems counts as told apart."""
    flips: int
    """Sign flips of the permutation test."""
    sampling: Sampling
    """What samples of the test ratings are a share of."""
    counting: Counting
    """The ratings that the popularity of items is counted over."""
    between_metrics: tuple[AgreementMatrix, ...]
    between_depths: tuple[AgreementMatrix, ...]
    missing: tuple[SweepPoint, ...]
    popularity: tuple[SweepPoint, ...]
    power: tuple[DiscriminativePower, ...]
    swaps: tuple[SwapRate, ...]
    reliability: tuple[Reliability, ...]
    sentence: str
    limits: tuple[str, ...]
    """What cannot be known from these data."""
    left_out: tuple[str, ...]

    @property
    def table(self) -> pl.DataFrame:
        """One row per metric and depth, the best first."""
        counts = dict.fromkeys(("depth", "swap_users", "reliable_users"), pl.Int64)
        return pl.DataFrame([asdict(row) for row in self.rows], infer_schema_length=None, schema_overrides=counts)

    @property
    def sweeps(self) -> pl.DataFrame:
        """One row per metric and share of the test set, for missing ratings and for popular items left out."""
        rows = [{"sweep": kind, **asdict(point)} for kind, points in self._sweeps() for point in points]
        return pl.DataFrame(rows, infer_schema_length=None)

    def _sweeps(self) -> Iterator[tuple[str, tuple[SweepPoint, ...]]]:
        yield "missing ratings", self.missing
        yield "popularity", self.popularity


def metric_rows(
    metrics: Sequence[tuple[str, str, int | None]],
    *,
    power: Sequence[DiscriminativePower],
    missing: Sequence[SweepPoint],
    popularity: Sequence[SweepPoint],
    swaps: Sequence[SwapRate],
    needed: Mapping[str, UsersNeeded],
    reliability: Sequence[Reliability],
    rule: Sequence[str] = DEFAULT_RULE,
    others: Mapping[str, Mapping[str, float]] | None = None,
) -> tuple[MetricRow, ...]:
    """A row for each metric (text form, name, depth), the best by `rule` first; `others` adds columns by metric."""
    powers = {row.metric: row for row in power}
    reliable = {row.metric: row for row in reliability}
    swap = {metric: list(rows)[-1] for metric, rows in groupby(swaps, key=lambda row: row.metric)}
    taus, least = _by_metric(missing), _least_shares(missing)
    popular = _by_metric(popularity)
    rows = []
    for metric, name, depth in metrics:
        p, r = powers[metric], reliable[metric]
        rows.append(
            MetricRow(
                metric=metric,
                name=name,
                depth=depth,
                rank=float("nan"),
                dp=p.total,
                mean_p=p.mean,
                mean_p_error=p.mean_error,
                significant=p.significant,
                median_p=p.median,
                half_mean_p=p.half_mean,
                half_error=p.half_error,
                missing_tau=taus.get(metric, float("nan")),
                missing_low=least.get(metric, float("nan")),
                popularity_tau=popular.get(metric, float("nan")),
                swap_rate=swap[metric].rate if metric in swap else float("nan"),
                swap_users=needed[metric].users if metric in needed else None,
                swap_extrapolated=metric in needed and needed[metric].extrapolated,
                swap_at_most=metric in needed and needed[metric].at_most,
                reliability=r.relative,
                absolute_reliability=r.absolute,
                reliable_users=r.users_needed,
                **(others or {}).get(metric, {}),
            )
        )
    return ranked(rows, rule)


def ranked(rows: Sequence[MetricRow], rule: Sequence[str]) -> tuple[MetricRow, ...]:
    """The rows with their rank by a rule, the best first: the mean of the places by each criterion, ties sharing theirs.

    A metric without a figure for a criterion is last by it.
    """
    from dataclasses import replace

    from scipy.stats import rankdata

    places = np.zeros(len(rows))
    for criterion in rule:
        figures = np.array([getattr(row, criterion) for row in rows], dtype=np.float64)
        worst_first = np.where(np.isnan(figures), np.inf, -figures if CRITERIA[criterion] else figures)
        places += rankdata(worst_first) / len(rule)
    order = np.argsort(places, kind="stable")
    return tuple(replace(rows[k], rank=float(places[k])) for k in order)


def unbeaten(rows: Sequence[MetricRow], criteria: Sequence[str]) -> tuple[str, ...]:
    """The metrics that no other is at least as good as by all criteria and better than by one: the Pareto front.

    A metric without a figure for one of the criteria is not among them.
    """
    figures = {row.metric: [getattr(row, c) * (1 if CRITERIA[c] else -1) for c in criteria] for row in rows}
    complete = {metric: np.array(values) for metric, values in figures.items() if not np.isnan(values).any()}
    return tuple(
        metric
        for metric, values in complete.items()
        if not any((other >= values).all() and (other > values).any() for other in complete.values())
    )


def _by_metric(points: Sequence[SweepPoint]) -> dict[str, float]:
    """The mean τ over all shares but the whole test set, which agrees with itself."""
    taus: dict[str, list[float]] = {}
    for point in points:
        if point.share < 1:
            taus.setdefault(point.metric, []).append(point.tau)
    return {metric: float(np.nanmean(values)) if not np.isnan(values).all() else np.nan for metric, values in taus.items()}


def _least_shares(points: Sequence[SweepPoint]) -> dict[str, float]:
    """By metric, the least share down to which the order of systems is kept at every share on the way."""
    least: dict[str, float] = {}
    lost: set[str] = set()
    for point in sorted(points, key=lambda p: -p.share):
        if not point.tau >= KEEPS:
            lost.add(point.metric)
        elif point.metric not in lost and point.share < 1:
            least[point.metric] = point.share
    return least
