"""Does a metric keep the order of the systems when test ratings are missing?

The test set alone is thinned; training and fits stay as they are. The order of systems on what is left is compared with
the order on the whole test set by Kendall's τ-b (Valcarce et al. 2018, Figures 2, 3, 6 and 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heldout.analysis.ranking_agreement import tau_b
from heldout.metric_quality.findings import Counting, Sampling, SweepPoint
from heldout.metric_quality.sampled_means import FoldLists, sampled_means
from heldout.metric_quality.samples import MOST, NestedSamples, RatingSamples, least_popular, random_samples
from heldout.metrics.metric import Metric
from heldout.tables.arrays import Float64, Int64

SHARES = tuple(round(1 - 0.05 * k, 2) for k in range(20))
"""100 %, 95 %, … 5 % of the test ratings."""
ITEM_SHARES = tuple(round(1 - 0.01 * k, 2) for k in range(21))
"""100 %, 99 %, … 80 % of the items, the least popular."""
SAMPLES = 50


@dataclass(frozen=True, eq=False, kw_only=True)
class MissingRatings:
    """The sweep over shares of the test ratings: τ with the whole test set's order on `samples` random samples of each."""

    folds: Sequence[FoldLists]
    metrics: Sequence[Metric]
    systems: Sequence[str]
    undefined_as_zero: bool
    seed: int
    shares: Sequence[float] = SHARES
    samples: int = SAMPLES
    sampling: Sampling = "all"

    @cached_property
    def _whole(self) -> Float64:
        return _reference(self.folds, self.metrics, self.systems, undefined_as_zero=self.undefined_as_zero)

    @cached_property
    def _drawn(self) -> list[list[NestedSamples]]:
        """By word of at most 64 samples and by fold."""
        words = [range(start, min(start + MOST, self.samples)) for start in range(0, self.samples, MOST)]
        by_user = self.sampling == "user"
        sizes = [fold.relevance.rated if by_user else [len(fold.relevance.item)] for fold in self.folds]
        return [
            [random_samples(n, self.shares, word, seed=self.seed, fold=k) for k, n in enumerate(sizes)] for word in words
        ]

    def points(self, number: int) -> list[SweepPoint]:
        """Of one share, by its number."""
        values, users = [], []
        for of_folds in self._drawn:
            words = [nested.of_share(number) for nested in of_folds]
            means = sampled_means(self.folds, words, self.metrics, self.systems, undefined_as_zero=self.undefined_as_zero)
            values.append(means.values)
            users.append(means.users)
        return _points(self.metrics, self.shares[number], self._whole, np.concatenate(values, axis=2), np.concatenate(users))


def missing_points(sweep: MissingRatings, number: int) -> list[SweepPoint]:
    """The points of one share, as another process computes them."""
    return sweep.points(number)


def robustness_to_popularity(
    folds: Sequence[FoldLists],
    metrics: Sequence[Metric],
    systems: Sequence[str],
    popularity: Sequence[Int64],
    *,
    undefined_as_zero: bool,
    shares: Sequence[float] = ITEM_SHARES,
    counting: Counting = "all",
) -> list[SweepPoint]:
    """τ with the whole test set's order when only ratings of the least popular share of the items are kept.

    `popularity` counts each item's ratings in each fold: all of them, or those of training. Of items with equally many
    training ratings the higher number counts as the less popular, as in the test sets that Valcarce et al. (2018) publish.
    """
    higher_first = counting == "train"
    reference = _reference(folds, metrics, systems, undefined_as_zero=undefined_as_zero)
    points = []
    for start in range(0, len(shares), MOST):
        part = shares[start : start + MOST]
        kept = [
            least_popular(p, fold.relevance.item, part, higher_first=higher_first)
            for p, fold in zip(popularity, folds, strict=True)
        ]
        means = sampled_means(folds, kept, metrics, systems, undefined_as_zero=undefined_as_zero)
        for k, share in enumerate(part):
            points += _points(metrics, share, reference, means.values[:, :, k : k + 1], means.users[k : k + 1])
    return points


def _reference(
    folds: Sequence[FoldLists], metrics: Sequence[Metric], systems: Sequence[str], *, undefined_as_zero: bool
) -> Float64:
    """Metrics × systems on the whole test set."""
    whole = [RatingSamples(words=np.ones(len(fold.relevance.item), np.uint64), count=1) for fold in folds]
    return sampled_means(folds, whole, metrics, systems, undefined_as_zero=undefined_as_zero).values[:, :, 0]


def _points(
    metrics: Sequence[Metric], share: float, reference: Float64, values: Float64, users: Float64
) -> list[SweepPoint]:
    points = []
    for metric, whole, sampled in zip(metrics, reference, values, strict=True):
        tau = tau_b(whole[None, :], sampled.T)[0]
        some = tau[~np.isnan(tau)]
        low, high = np.quantile(some, [0.025, 0.975]) if len(some) else (np.nan, np.nan)
        points.append(
            SweepPoint(
                metric=str(metric),
                share=share,
                samples=len(some),
                tau=float(some.mean()) if len(some) else float("nan"),
                low=float(low),
                high=float(high),
                users=float(users.mean()),
            )
        )
    return points
