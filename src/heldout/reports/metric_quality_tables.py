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
from heldout.reports.columns import Field, Kind
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
        rows = self.trial.rows
        caption = f"{self._caption(rows)} {MORE_FIGURES}"
        return self._quality("metrics", self.title("All metrics"), rows, quality_fields(self.trial, rows), caption)

    def first_depths(self) -> Table:
        """The main figures of each metric at the depth that ranks first."""
        title, rows = self.title("Each metric at its first-ranked depth"), self.trial.first_depths
        return self._quality("best-depths", title, rows, quality_fields(self.trial, rows, BRIEF), self._caption(rows))

    def _quality(self, name: str, title: str, rows: Sequence[MetricRow], fields: Sequence[Field], caption: str) -> Table:
        front = unbeaten(self.trial.rows, FRONT)
        separate = separating_metric(self.trial.rows)
        return Table.of_records(
            rows,
            (Field("Metric", "text", "metric", need=0), *fields),
            name=name + self.suffix,
            title=title,
            caption=caption,
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
            f"{needed[0].column.title}: {needed[0].column.means}",
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
            caption=_VARIANCE,
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


def quality_fields(trial: MetricFindings, rows: Sequence[MetricRow], keys: Sequence[str] | None = None) -> list[Field]:
    """The figures of a metric, or those of some attributes of its row. Marks of `swap_users` have a column, too."""
    level = f"{trial.level:g}"
    fields: dict[str, Field] = {}

    def add(key: str, name: str, kind: Kind, means: str, **options: Any) -> None:
        if keys is None or key in keys:
            source = _swap_mark if key == "swap_mark" else partial(_figure, key=key)
            fields[key] = Field(name, kind, source, means, **options)

    add(
        *("rank", "Rank", "value"),
        f"the mean of the metric's places by {rule_words(trial.rule)}; ties share a place.",
        digits=1,
    )
    add(
        *("dp", "DP", "value"),
        "discriminative power, the sum of the p-values of all pairs of systems by the permutation test with "
        f"{counted(trial.flips, 'sign flip')}, uncorrected. It grows with the number of pairs.",
        digits=[2 if row.dp >= 0.1 else 3 for row in rows],
        least=LEAST,
        need=5,
    )
    small: dict[str, Any] = {"digits": 3, "least": LEAST}
    add(
        *("mean_p", "Mean p", "value"),
        "DP divided by the number of pairs, which can be compared between sets of systems.",
        **small,
    )
    add(
        *("mean_p_error", "Mean p error", "value"),
        "standard error of the mean p over systems, by the jackknife that leaves out several at a time.",
        head="± SE",
        **small,
    )
    half = "Mean p, half of the users"
    add("half_mean_p", half, "value", "the mean p on half of the users.", head="Half p", **small)
    add(
        *("half_error", f"{half} error", "value"),
        "standard deviation between disjoint halves of the users.",
        head="Half SD",
        **small,
    )
    add(
        *("significant", f"Pairs with p < {level}", "share"),
        f"the share of pairs of systems with p < {level} (Sakai).",
        head=f"p < {level}",
    )
    add("median_p", "Median p", "p", "the median p-value of all pairs (Lu).")
    add(
        *("missing_tau", "τ, ratings missing", "value"),
        f"Kendall’s τ-b between the order of systems on random samples of {SAMPLED[trial.sampling]} and that on all of "
        "them, averaged over samples and shares. Training and fits stay as they are.",
        head="τ missing",
        digits=3,
    )
    add(
        *("missing_low", f"τ ≥ {KEEPS:g} down to", "share"),
        f"the least share of the test ratings down to which that τ stays at {KEEPS:g} or above; a dash if it falls below at "
        "once.",
        head="Kept to",
        fold=False,
    )
    add(
        *("popularity_tau", "τ, popular items out", "value"),
        "the same τ when test ratings of the most popular items are left out, averaged over shares; popularity is counted "
        f"over {COUNTED[trial.counting]}.{TIES[trial.counting]}",
        head="τ rare",
        digits=3,
    )
    add(
        *("swap_rate", "Swap rate", "share"),
        "how often two systems that differ on half of the users differ the other way round on the other half.",
        head="Swaps",
    )
    add(
        *("swap_users", "Users for 5% swaps", "count"),
        "the users at which the swap rate falls to 5% (a: at most, because the fewest that were tried have less; e: "
        "extrapolated to more than half of the users).",
        head="Users, 5%",
    )
    add("swap_mark", "Users for 5% swaps mark", "letters", "")
    add("reliability", "Eρ²", "value", _RELATIVE, digits=4, need=1)
    add("absolute_reliability", "Φ", "value", _ABSOLUTE, digits=4)
    add("reliable_users", "Users for Eρ² 0.95", "count", "the users at which Eρ² reaches 0.95.", head="Users, 0.95")
    tau: dict[str, Any] = {"digits": 3, "fold": True}
    seeds = "mean τ between the orders of systems under other seeds of the split."
    add("stability_tau", "τ between seeds", "value", seeds, head="τ seeds", **tau)
    ties = "mean τ between the orders of systems under other orders of tied items."
    add("tie_tau", "τ between orders of ties", "value", ties, head="τ ties", **tau)
    truth = "τ with the order of systems by complete relevance, which simulated data know."
    add("validity_tau", "τ with the truth", "value", truth, head="τ truth", **tau)
    return list(fields.values())


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
