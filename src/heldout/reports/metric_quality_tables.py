"""Tables of the quality of metrics, those of one protocol."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from heldout.metric_quality.findings import KEEPS, MetricFindings, MetricRow, unbeaten
from heldout.metric_quality.sentences import LEAST_ERROR, separating_metric
from heldout.reports.columns import Column, Kind
from heldout.reports.document import Builders, Table
from heldout.words import counted, listed

FRONT = ("mean_p", "missing_tau")
"""Power and robustness: the axes of the first chart."""
BRIEF = ("rank", "dp", "mean_p", "mean_p_error", "missing_tau", "missing_low", "popularity_tau", "swap_rate", "reliability")
"""Columns of the table with one row for each metric."""
FEW_ROWS = 12
"""Rows of a long table that a page shows at first."""
CRITERIA_WORDS = {
    "mean_p": "mean p",
    "missing_tau": "τ with ratings missing",
    "popularity_tau": "τ without popular items",
    "swap_rate": "swap rate",
    "reliability": "Eρ²",
    "stability_tau": "τ between seeds",
    "validity_tau": "τ with the truth",
}
SAMPLED = {"all": "the test ratings", "user": "each user's test ratings"}
COUNTED = {"all": "training and test together", "train": "the training ratings"}
TIES = {
    "all": "",
    "train": " Of equally popular items the one with the higher number counts as the less popular, and items without "
    "training ratings stay.",
}
SWEEPS = {
    "missing": "Agreement with test ratings missing",
    "popularity": "Agreement without the most popular items",
}


@dataclass(frozen=True, kw_only=True)
class TrialTables:
    """The tables of one protocol."""

    trial: MetricFindings
    label: str
    """What differs from the other protocols; empty if there is only one."""
    first: bool

    @property
    def suffix(self) -> str:
        """What names of tables, figures and sections end in, if they are not of the first protocol."""
        return "" if self.first else "-" + re.sub(r"[^a-z0-9]+", "-", self.label.lower()).strip("-")

    def title(self, text: str) -> str:
        return f"{text} · {self.label}" if self.label else text

    @property
    def sizes(self) -> str:
        """21 systems (210 pairs), 6,034 users, 99 metrics."""
        trial = self.trial
        folds = f", {counted(trial.folds, 'fold')}" if trial.folds > 1 else ""
        systems = f"{counted(len(trial.systems), 'system')} ({counted(trial.pairs, 'pair')})"
        return f"{systems}, {counted(trial.users, 'user')}{folds}, {counted(len(trial.rows), 'metric')}"

    @property
    def of_sizes(self) -> str:
        return f"{self.label}: {self.sizes}" if self.label else self.sizes

    @property
    def depth(self) -> str:
        """At 10, or on whole lists: the depth at which metrics are compared."""
        return at_depth(self.trial.main_depth)

    def tables(self) -> Builders:
        """The tables by name."""
        builders: dict[str, Callable[[], Table | None]] = {
            "metrics": self.metrics,
            "best-depths": self.first_depths,
            "missing": partial(self.sweep, "missing"),
            "popularity": partial(self.sweep, "popularity"),
            "agreement": partial(self.agreement, "agreement"),
            "depths": partial(self.agreement, "depths"),
            "swaps": self.swaps,
            "swap-sizes": self.swap_sizes,
            "variance": self.variance,
        }
        return {name + self.suffix: builder for name, builder in builders.items()}

    def metrics(self) -> Table:
        """All figures of each metric at each depth."""
        title, rows = self.title("All metrics"), self.trial.rows
        caption = f"{self._caption(rows)} {MORE_FIGURES}"
        return self._quality("metrics", title, rows, [key for key, _ in quality_columns(self.trial, ())], caption)

    def first_depths(self) -> Table:
        """The main figures of each metric at the depth that ranks first."""
        title, rows = self.title("Each metric at its first-ranked depth"), self.trial.first_depths
        return self._quality("best-depths", title, rows, BRIEF, self._caption(rows))

    def _quality(self, name: str, title: str, rows: Sequence[MetricRow], keys: Sequence[str], caption: str) -> Table:
        entries = [(key, column) for key, column in quality_columns(self.trial, rows) if key in keys]
        front = unbeaten(self.trial.rows, FRONT)
        separate = separating_metric(self.trial.rows)
        return Table(
            name=name + self.suffix,
            title=title,
            caption=caption,
            columns=(Column(name="Metric", kind="text"), *(column for _, column in entries)),
            rows=tuple((row.metric, *(_raw(row, key) for key, _ in entries)) for row in rows),
            strong=frozenset((k, "Mean p") for k, row in enumerate(rows) if row.metric == separate),
            marked=frozenset(k for k, row in enumerate(rows) if row.metric in front),
            subject="metrics",
            most=FEW_ROWS,
        )

    def _caption(self, rows: Sequence[MetricRow]) -> str:
        """What the main figures mean, and which metrics no other one beats."""
        trial = self.trial
        front = [row.metric for row in rows if row.metric in unbeaten(trial.rows, FRONT)]
        beaten = f" No other metric has both a lower mean p and a higher τ missing than {listed(front)}." if front else ""
        return f"{self.of_sizes}, ranked by {rule_words(trial.rule)}.{beaten} {main_figures(trial)}"

    def sweep(self, sweep: str) -> Table | None:
        """Agreement with the order on the whole test set, by metric and share of the test set."""
        trial = self.trial
        points = trial.missing if sweep == "missing" else trial.popularity
        metrics = [row.metric for row in trial.at_depth(trial.main_depth)]
        rows = [
            (point.metric, point.share, point.tau, (point.low, point.high), point.users, point.samples)
            for metric in metrics
            for point in sorted(points, key=lambda point: -point.share)
            if point.metric == metric
        ]
        if not rows:
            return None
        return Table(
            name=sweep + self.suffix,
            title=self.title(SWEEPS[sweep]),
            caption=f"Kendall’s τ-b between the order of {counted(len(trial.systems), 'system')} on a part of the test "
            "ratings and that on all: mean over samples, and the range that holds 95% of them.",
            columns=(
                Column(name="Metric", kind="text"),
                Column(name="Kept", kind="share", head="Ratings kept" if sweep == "missing" else "Items kept", fold=False),
                Column(name="τ", kind="value", digits=3),
                Column(name="τ 95%", kind="interval", head="95% of samples", digits=3),
                Column(name="Users", kind="count", means="Tested users, on average over samples"),
                Column(name="Samples", kind="count", means="Samples in which the metric orders the systems"),
            ),
            rows=tuple(rows),
            subject="rows",
            most=FEW_ROWS,
        )

    def agreement(self, between: str) -> Table | None:
        """Pairs of metrics at the main depth, or of depths of a metric, those that agree least first."""
        trial = self.trial
        matrix = trial.between_metrics_at(trial.main_depth)
        matrices = trial.between_depths if between == "depths" else (matrix,) if matrix else ()
        pairs = [
            (matrix.labels[a], matrix.labels[b], matrix.title, matrix.tau[a][b], matrix.tau_ap[a][b], matrix.overlap[a][b])
            for matrix in matrices
            for a, b in matrix.pairs
        ]
        if not pairs:
            return None
        pairs.sort(key=lambda pair: (math.isnan(pair[3]), pair[3]))
        depths = between == "depths"
        return Table(
            name=between + self.suffix,
            title=self.title("Agreement between depths" if depths else "Agreement between metrics"),
            caption=f"How alike two {'depths of a metric' if depths else f'metrics {self.depth}'} order "
            f"{counted(len(trial.systems), 'system')}: Kendall’s τ-b, τ_AP, in which the first places weigh more, and "
            "rank-biased overlap (RBO). 1 means the same order.",
            columns=(
                Column(name="First", kind="text"),
                Column(name="Second", kind="text", fold=False),
                Column(name="Of", kind="text", head="Metric" if depths else "Depth"),
                Column(name="τ", kind="value", digits=3),
                Column(name="τ_AP", kind="value", digits=3),
                Column(name="RBO", kind="value", digits=3),
            ),
            rows=tuple(pairs),
            subject="pairs",
            most=FEW_ROWS,
        )

    def swaps(self) -> Table | None:
        """Swap rates by number of users."""
        trial = self.trial
        rates = {(swap.metric, swap.users): swap.rate for swap in trial.swaps}
        if not rates:
            return None
        sizes = sorted({users for _, users in rates})
        rows = trial.at_depth(trial.main_depth)
        needed = [(key, column) for key, column in quality_columns(trial, rows) if key in ("swap_users", "swap_mark")]
        return Table(
            name="swaps" + self.suffix,
            title=self.title(f"Swap rates by number of users, metrics {self.depth}"),
            caption="How often two systems that differ on some users differ the other way round on as many other users. "
            + " ".join(f"{column.title}: {column.means}" for key, column in needed if key == "swap_users"),
            columns=(
                Column(name="Metric", kind="text"),
                *(Column(name=counted(n, "user"), kind="share", fold=False) for n in sizes),
                *(column for _, column in needed),
            ),
            rows=tuple(
                (row.metric, *(rates.get((row.metric, n)) for n in sizes), *(_raw(row, key) for key, _ in needed))
                for row in rows
            ),
            subject="metrics",
        )

    def swap_sizes(self) -> Table | None:
        """Swap rates on half of the users, by tenths of the differences."""
        trial = self.trial
        rates = {swap.metric: swap for swap in trial.swaps}  # by ascending users: the last are half of them
        rows = [
            (row.metric, tenth, least, rate, comparisons)
            for row in trial.at_depth(trial.main_depth)
            if row.metric in rates
            for tenth, (least, rate, comparisons) in enumerate(rates[row.metric].bins, 1)
        ]
        if not rows:
            return None
        return Table(
            name="swap-sizes" + self.suffix,
            title=self.title(f"Swap rates by the size of the difference, metrics {self.depth}"),
            caption=SWAPS,
            columns=(
                Column(name="Metric", kind="text"),
                Column(name="Tenth", kind="count", means="1 is the tenth with the smallest differences"),
                Column(name="Least difference", kind="value"),
                Column(name="Swap rate", kind="share"),
                Column(name="Comparisons", kind="count"),
            ),
            rows=tuple(rows),
            most=FEW_ROWS,
        )

    def variance(self) -> Table | None:
        """Variance components and what follows from them."""
        trial = self.trial
        components = {row.metric: row for row in trial.reliability}
        rows = [components[row.metric] for row in trial.at_depth(trial.main_depth) if row.metric in components]
        if not rows:
            return None
        share: dict[str, Any] = {"kind": "share", "group": "Share of the variance", "bar": True, "fold": False}
        return Table(
            name="variance" + self.suffix,
            title=self.title(f"Variance components, metrics {self.depth}"),
            caption=_VARIANCE,
            columns=(
                Column(name="Metric", kind="text"),
                Column(name="Systems", **share),
                Column(name="Users", **share),
                Column(name="Rest", **share),
                Column(name="Eρ²", kind="value", digits=4, means=_RELATIVE),
                Column(name="Φ", kind="value", digits=4, means=_ABSOLUTE),
            ),
            rows=tuple((r.metric, r.of_systems, r.of_users, r.of_rest, r.relative, r.absolute) for r in rows),
            subject="metrics",
        )


MORE_FIGURES = (
    "Half p: the mean p on half of the users, with its standard deviation (SD) between halves. Users, 5%: users at which "
    "the swap rate falls to 5% (a: at most, because the fewest that were tried have less; e: extrapolated to more than half "
    "of them). "
    "Φ: absolute reliability. Users, 0.95: users at which Eρ² reaches 0.95."
)


def main_figures(trial: MetricFindings) -> str:
    """What the heads of the main figures mean."""
    return (
        "DP: discriminative power, the sum of the p-values of all pairs of systems (permutation test, "
        f"{counted(trial.flips, 'sign flip')}, uncorrected). Mean p: DP divided by the pairs, with its standard error (SE) "
        "over systems. τ: Kendall’s τ-b with the order of systems on all test ratings, on random samples of "
        f"{SAMPLED[trial.sampling]} (missing) or on ratings of the least popular items (rare; popularity is counted over "
        f"{COUNTED[trial.counting]}). Kept to: the least share of ratings with τ ≥ {KEEPS}. Swaps: how often two systems "
        "differ the other way round on the other half of the users. Eρ²: relative reliability. Lower is better except for τ "
        "and Eρ²."
    )


SWAPS = (
    "Of any two systems that differ on one half of the users, how often they differ the other way round on the other half, "
    "by the size of the difference."
)
_VARIANCE = (
    "Variance of a metric's values over systems and users: what is due to systems, to users, and the rest, in which "
    "interaction and error cannot be told apart. Eρ² is the relative reliability, of the order of systems, Φ the absolute "
    "one, of the values."
)
_RELATIVE = (
    "relative reliability: how far the order of systems would be the same on other users, from 0 to 1: σ²s / (σ²s + σ²su/n) "
    "of the variance components of systems and of systems × users, with n users."
)
_ABSOLUTE = "absolute reliability, of the values: σ²s / (σ²s + (σ²u + σ²su)/n)."


def quality_columns(trial: MetricFindings, rows: Sequence[MetricRow]) -> list[tuple[str, Column]]:
    """The figures of a metric: the attribute of the row, and the column. Marks of `swap_users` have a column, too."""
    level = f"{trial.level:g}"

    def column(key: str, name: str, kind: Kind, means: str, **more: Any) -> tuple[str, Column]:
        return key, Column(name=name, kind=kind, means=means, **more)

    tau: dict[str, Any] = {"kind": "value", "digits": 3}
    return [
        column(
            *("rank", "Rank", "value"),
            f"the mean of the metric's places by {rule_words(trial.rule)}; ties share a place.",
            digits=1,
        ),
        column(
            *("dp", "DP", "value"),
            "discriminative power, the sum of the p-values of all pairs of systems by the permutation test with "
            f"{counted(trial.flips, 'sign flip')}, uncorrected. It grows with the number of pairs.",
            digits=[_dp_digits(row.dp) for row in rows],
        ),
        column(
            *("mean_p", "Mean p", "p"),
            "DP divided by the number of pairs, which can be compared between sets of systems.",
        ),
        column(
            *("mean_p_error", "Mean p error", "value"),
            "standard error of the mean p over systems, by the jackknife that leaves out several at a time.",
            head="± SE",
            digits=[_error_digits(row.mean_p_error) for row in rows],
        ),
        column(*("half_mean_p", "Mean p, half of the users", "p"), "the mean p on half of the users.", head="Half p"),
        column(
            *("half_error", "Mean p, half of the users error", "value"),
            "standard deviation between disjoint halves of the users.",
            head="Half SD",
            digits=[_error_digits(row.half_error) for row in rows],
        ),
        column(
            *("significant", f"Pairs with p < {level}", "share"),
            f"the share of pairs of systems with p < {level} (Sakai).",
            head=f"p < {level}",
        ),
        column("median_p", "Median p", "p", "the median p-value of all pairs (Lu)."),
        column(
            **tau,
            key="missing_tau",
            name="τ, ratings missing",
            head="τ missing",
            means=f"Kendall’s τ-b between the order of systems on random samples of {SAMPLED[trial.sampling]} and that on "
            "all of them, averaged over samples and shares. Training and fits stay as they are.",
        ),
        column(
            *("missing_low", f"τ ≥ {KEEPS:g} down to", "share"),
            f"the least share of the test ratings down to which that τ stays at {KEEPS:g} or above; a dash if it falls "
            "below at once.",
            head="Kept to",
            fold=False,
        ),
        column(
            **tau,
            key="popularity_tau",
            name="τ, popular items out",
            head="τ rare",
            means="the same τ when test ratings of the most popular items are left out, averaged over shares; popularity is "
            f"counted over {COUNTED[trial.counting]}.{TIES[trial.counting]}",
        ),
        column(
            *("swap_rate", "Swap rate", "share"),
            "how often two systems that differ on half of the users differ the other way round on the other half.",
            head="Swaps",
        ),
        column(
            *("swap_users", "Users for 5% swaps", "count"),
            "the users at which the swap rate falls to 5% (a: at most, because the fewest that were tried have less; e: "
            "extrapolated to more than half of the users).",
            head="Users, 5%",
        ),
        column("swap_mark", "Users for 5% swaps mark", "letters", ""),
        column("reliability", "Eρ²", "value", _RELATIVE, digits=4),
        column("absolute_reliability", "Φ", "value", _ABSOLUTE, digits=4),
        column(
            *("reliable_users", "Users for Eρ² 0.95", "count"),
            "the users at which Eρ² reaches 0.95.",
            head="Users, 0.95",
        ),
        column(
            **tau,
            key="stability_tau",
            name="τ between seeds",
            head="τ seeds",
            means="mean τ between the orders of systems under other seeds of the split.",
            fold=True,
        ),
        column(
            **tau,
            key="tie_tau",
            name="τ between orders of ties",
            head="τ ties",
            means="mean τ between the orders of systems under other orders of tied items.",
            fold=True,
        ),
        column(
            **tau,
            key="validity_tau",
            name="τ with the truth",
            head="τ truth",
            means="τ with the order of systems by complete relevance, which simulated data know.",
            fold=True,
        ),
    ]


def rule_words(rule: Sequence[str]) -> str:
    """Mean p and τ with ratings missing."""
    return listed([CRITERIA_WORDS[criterion] for criterion in rule])


def _raw(row: MetricRow, key: str) -> Any:
    if key == "swap_mark":
        return "" if row.swap_users is None else "a" if row.swap_at_most else "e" if row.swap_extrapolated else ""
    value = getattr(row, key)
    return None if isinstance(value, float) and math.isnan(value) else value


def _dp_digits(dp: float) -> int:
    """Two decimals, and more for a sum of p-values that two would write as 0."""
    return 2 if not dp < 0.1 else 3 if dp >= 0.001 else 6


def _error_digits(error: float) -> int:
    """Three decimals, and two figures of a standard error that three would write as 0."""
    return 1 - math.floor(math.log10(error)) if 1e-9 < error < LEAST_ERROR else 3


def at_depth(depth: int | None) -> str:
    """At 10, or of whole lists: the depth of metrics in words."""
    return "of whole lists" if depth is None else f"at {depth}"
