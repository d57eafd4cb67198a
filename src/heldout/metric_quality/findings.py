"""What is found about metrics under one protocol, as plain frozen records: terminal, page and files are drawn from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
import polars as pl

from heldout.data.profile import ProfiledFindings

Sampling = Literal["all", "user"]
"""What a random sample is a share of: all test ratings together, or the test ratings of each user."""
Counting = Literal["all", "train"]
"""The ratings that popularity is counted over: training and test together, or training only."""
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
class DiscriminativePower:
    """How well one metric separates the systems."""

    metric: str
    pairs: int
    users: int
    total: float
    """DP, the sum of the p-values of all pairs: lower is better."""
    mean: float
    """DP ÷ pairs, which can be compared between sets of systems."""
    mean_error: float
    """Standard error of the mean over systems, by the jackknife; NaN with fewer than five systems."""
    significant: float
    """The share of pairs with p below the level (Sakai)."""
    median: float
    """The median p-value (Lu)."""
    half_mean: float
    """The mean p-value on half of the users."""
    half_error: float
    """How far disjoint halves of the users differ in it: the standard deviation."""
    curve: tuple[float, ...]
    """The p-values in ascending order."""


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """One metric at one share of the test set."""

    metric: str
    share: float
    samples: int
    """Samples in which the metric orders the systems: in which it has a value and does not tie them all."""
    tau: float
    """The mean τ with the order on the whole test set; NaN if no sample has one."""
    low: float
    """The 2.5 % quantile of τ over samples."""
    high: float
    """The 97.5 % quantile."""
    users: float
    """Tested users, on average over samples."""


@dataclass(frozen=True, kw_only=True)
class SwapRate:
    """The swaps of one metric with sets of m users."""

    metric: str
    users: int
    rate: float
    """The share of comparisons whose sign turns round; a tie on the other set is half a swap."""
    comparisons: int
    bins: tuple[tuple[float, float, int], ...]
    """By ascending size of the difference: the least difference of the bin, its swap rate, its comparisons."""


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """Variance components of one metric, and what they say of n users."""

    metric: str
    users: int
    of_systems: float
    """The share of σ²_s in the sum of the components."""
    of_users: float
    of_rest: float
    relative: float
    """Eρ² at the users at hand."""
    absolute: float
    """Φ at the users at hand."""
    users_needed: int | None
    """Users at which Eρ² reaches 0.95; None if the systems do not differ."""

    @classmethod
    def at(cls, users: int, of_systems: float, of_users: float, of_rest: float) -> tuple[float, float]:
        """Eρ² and Φ with so many users."""
        relative, absolute = of_systems + of_rest / users, of_systems + (of_users + of_rest) / users
        return (of_systems / relative if relative > 0 else np.nan, of_systems / absolute if absolute > 0 else np.nan)

    def with_users(self, users: int) -> tuple[float, float]:
        """Eρ² and Φ of this metric with so many users."""
        return Reliability.at(users, self.of_systems, self.of_users, self.of_rest)


@dataclass(frozen=True, kw_only=True)
class MetricRow:
    """One metric at one depth, with all its figures."""

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
    """The least share of the ratings down to which τ stays at 0.95 or above; NaN if it does at none."""
    popularity_tau: float
    swap_rate: float
    """With half of the users."""
    swap_users: int | None
    swap_extrapolated: bool
    swap_at_most: bool
    """True if fewer users than `swap_users` would do: they are the fewest that were tried."""
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
    """The labels in the order of the leaves of the tree."""

    def groups(self, tau: float = KEEPS) -> list[tuple[str, ...]]:
        """Groups of two or more labels whose branches of the tree meet at a mean τ of at least this, in its order."""
        members: dict[int, tuple[int, ...]] = {k: (k,) for k in range(len(self.labels))}
        for step, (first, second, height, _) in enumerate(self.tree):
            if height <= 1 - tau + 1e-12:
                members[len(self.labels) + step] = members.pop(int(first)) + members.pop(int(second))
        place = {leaf: at for at, leaf in enumerate(self.order)}
        groups = sorted(sorted(place[leaf] for leaf in group) for group in members.values() if len(group) > 1)
        return [tuple(self.labels[self.order[at]] for at in group) for group in groups]

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        """The places of any two labels."""
        return combinations(range(len(self.labels)), 2)

    @property
    def least_alike(self) -> tuple[str, str, float] | None:
        """The two labels with the lowest τ, and their τ; None if no two have one."""
        taus = [(self.tau[a][b], self.labels[a], self.labels[b]) for a, b in self.pairs if not np.isnan(self.tau[a][b])]
        if not taus:
            return None
        tau, first, second = min(taus, key=lambda pair: pair[0])
        return first, second, tau

    def rows(self, between: str) -> Iterator[dict[str, Any]]:
        """A row for any two labels, which are `between` metrics or depths."""
        for a, b in self.pairs:
            pair = {"between": between, "of": self.title, "first": self.labels[a], "second": self.labels[b]}
            yield {**pair, "tau": self.tau[a][b], "tau_ap": self.tau_ap[a][b], "rbo": self.overlap[a][b]}


@dataclass(frozen=True, kw_only=True)
class MetricFindings:
    """What is found about metrics under one protocol."""

    protocol: dict[str, str]
    fold_digests: tuple[str, ...]
    """Of the ratings of each fold: by them a review recognises the same data."""
    systems: tuple[str, ...]
    users: int
    folds: int
    pairs: int
    rows: tuple[MetricRow, ...]
    rule: tuple[str, ...]
    level: float
    """The p-value below which a pair of systems counts as different."""
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
    def names(self) -> list[str]:
        """The metrics without their depths, in the order of the study."""
        name_by_metric = {row.metric: row.name for row in self.rows}
        return list(dict.fromkeys(name_by_metric[power.metric] for power in self.power))

    @property
    def depths(self) -> list[int | None]:
        """The depths in ascending order; None, for whole lists, is last."""
        return sorted({row.depth for row in self.rows}, key=lambda depth: (depth is None, depth or 0))

    @property
    def main_depth(self) -> int | None:
        """The depth that most metrics have, the deepest of several: metrics are compared at it."""
        return max(self.depths, key=lambda depth: (len(self.at_depth(depth)), depth or 0))

    def at_depth(self, depth: int | None) -> list[MetricRow]:
        """The metrics at one depth, in the order of the study."""
        rows = {row.name: row for row in self.rows if row.depth == depth}
        return [rows[name] for name in self.names if name in rows]

    def of_name(self, name: str) -> list[MetricRow]:
        """One metric at all its depths, ascending."""
        rows = {row.depth: row for row in self.rows if row.name == name}
        return [rows[depth] for depth in self.depths if depth in rows]

    @property
    def first_depths(self) -> list[MetricRow]:
        """Each metric at the depth that ranks first, in the order of the ranks."""
        rows: dict[str, MetricRow] = {}
        for row in self.rows:
            rows.setdefault(row.name, row)
        return list(rows.values())

    def between_metrics_at(self, depth: int | None) -> AgreementMatrix | None:
        """The agreement of metrics at one depth; None if it has fewer than two metrics."""
        title = "whole lists" if depth is None else f"@{depth}"
        return next((matrix for matrix in self.between_metrics if matrix.title == title), None)

    @property
    def table(self) -> pl.DataFrame:
        """One row per metric and depth, in the order of the ranks."""
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

    @property
    def agreement_table(self) -> pl.DataFrame:
        """One row per pair of metrics at one depth, and per pair of depths of one metric."""
        rows = [row for matrix in self.between_metrics for row in matrix.rows("metrics")]
        rows += [row for matrix in self.between_depths for row in matrix.rows("depths")]
        schema = {"between": pl.String, "of": pl.String, "first": pl.String, "second": pl.String}
        return pl.DataFrame(rows, schema=schema | dict.fromkeys(("tau", "tau_ap", "rbo"), pl.Float64))

    @property
    def power_table(self) -> pl.DataFrame:
        """One row per metric: its discriminative power, with the sorted p-values as a list."""
        return pl.DataFrame([asdict(power) for power in self.power], infer_schema_length=None)

    @property
    def swap_table(self) -> pl.DataFrame:
        """One row per metric, number of users and bin by the size of the difference; `bin` is null for all sizes."""
        rows: list[dict[str, Any]] = []
        for swap in self.swaps:
            whole = {"metric": swap.metric, "users": swap.users, "bin": None, "least": 0.0}
            rows.append({**whole, "rate": swap.rate, "comparisons": swap.comparisons})
            for number, (least, rate, comparisons) in enumerate(swap.bins):
                rows.append({**whole, "bin": number, "least": least, "rate": rate, "comparisons": comparisons})
        schema = {"metric": pl.String, "users": pl.Int64, "bin": pl.Int64}
        return pl.DataFrame(rows, schema=schema | {"least": pl.Float64, "rate": pl.Float64, "comparisons": pl.Int64})

    @property
    def reliability_table(self) -> pl.DataFrame:
        """One row per metric: variance components, Eρ² and Φ."""
        return pl.DataFrame([asdict(row) for row in self.reliability], infer_schema_length=None)


@dataclass(frozen=True, kw_only=True)
class MetaFindings(ProfiledFindings):
    """Which metrics can be trusted: one trial of metrics for each protocol, and tables over all of them."""

    trials: tuple[MetricFindings, ...]

    @property
    def sentences(self) -> list[str]:
        """Which metric can be trusted under each protocol."""
        if len(self.trials) == 1:
            return [self.trials[0].sentence]
        return [f"{label}: {trial.sentence}" for label, trial in zip(self.labels, self.trials, strict=True)]

    @property
    def labels(self) -> list[str]:
        """The choices in which each protocol differs from the others."""
        return [", ".join(trial.protocol[name] for name in self._differing) for trial in self.trials]

    @property
    def table(self) -> pl.DataFrame:
        """One row per metric and depth with all figures, the best first."""
        return self._joined(lambda trial: trial.table)

    @property
    def sweeps(self) -> pl.DataFrame:
        """τ with the whole test set's order, per metric and share of the test ratings or items that is kept."""
        return self._joined(lambda trial: trial.sweeps)

    @property
    def agreement(self) -> pl.DataFrame:
        """τ-b, τ_AP and RBO between the orders of systems by any two metrics, and at any two depths."""
        return self._joined(lambda trial: trial.agreement_table)

    @property
    def power(self) -> pl.DataFrame:
        """Discriminative power of each metric, with its sorted p-values."""
        return self._joined(lambda trial: trial.power_table)

    @property
    def swaps(self) -> pl.DataFrame:
        """Swap rates by number of users and by the size of the difference."""
        return self._joined(lambda trial: trial.swap_table)

    @property
    def reliability(self) -> pl.DataFrame:
        """Variance components, Eρ² and Φ of each metric."""
        return self._joined(lambda trial: trial.reliability_table)

    @property
    def _differing(self) -> list[str]:
        return [name for name in self.trials[0].protocol if len({trial.protocol[name] for trial in self.trials}) > 1]

    def _joined(self, table: Callable[[MetricFindings], pl.DataFrame]) -> pl.DataFrame:
        """The tables of all protocols, one after the other, with the choices in which they differ as first columns."""
        frames = [
            table(trial).select(*(pl.lit(trial.protocol[name]).alias(name) for name in self._differing), pl.all())
            for trial in self.trials
        ]
        return pl.concat(frames, how="vertical_relaxed")


def ranked(rows: Sequence[MetricRow], rule: Sequence[str]) -> tuple[MetricRow, ...]:
    """The rows with their rank by a rule, the best first: the mean of the places by each criterion, ties sharing theirs.

    A metric without a figure for a criterion is last by it.
    """
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
