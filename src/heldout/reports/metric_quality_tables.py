"""Tables of the quality of metrics, those of one protocol."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from heldout.metric_quality.findings import KEEPS, MetricFindings, MetricRow, unbeaten
from heldout.metric_quality.sentences import separating_metric
from heldout.reports.columns import Field, Kind, meanings
from heldout.reports.document import Builders, Table
from heldout.text.numbers import counted
from heldout.text.phrases import listed

FRONT = ("mean_p", "missing_tau")
"""Power and robustness: the axes of the first chart."""
BRIEF = ("rank", "dp", "mean_p", "mean_p_error", "missing_tau", "missing_low", "popularity_tau", "swap_rate", "reliability")
"""Columns of the table with one row for each metric."""
LEAST = 0.001
"""Smaller p-values and their errors are not told apart."""
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
    "train": "; of equally popular items the one with the higher number counts as the less popular, and items without "
    "training ratings stay",
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
        rows = self.trial.rows
        return self._quality("metrics", self.title("All metrics"), rows, quality_fields(self.trial, rows))

    def first_depths(self) -> Table:
        """The main figures of each metric at the depth that ranks first."""
        title, rows = self.title("Each metric at its first-ranked depth"), self.trial.first_depths
        return self._quality("best-depths", title, rows, quality_fields(self.trial, rows, BRIEF))

    def _quality(self, name: str, title: str, rows: Sequence[MetricRow], fields: Sequence[Field]) -> Table:
        front = unbeaten(self.trial.rows, FRONT)
        separate = separating_metric(self.trial.rows)
        named = [row.metric for row in rows if row.metric in front]
        beaten = f" No other metric has both a lower mean p and a higher τ missing than {listed(named)}." if named else ""
        return Table.of_records(
            rows,
            (Field("Metric", "text", "metric", need=0), *fields),
            name=name + self.suffix,
            title=title,
            caption=f"{self.of_sizes}, ranked by {rule_words(self.trial.rule)}.{beaten} {meanings(fields)} {BETTER}",
            strong=frozenset((k, "Mean p") for k, row in enumerate(rows) if row.metric == separate),
            marked=frozenset(k for k, row in enumerate(rows) if row.metric in front),
            subject="metrics",
            most=FEW_ROWS,
        )

    def sweep(self, sweep: str) -> Table | None:
        """Agreement with the order on the whole test set, by metric and share of the test set."""
        trial = self.trial
        points = trial.missing if sweep == "missing" else trial.popularity
        metrics = [row.metric for row in trial.at_depth(trial.main_depth)]
        rows = [
            point for metric in metrics for point in sorted(points, key=lambda point: -point.share) if point.metric == metric
        ]
        if not rows:
            return None
        samples = "Samples in which the metric orders the systems"
        return Table.of_records(
            rows,
            (
                Field("Metric", "text", "metric"),
                Field("Kept", "share", "share", head="Ratings kept" if sweep == "missing" else "Items kept", fold=False),
                Field("τ", "value", "tau", digits=3),
                Field("τ 95%", "interval", ("low", "high"), head="95% of samples", digits=3),
                Field("Users", "count", "users", "Tested users, on average over samples"),
                Field("Samples", "count", "samples", samples),
            ),
            name=sweep + self.suffix,
            charted=True,
            title=self.title(SWEEPS[sweep]),
            caption=f"Kendall’s τ-b between the order of {counted(len(trial.systems), 'system')} on a part of the test "
            "ratings and that on all: mean over samples, and the range that holds 95% of them.",
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
        return Table.of_records(
            pairs,
            (
                Field("First", "text", 0),
                Field("Second", "text", 1, fold=False),
                Field("Of", "text", 2, head="Metric" if depths else "Depth"),
                Field("τ", "value", 3, digits=3),
                Field("τ_AP", "value", 4, digits=3),
                Field("RBO", "value", 5, digits=3),
            ),
            name=between + self.suffix,
            charted=True,
            title=self.title("Agreement between depths" if depths else "Agreement between metrics"),
            caption=f"How alike two {'depths of a metric' if depths else f'metrics {self.depth}'} order "
            f"{counted(len(trial.systems), 'system')}: Kendall’s τ-b, τ_AP, in which the first places weigh more, and "
            "rank-biased overlap (RBO). 1 means the same order.",
            subject="pairs",
            most=FEW_ROWS,
        )

    def swaps(self) -> Table | None:
        """Swap rates by number of users."""
        trial = self.trial
        rates = {(swap.metric, swap.users): swap.rate for swap in trial.swaps}
        if not rates:
            return None
        rows = trial.at_depth(trial.main_depth)
        needed = quality_fields(trial, rows, ("swap_users", "swap_mark"))

        def rate(users: int) -> Callable[[MetricRow], float | None]:
            return lambda row: rates.get((row.metric, users))

        by_users = (Field(counted(n, "user"), "share", rate(n), fold=False) for n in sorted({n for _, n in rates}))
        return Table.of_records(
            rows,
            (Field("Metric", "text", "metric"), *by_users, *needed),
            name="swaps" + self.suffix,
            title=self.title(f"Swap rates by number of users, metrics {self.depth}"),
            caption="How often two systems that differ on some users differ the other way round on as many other users. "
            f"{meanings(needed)}",
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
        return Table.of_records(
            rows,
            (
                Field("Metric", "text", 0),
                Field("Tenth", "count", 1, "1 is the tenth with the smallest differences"),
                Field("Least difference", "value", 2),
                Field("Swap rate", "share", 3),
                Field("Comparisons", "count", 4),
            ),
            name="swap-sizes" + self.suffix,
            charted=True,
            title=self.title(f"Swap rates by the size of the difference, metrics {self.depth}"),
            caption=SWAPS,
            most=FEW_ROWS,
        )

    def variance(self) -> Table | None:
        """Variance components and what follows from them."""
        trial = self.trial
        components = {row.metric: row for row in trial.reliability}
        rows = [components[row.metric] for row in trial.at_depth(trial.main_depth) if row.metric in components]
        if not rows:
            return None
        share = partial(Field, kind="share", group="Share of the variance", bar=True, fold=False)
        return Table.of_records(
            rows,
            (
                Field("Metric", "text", "metric"),
                share("Systems", source="of_systems"),
                share("Users", source="of_users"),
                share("Rest", source="of_rest"),
                Field("Eρ²", "value", "relative", _RELATIVE, digits=4),
                Field("Φ", "value", "absolute", _ABSOLUTE, digits=4),
            ),
            name="variance" + self.suffix,
            title=self.title(f"Variance components, metrics {self.depth}"),
            caption=f"{_VARIANCE} Eρ²: {_RELATIVE}. Φ: {_ABSOLUTE}.",
            subject="metrics",
        )


BETTER = "Lower is better except for τ, Eρ² and Φ."
SWAPS = (
    "Of any two systems that differ on one half of the users, how often they differ the other way round on the other half, "
    "by the size of the difference."
)
_VARIANCE = (
    "Variance of a metric's values over n users: σ²s of systems, σ²u of users, and the rest σ²su, in which interaction and "
    "error cannot be distinguished."
)
_RELATIVE = "relative reliability, of the order of systems: σ²s / (σ²s + σ²su/n), from 0 to 1"
_ABSOLUTE = "absolute reliability, of the values: σ²s / (σ²s + (σ²u + σ²su)/n)"


def quality_fields(trial: MetricFindings, rows: Sequence[MetricRow], keys: Sequence[str] | None = None) -> list[Field]:
    """The figures of a metric, or those of some attributes of its row. Marks of `swap_users` have a column, too."""
    level = f"{trial.level:g}"
    half = "Mean p, half of the users"
    small: dict[str, Any] = {"digits": 3, "least": LEAST}
    tau: dict[str, Any] = {"digits": 3, "fold": True}
    rank = f"mean of the metric's places by {rule_words(trial.rule)}; ties share a place"
    dp = (
        "discriminative power, the sum of the p-values of all pairs of systems (permutation test, "
        f"{counted(trial.flips, 'sign flip')}, uncorrected)"
    )
    error = "standard error of the mean p over systems, by the jackknife that leaves out several"
    missing = f"Kendall’s τ-b between the order of systems on all test ratings and on samples of {SAMPLED[trial.sampling]}"
    popularity = (
        "the same τ without the ratings of the most popular items; popularity is counted over "
        f"{COUNTED[trial.counting]}{TIES[trial.counting]}"
    )
    swaps = "how often two systems that differ on half of the users differ the other way round on the other half"
    swap_users = (
        "users at which the swap rate falls to 5% (a: at most, because the fewest that were tried have less; e: "
        "extrapolated to more than half of the users)"
    )
    figures: dict[str, tuple[str, Kind, str, dict[str, Any]]] = {
        "rank": ("Rank", "value", rank, {"digits": 1}),
        "dp": ("DP", "value", dp, {"digits": [2 if row.dp >= 0.1 else 3 for row in rows], "least": LEAST, "need": 5}),
        "mean_p": ("Mean p", "value", "DP divided by the number of pairs of systems", small),
        "mean_p_error": ("Mean p error", "value", error, {"head": "± SE", **small}),
        "half_mean_p": (half, "value", "mean p on half of the users", {"head": "Half p", **small}),
        "half_error": (
            *(f"{half} error", "value", "standard deviation of that between disjoint halves of the users"),
            {"head": "Half SD", **small},
        ),
        "significant": (
            f"Pairs with p < {level}",
            "share",
            f"share of pairs of systems with p < {level} (Sakai)",
            {"head": f"p < {level}"},
        ),
        "median_p": ("Median p", "p", "median p-value of all pairs (Lu)", {}),
        "missing_tau": ("τ, ratings missing", "value", missing, {"head": "τ missing", "digits": 3}),
        "missing_low": (
            f"τ ≥ {KEEPS:g} down to",
            "share",
            f"least share of test ratings with τ ≥ {KEEPS:g}; a dash if there is none",
            {"head": "Kept to", "fold": False},
        ),
        "popularity_tau": ("τ, popular items out", "value", popularity, {"head": "τ rare", "digits": 3}),
        "swap_rate": ("Swap rate", "share", swaps, {"head": "Swaps"}),
        "swap_users": ("Users for 5% swaps", "count", swap_users, {"head": "Users, 5%"}),
        "swap_mark": ("Users for 5% swaps mark", "letters", "", {}),
        "reliability": ("Eρ²", "value", _RELATIVE, {"digits": 4, "need": 1}),
        "absolute_reliability": ("Φ", "value", _ABSOLUTE, {"digits": 4}),
        "reliable_users": ("Users for Eρ² 0.95", "count", "users at which Eρ² reaches 0.95", {"head": "Users, 0.95"}),
        "stability_tau": (
            *("τ between seeds", "value", "mean τ between the orders of systems under other seeds of the split"),
            {"head": "τ seeds", **tau},
        ),
        "tie_tau": (
            *("τ between orders of ties", "value", "mean τ between the orders of systems under other orders of tied items"),
            {"head": "τ ties", **tau},
        ),
        "validity_tau": (
            *("τ with the truth", "value", "τ with the order of systems by complete relevance, which simulated data know"),
            {"head": "τ truth", **tau},
        ),
    }
    sources = {"swap_mark": _swap_mark}
    return [
        Field(name, kind, sources.get(key) or partial(_figure, key=key), means, **options)
        for key, (name, kind, means, options) in figures.items()
        if keys is None or key in keys
    ]


def _figure(row: MetricRow, key: str) -> Any:
    """A figure of a metric; None if it is undefined."""
    value = getattr(row, key)
    return None if isinstance(value, float) and math.isnan(value) else value


def _swap_mark(row: MetricRow) -> str:
    return "" if row.swap_users is None else "a" if row.swap_at_most else "e" if row.swap_extrapolated else ""


def rule_words(rule: Sequence[str]) -> str:
    """Mean p and τ with ratings missing."""
    return listed([CRITERIA_WORDS[criterion] for criterion in rule])


def at_depth(depth: int | None) -> str:
    """At 10, or of whole lists: the depth of metrics in words."""
    return "of whole lists" if depth is None else f"at {depth}"
