"""Draws → figures: how often each estimator orders systems as the truth does, and how far its values are from true ones.

In simulated worlds each draw has a truth of its own, and intervals are over redrawn worlds. On real data there is one
truth, a random sample: it judges only the pairs that it separates, by their mean difference over all draws, and intervals
are over splits and resampled users.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from heldout import rng
from heldout.aggregations.moments import t_quantile
from heldout.analysis.ranking_agreement import tau_b
from heldout.biases.truth.draws import Draw, DrawnEstimate
from heldout.biases.truth.estimators import TruthEstimator
from heldout.biases.truth.findings import EstimatedSystem, EstimatorRow, TruthPair
from heldout.tables.arrays import Bool, Float64, Int64

PLAIN = "AI-AR"
"""The protocol that is taken for granted: all items compete, unrated ones count as not relevant."""
NORMAL = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TrueValues:
    """The truth of one metric, of systems fitted on one kind of split."""

    means: Float64
    """Draws × systems."""
    resampled: Float64
    """Draws × samples × systems; no samples where the truth is complete."""
    pairs: Int64
    simulated: bool

    @cached_property
    def differences(self) -> Float64:
        """Draws × pairs."""
        return self.means[:, self.pairs[:, 0]] - self.means[:, self.pairs[:, 1]]

    @cached_property
    def mean_difference(self) -> Float64:
        """Of each pair, over draws."""
        return np.asarray(self.differences.mean(axis=0))

    @cached_property
    def errors(self) -> Float64:
        """Of each pair, the standard error of the mean difference: over worlds, or over users."""
        if self.simulated:
            n = len(self.differences)
            return self.differences.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else np.full(len(self.pairs), np.nan)
        if not self.resampled.shape[1]:
            return np.full(len(self.pairs), np.nan)
        sampled = self.resampled[:, :, self.pairs[:, 0]] - self.resampled[:, :, self.pairs[:, 1]]
        return np.asarray(sampled.mean(axis=0).std(axis=0, ddof=1))

    @cached_property
    def signs(self) -> Float64:
        """Draws × pairs: 1 where the first system is truly better, −1 where the second is, 0 where it is not judged."""
        if self.simulated:
            return np.sign(self.differences)
        separated = np.abs(self.mean_difference) > NORMAL * self.errors
        return np.broadcast_to(np.where(separated, np.sign(self.mean_difference), 0.0), self.differences.shape)

    @cached_property
    def judged(self) -> Bool:
        """Pairs that some draw judges."""
        return np.asarray((self.signs != 0).any(axis=0))


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawStatistics:
    """All draws as arrays."""

    systems: tuple[str, ...]
    draws: Sequence[Draw]
    estimators: Sequence[TruthEstimator]
    scales: Mapping[str, bool]
    """Metric → whether its truth is on the metric's own scale; metrics without a truth are not in it."""
    simulated: bool
    level: float
    seed: int

    @cached_property
    def kept(self) -> list[int]:
        """Places of the systems that failed in no draw."""
        failed = {name for draw in self.draws for name in draw.failed}
        return [k for k, name in enumerate(self.systems) if name not in failed]

    @cached_property
    def names(self) -> list[str]:
        """The systems that failed in no draw."""
        return [self.systems[k] for k in self.kept]

    @cached_property
    def pairs(self) -> Int64:
        """Places of both systems of each pair, among those kept."""
        return np.array(list(combinations(range(len(self.kept)), 2)), dtype=np.int64).reshape(-1, 2)

    @cached_property
    def _kept_pairs(self) -> list[int]:
        every = list(combinations(range(len(self.systems)), 2))
        return [k for k, (a, b) in enumerate(every) if a in self.kept and b in self.kept]

    @cached_property
    def judged_estimators(self) -> list[TruthEstimator]:
        """Those whose metric has a truth, measured in every draw."""
        measured = [{estimate.name for estimate in draw.estimates} for draw in self.draws]
        return [e for e in self.estimators if e.metric in self.scales and all(e.name in names for names in measured)]

    @cached_property
    def truths(self) -> dict[tuple[str, str], TrueValues]:
        """By metric and split."""
        keys = dict.fromkeys((truth.metric, truth.split) for draw in self.draws for truth in draw.truths)
        values = {}
        for key in keys:
            of_draws = [next((t for t in draw.truths if (t.metric, t.split) == key), None) for draw in self.draws]
            drawn = [truth for truth in of_draws if truth is not None]
            if len(drawn) == len(self.draws):
                values[key] = TrueValues(
                    means=np.array([truth.means for truth in drawn])[:, self.kept],
                    resampled=_samples([truth.resampled for truth in drawn], len(self.systems))[:, :, self.kept],
                    pairs=self.pairs,
                    simulated=self.simulated,
                )
        return values

    def truth_of(self, estimator: TruthEstimator) -> TrueValues:
        """The truth that an estimator is held against."""
        return self.truths[estimator.metric, "" if estimator.split is None else str(estimator.split)]

    def rows(self) -> list[EstimatorRow]:
        """A row for each estimator, the one most often right first; ties by τ, then in the order of declaration."""
        rows = [self._row(estimator) for estimator in self.judged_estimators]
        return sorted(rows, key=lambda row: (-_last(row.right), -_last(row.tau)))

    def _row(self, estimator: TruthEstimator) -> EstimatorRow:
        true = self.truth_of(estimator)
        means, p, resampled = self._estimates(estimator.name)
        own_truth = self._truth_of_same_users(estimator.name)
        difference = means[:, self.pairs[:, 0]] - means[:, self.pairs[:, 1]]
        right, judged = _right(difference, true.signs), true.signs != 0
        significant = judged & (p < self.level)
        low, high = self._interval_of_right(right, judged, resampled, true)
        figures: dict[str, float] = {}
        if own_truth is not None and self.scales[estimator.metric]:
            figures = self._scale_figures(means, difference, significant, resampled, own_truth)
        return EstimatorRow(
            name=estimator.name,
            protocol=estimator.protocol,
            metric=estimator.metric,
            measured=str(estimator.measured),
            estimand=estimator.estimand,
            same_scale=bool(figures),
            users=round(float(np.mean([self._drawn(draw, estimator.name).users for draw in self.draws]))),
            significant=int(significant.sum()),
            right=_share(right, judged),
            right_low=low,
            right_high=high,
            tau=_mean(np.diag(tau_b(means, true.means))),
            decided=_share(p < self.level, judged),
            type_s=_share(right == 0, significant),
            **figures,
        )

    def _estimates(self, name: str) -> tuple[Float64, Float64, Float64]:
        """Means (draws × systems), p-values (draws × pairs) and resampled means (draws × samples × systems)."""
        drawn = [self._drawn(draw, name) for draw in self.draws]
        means = np.array([estimate.means for estimate in drawn])[:, self.kept]
        p = np.array([estimate.p for estimate in drawn])[:, self._kept_pairs]
        return means, p, _samples([e.resampled for e in drawn], len(self.systems))[:, :, self.kept]

    def _drawn(self, draw: Draw, name: str) -> DrawnEstimate:
        return next(estimate for estimate in draw.estimates if estimate.name == name)

    def _truth_of_same_users(self, name: str) -> TrueValues | None:
        """The truth over the users whom the estimator averages; None where it has a scale of its own."""
        drawn = [self._drawn(draw, name) for draw in self.draws]
        if not all(estimate.truth for estimate in drawn):
            return None
        return TrueValues(
            means=np.array([estimate.truth for estimate in drawn])[:, self.kept],
            resampled=_samples([estimate.truth_resampled for estimate in drawn], len(self.systems))[:, :, self.kept],
            pairs=self.pairs,
            simulated=self.simulated,
        )

    def _interval_of_right(self, right: Float64, judged: Bool, resampled: Float64, true: TrueValues) -> tuple[float, float]:
        """95 % interval of the share of pairs ordered rightly; of one redrawn world there is none."""
        if not judged.any():
            return np.nan, np.nan
        draws = len(self.draws)
        if self.simulated:
            by_draw = np.array([_share(r, j) for r, j in zip(right, judged, strict=True)])
            by_draw = by_draw[~np.isnan(by_draw)]
            if len(by_draw) < 2:
                return np.nan, np.nan
            error = float(by_draw.std(ddof=1)) / np.sqrt(len(by_draw))
            return wilson(_share(right, judged), error, draws=len(by_draw), quantile=t_quantile(0.975, len(by_draw) - 1))
        difference = resampled[:, :, self.pairs[:, 0]] - resampled[:, :, self.pairs[:, 1]]
        by_sample = np.array([_right(of_draw, true.signs[0])[:, judged[0]].mean(axis=1) for of_draw in difference])
        return wilson(_share(right, judged), self._spread(by_sample), draws=draws, quantile=NORMAL)

    def _spread(self, by_sample: Float64) -> float:
        """Standard error over splits and users of a mean over draws; `by_sample` is draws × samples."""
        draws, samples = by_sample.shape
        if samples < 2:
            return np.nan
        chosen = rng.stream(self.seed, "splits held against the truth").integers(0, draws, (samples, draws))
        return float(np.array([by_sample[chosen[b], b].mean() for b in range(samples)]).std(ddof=1))

    def _scale_figures(
        self, means: Float64, difference: Float64, significant: Bool, resampled: Float64, true: TrueValues
    ) -> dict[str, float]:
        """Bias, standard error, RMSE and type M: only where estimate and truth are of the same thing."""
        gap = means - true.means
        if self.simulated:
            low, high = _t_interval(gap.mean(axis=1))
            errors = gap.std(axis=0, ddof=1) if len(gap) > 1 else np.full(gap.shape[1], np.nan)
            squares = gap**2
        else:
            sampled = resampled - true.resampled
            half = NORMAL * self._spread(sampled.mean(axis=2))
            low, high = float(gap.mean()) - half, float(gap.mean()) + half
            errors = sampled.reshape(-1, sampled.shape[2]).std(axis=0, ddof=1)
            squares = gap.mean(axis=0) ** 2 + errors**2
        # The truth of one split of real data is a sample; what pairs are judged by is its mean over splits.
        size = np.abs(true.differences if self.simulated else np.broadcast_to(true.mean_difference, difference.shape))
        apart = significant & (size > 0)
        ratio = np.abs(difference[apart]) / size[apart]
        return {
            "bias": float(gap.mean()),
            "bias_low": low,
            "bias_high": high,
            "error": float(np.sqrt(np.mean(errors**2))),
            "rmse": float(np.sqrt(squares.mean())),
            "truth": float(true.means.mean()),
            "type_m": float(ratio.mean()) if len(ratio) else np.nan,
        }

    def pair_rows(self) -> list[TruthPair]:
        """Every pair of systems by the truth of each metric, the largest difference first."""
        rows = []
        for (metric, split), true in self.truths.items():
            if split or metric not in self.scales:
                continue
            shares = {
                e.name: self._pair_shares(e, true) for e in self.judged_estimators if e.metric == metric and e.split is None
            }
            plain = next((e.name for e in self.judged_estimators if (e.protocol, e.metric) == (PLAIN, metric)), None)
            for k in np.argsort(-np.abs(true.mean_difference), kind="stable"):
                first, second = self.pairs[k] if true.mean_difference[k] >= 0 else self.pairs[k][::-1]
                best = max(shares, key=lambda name: _last(shares[name][k])) if shares else ""
                rows.append(
                    TruthPair(
                        metric=metric,
                        better=self.names[first],
                        worse=self.names[second],
                        difference=float(np.abs(true.mean_difference[k])),
                        error=float(true.errors[k]),
                        judged=bool(true.judged[k]),
                        plain=float(shares[plain][k]) if plain is not None else np.nan,
                        best=best if true.judged[k] else "",
                        best_right=float(shares[best][k]) if best else np.nan,
                    )
                )
        return rows

    def _pair_shares(self, estimator: TruthEstimator, true: TrueValues) -> Float64:
        """Of each pair, the share of the draws that judge it in which the estimator was right."""
        means, _, _ = self._estimates(estimator.name)
        right = _right(means[:, self.pairs[:, 0]] - means[:, self.pairs[:, 1]], true.signs)
        judged = true.signs != 0
        total = judged.sum(axis=0)
        shares = np.full(len(total), np.nan)
        np.divide((right * judged).sum(axis=0), total, out=shares, where=total > 0)
        return shares

    def values(self) -> list[EstimatedSystem]:
        """The mean estimate and the mean truth of every system by every estimator."""
        rows = []
        for estimator in self.judged_estimators:
            means, true = self._estimates(estimator.name)[0].mean(axis=0), self.truth_of(estimator).means.mean(axis=0)
            rows += [
                EstimatedSystem(name=estimator.name, system=system, estimate=float(a), truth=float(b))
                for system, a, b in zip(self.names, means, true, strict=True)
            ]
        return rows


