"""What every form of a trial of metrics draws alike: its figures in words, and its rows by metric and by depth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from heldout.metric_quality.findings import KEEPS, AgreementMatrix, MetricFindings, MetricRow, SweepPoint, unbeaten
from heldout.words import count, counted, listed, number

FRONT = ("mean_p", "missing_tau")
"""Power and robustness: the axes of the drawing in which the best stand out."""
NOT_TRUSTED = (
    "Figures belong to these systems, these users and this protocol. They say which metric tells these systems apart and "
    "keeps their order, not which metric measures what users want: a metric that always prefers popular items may do both."
)


@dataclass(frozen=True, kw_only=True)
class MetricTrialReport:
    """All that a report of a trial of metrics is drawn from."""

    title: str
    trials: tuple[MetricFindings, ...]
    """One for each protocol."""
    labels: tuple[str, ...] = ("",)
    """What tells the protocols apart; empty where there is one."""

    @property
    def labelled(self) -> list[tuple[str, MetricFindings]]:
        """The trials with their labels."""
        return list(zip(self.labels, self.trials, strict=True))


def sizes_words(trial: MetricFindings) -> str:
    """21 systems (210 pairs), 6,034 users, 99 metrics."""
    folds = f", {counted(trial.folds, 'fold')}" if trial.folds > 1 else ""
    systems = f"{counted(len(trial.systems), 'system')} ({counted(trial.pairs, 'pair')})"
    return f"{systems}, {counted(trial.users, 'user')}{folds}, {counted(len(trial.rows), 'metric')}"


def names(trial: MetricFindings) -> list[str]:
    """The metrics without their depths, in the order of the study."""
    name = {row.metric: row.name for row in trial.rows}
    return list(dict.fromkeys(name[power.metric] for power in trial.power))


def depths(trial: MetricFindings) -> list[int | None]:
    """The depths, ascending, whole lists last."""
    return sorted({row.depth for row in trial.rows}, key=lambda depth: (depth is None, depth or 0))


def at_depth(trial: MetricFindings, depth: int | None) -> list[MetricRow]:
    """The metrics of one depth, in the order of the study."""
    rows = {row.name: row for row in trial.rows if row.depth == depth}
    return [rows[name] for name in names(trial) if name in rows]


def of_name(trial: MetricFindings, name: str) -> list[MetricRow]:
    """One metric at all its depths, ascending."""
    rows = {row.depth: row for row in trial.rows if row.name == name}
    return [rows[depth] for depth in depths(trial) if depth in rows]


def main_depth(trial: MetricFindings) -> int | None:
    """The depth that most metrics have, the deepest of several: that at which metrics are drawn side by side."""
    return max(depths(trial), key=lambda depth: (len(at_depth(trial, depth)), depth or 0))


def depth_words(depth: int | None) -> str:
    """At 10, or of whole lists."""
    return "of whole lists" if depth is None else f"at {depth}"


def best_of_each(trial: MetricFindings) -> list[MetricRow]:
    """Each metric at its best depth, the best first."""
    return _best_of_each(trial.rows)


def _best_of_each(rows: Iterable[MetricRow]) -> list[MetricRow]:
    best: dict[str, MetricRow] = {}
    for row in rows:
        best.setdefault(row.name, row)
    return list(best.values())


def drawn_on_front(rows: Iterable[MetricRow]) -> list[MetricRow]:
    """The rows that have both power and robustness."""
    return [row for row in rows if not (math.isnan(row.mean_p) or math.isnan(row.missing_tau))]


def named_on_front(rows: Sequence[MetricRow]) -> list[MetricRow]:
    """Rows to name in the drawing of robustness against power, from the most robust down.

    They are those that no other beats in both, and each metric at its best depth, which the table beside it shows.
    """
    best = {row.metric for row in _best_of_each(rows)} | set(unbeaten(rows, FRONT))
    return sorted((row for row in rows if row.metric in best), key=lambda row: -row.missing_tau)


def sweep_by_metric(points: Iterable[SweepPoint]) -> Mapping[str, list[SweepPoint]]:
    """The points of each metric that have a τ, from the whole test set down."""
    sweeps: dict[str, list[SweepPoint]] = {}
    for point in sorted(points, key=lambda point: -point.share):
        if not math.isnan(point.tau):
            sweeps.setdefault(point.metric, []).append(point)
    return sweeps


def undecided_from(trial: MetricFindings) -> int:
    """The place of the pair of systems, by p-value, from which curves are drawn: before it every metric has p < 0.001."""
    decided = [sum(p < 0.001 for p in power.curve) for power in trial.power]
    return max(1, min(*decided, trial.pairs - 1))


def pairs_words(trial: MetricFindings) -> str:
    """What stands below curves of p-values."""
    first = undecided_from(trial)
    return "pairs of systems, by p-value" + (f"; p < 0.001 in the first {count(first)}" if first > 1 else "")


def metrics_agreement(trial: MetricFindings) -> list[str]:
    """Which metrics say the same, and which agree least, at the depth that is drawn."""
    title = matrix_title(main_depth(trial))
    return [sentence for matrix in trial.between_metrics if matrix.title == title for sentence in _metrics_words(matrix)]


def depths_agreement(trial: MetricFindings) -> list[str]:
    """Metrics that order the systems alike at every depth, and of each other one the two depths that agree least."""
    least = [(matrix.title, pair) for matrix in trial.between_depths if (pair := matrix.least_alike)]
    same = [name for name, (_, _, tau) in least if math.isclose(tau, 1)]
    lowest = [f"{name} {number(tau, 2)} ({first} and {second})" for name, (first, second, tau) in least if name not in same]
    verb = "orders" if len(same) == 1 else "order"
    return [
        *([f"{listed(same)} {verb} the systems alike at every depth."] if same else []),
        *([f"Lowest τ between two depths: {', '.join(lowest)}."] if lowest else []),
    ]


def user_sizes(trial: MetricFindings) -> list[int]:
    """Numbers of users at which reliability is drawn: from 10 to four times those at hand, about evenly on a log scale."""
    most = math.log10(max(10, 4 * trial.users))
    return sorted({round(10 ** (1 + (most - 1) * k / 40)) for k in range(41)})


AGREEMENT_FORMS: dict[str, tuple[str, Callable[[AgreementMatrix], Sequence[Sequence[float]]]]] = {
    "agreement": ("Kendall τ", lambda matrix: matrix.tau),
    "agreement-ap": ("τ_AP", lambda matrix: matrix.tau_ap),
    "agreement-overlap": ("Rank-biased overlap", lambda matrix: matrix.overlap),
}
"""Name of a figure → how alike metrics order systems, in words, and the numbers."""


def matrix_title(depth: int | None) -> str:
    """The title of the matrix between metrics of one depth."""
    return "whole lists" if depth is None else f"@{depth}"


def _metrics_words(matrix: AgreementMatrix) -> list[str]:
    where = f"At {matrix.title[1:]}" if matrix.title.startswith("@") else "On whole lists"
    groups = [listed(list(group)) for group in matrix.groups()]
    sentences = [f"{where}, {'; '.join(groups)} order the systems alike (mean τ ≥ {KEEPS:g})."] if groups else []
    least = matrix.least_alike
    if least and least[2] < KEEPS:
        sentences.append(f"{where}, {least[0]} and {least[1]} agree least: τ {number(least[2], 2)}.")
    return sentences