def _samples(resampled: Sequence[tuple[tuple[float, ...], ...]], systems: int) -> Float64:
    """Draws × samples × systems."""
    return np.array(resampled, dtype=np.float64).reshape(len(resampled), -1, systems)


def _right(difference: Float64, signs: Float64) -> Float64:
    """1 where the estimated difference has the true sign, 0 where it has the other, ½ where it is 0."""
    return (1 + np.sign(difference) * signs) / 2


def _share(flags: Float64 | Bool, among: Bool) -> float:
    """The mean over those among which it is taken; NaN where there are none."""
    return float(np.asarray(flags, dtype=np.float64)[among].mean()) if among.any() else float("nan")


def _mean(values: Float64) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _last(value: float) -> float:
    """A value to sort by in descending order, without one last."""
    return -np.inf if np.isnan(value) else float(value)


def _t_interval(values: Float64) -> tuple[float, float]:
    """95 % interval of the mean of a few draws."""
    values = values[~np.isnan(values)]
    if len(values) < 2:
        return np.nan, np.nan
    half = t_quantile(0.975, len(values) - 1) * float(values.std(ddof=1)) / np.sqrt(len(values))
    return float(values.mean()) - half, float(values.mean()) + half


def wilson(share: float, error: float, *, draws: int, quantile: float) -> tuple[float, float]:
    """Wilson's interval of a share with a standard error: that of as many independent trials as have this error.

    A draw stands for at least one trial, so that a share of 100 % in a few draws has an interval too.

    Example: 100 % in each of 20 draws, at 1.96: 20 trials, 83.9 % to 100 %.
    """
    if np.isnan(error):
        return np.nan, np.nan
    trials = max(float(draws), share * (1 - share) / error**2 if error > 0 else 0.0)
    square = quantile**2 / trials
    centre = (share + square / 2) / (1 + square)
    half = quantile * np.sqrt(share * (1 - share) / trials + square / (4 * trials)) / (1 + square)
    low, high = float(max(0.0, centre - half)), float(min(1.0, centre + half))
    return 0.0 if share == 0 else low, 1.0 if share == 1 else high  # exactly, whatever the rounding
