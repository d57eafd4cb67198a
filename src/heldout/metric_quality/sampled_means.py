"""Means of metrics over users when only a sample of the test ratings is known.

Any metric can be measured on any sample by judging the lists again. Metrics that are sums over hits (`Metric.as_sum`) are
averaged for up to 64 samples in one pass over the lists; both ways give the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heldout import threads
from heldout.metric_quality.samples import RatingSamples
from heldout.metrics.measuring import depth_of, measure
from heldout.metrics.metric import Metric
from heldout.metrics.partial_test_set import judge_kept, keep_ratings
from heldout.metrics.sums_over_hits import GainSum, HitSum
from heldout.tables import Judged, Relevance
from heldout.tables.arrays import Bool, Float64
from heldout.targets.target import Target

Judging = tuple[float | None, bool]

USERS_AT_ONCE = 1 << 14
"""Users whose totals and ideal gains in all samples are in memory at once."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldLists:
    """The lists of all systems on one fold, judged in one way, and who is tested."""

    relevance: Relevance
    judged: Mapping[str, Judged]
    target: Target
    eligible: Bool
    """Users that count whatever their test ratings are."""
    least_rated: int = 1
    """Test ratings that a user must have to be tested."""
    least_relevant: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class SampledMeans:
    """Means over users: metrics × systems × samples, NaN where no user is left."""

    values: Float64
    users: Float64
    """Tested users of each sample."""


def sampled_means(
    folds: Sequence[FoldLists],
    samples: Sequence[RatingSamples],
    metrics: Sequence[Metric],
    systems: Sequence[str],
    *,
    undefined_as_zero: bool,
    quick: bool = True,
) -> SampledMeans:
    """The mean of each metric over the tested users of all folds, for each system and sample.

    `samples` has those of each fold. A user without test ratings in a sample, or without relevant ones, is tested or not as
    the rules of the study say. A user without a list counts 0. `quick` takes the fast way where a metric has one.
    """
    count = samples[0].count
    sums = np.zeros((len(metrics), len(systems), count))
    defined = np.zeros((len(metrics), len(systems), count))
    users = np.zeros(count)
    for fold, kept in zip(folds, samples, strict=True):
        fast = [k for k, metric in enumerate(metrics) if quick and all(_is_sum(metric, fold.judged[s]) for s in systems)]
        slow = [k for k in range(len(metrics)) if k not in fast]
        for start in range(0, len(fold.relevance), USERS_AT_ONCE):
            block = slice(start, min(start + USERS_AT_ONCE, len(fold.relevance)))
            totals = _totals(fold, kept, block)
            tested = _tested(fold, totals, block)
            users += tested.sum(axis=0)
            if fast:
                quick_sums = _QuickSums(fold, kept, block, totals, tested, [metrics[k] for k in fast])
                defined[fast] += (tested.sum(axis=0) if undefined_as_zero else quick_sums.defined)[..., None, :]
                for s, of_system in enumerate(threads.run_all(quick_sums.of_system, systems)):
                    sums[fast, s] += of_system
        if slow:
            again = _judged_again(fold, kept, [metrics[k] for k in slow], systems, undefined_as_zero=undefined_as_zero)
            for k, (total, number) in enumerate(again):
                sums[slow, :, k] += total
                defined[slow, :, k] += number
    values = np.divide(sums, defined, out=np.full_like(sums, np.nan), where=defined > 0)
    return SampledMeans(values=values, users=users)


def _totals(
    fold: FoldLists, kept: RatingSamples, block: slice, rel: float | None = None, unjudged: Bool | None = None
) -> Float64:
    """Rated, relevant and judged non-relevant test items of each user of a block in each sample."""
    from heldout.kernels.sampled_ratings import sampled_totals

    relevance = fold.relevance
    totals = np.empty((3, block.stop - block.start, kept.count))
    none = np.zeros(len(relevance.item), np.bool_)
    rows = relevance.indptr[block.start : block.stop + 1]
    sampled_totals(rows, kept.words, relevance.relevant_at(rel), none if unjudged is None else unjudged, totals)
    return totals


def _tested(fold: FoldLists, totals: Float64, block: slice) -> Float64:
    """1 where a user of a block is tested in a sample: users × samples."""
    enough = (totals[0] >= fold.least_rated) & (totals[1] >= fold.least_relevant)
    return np.asarray(enough & fold.eligible[block, None], np.float64)


def _judged_again(
    fold: FoldLists,
    samples: RatingSamples,
    metrics: Sequence[Metric],
    systems: Sequence[str],
    *,
    undefined_as_zero: bool,
) -> Iterator[tuple[Float64, Float64]]:
    """For each sample: by metric and system, the sum of the values of tested users, and how many are averaged."""

    as_zero = np.array([undefined_as_zero and not metric.skips_undefined for metric in metrics])

    def of_sample(sample: int) -> tuple[Float64, Float64]:
        kept = samples.kept(sample)
        relevance = keep_ratings(fold.relevance, kept)
        enough = (relevance.rated >= fold.least_rated) & (relevance.total(None) >= fold.least_relevant)
        tested = enough & fold.eligible
        sums, counts = np.zeros((2, len(metrics), len(systems)))
        for s, system in enumerate(systems):
            judged = judge_kept(fold.judged[system], kept, relevance, rated_alone=fold.target.form.own)
            measured = measure(judged, metrics, target=fold.target, tested=tested)
            values = measured.values[tested & (measured.lists > 0)]
            values = np.where(np.isnan(values) & as_zero, 0.0, values)
            sums[:, s] = np.nansum(values, axis=0)
            counts[:, s] = np.count_nonzero(~np.isnan(values), axis=0)
        return sums, counts

    return threads.run_all(of_sample, range(samples.count))


def _is_sum(metric: Metric, judged: Judged) -> bool:
    """Whether a metric is a sum over hits of such lists: one for each user, whose ties are settled."""
    plain = judged.one_each and not (judged.expected or judged.full or judged.condensed)
    return plain and metric.as_sum() is not None


class _QuickSums:
    """Sums over the tested users of a block of metrics that are sums over hits, for all samples at once."""

    def __init__(
        self,
        fold: FoldLists,
        kept: RatingSamples,
        block: slice,
        totals: Float64,
        tested: Float64,
        metrics: Sequence[Metric],
    ) -> None:
        self.fold, self.kept, self.block, self.tested = fold, kept, block, tested
        self.forms = [metric.as_sum() for metric in metrics]
        deepest = max((judged.deepest for judged in fold.judged.values()), default=0)
        depths = [depth if (depth := depth_of(metric)) is not None else max(deepest, 1) for metric in metrics]
        self.cuts = np.unique(np.array(depths, np.int64))
        self.column = np.searchsorted(self.cuts, depths)
        self.negative = float(fold.relevance.grade.min(initial=0.0)) < 0
        distinct = dict.fromkeys(self._judging(form) for form in self.forms if isinstance(form, HitSum))
        self.unjudged = {judging: self._unjudged(judging) for judging in distinct}
        self.totals = {
            judging: totals if judging == (None, False) else _totals(fold, kept, block, judging[0], unjudged)
            for judging, unjudged in self.unjudged.items()
        }
        gaining = dict.fromkeys(form for form in self.forms if isinstance(form, GainSum))
        self.gains = {form: form.gain.rows(fold.relevance, form.rel) for form in gaining}
        self.ideals = {form: self._inverse_ideals(form) for form in gaining}

    def _judging(self, form: HitSum) -> Judging:
        """From which rating on items are relevant, and whether those rated below 0, if there are any, are not judged."""
        return form.rel, self.negative and form.unjudged

    @cached_property
    def defined(self) -> Float64:
        """For each metric and sample, the tested users for whom it has a value."""
        return np.stack([(self.tested * self._defined(k)).sum(axis=0) for k in range(len(self.forms))])

    def _defined(self, k: int) -> Bool:
        """Users × samples: for whom the metric has a value."""
        form = self.forms[k]
        if isinstance(form, GainSum):
            return np.asarray(self.ideals[form][:, self.column[k]] > 0)
        if isinstance(form, HitSum) and form.needs_relevant:
            return np.asarray(self.totals[self._judging(form)][1] > 0)
        return np.ones(self.tested.shape, np.bool_)

    def _inverse_ideals(self, form: GainSum) -> Float64:
        """1 ÷ the gain of the best list: users × cut-offs × samples."""
        from heldout.kernels.sampled_ratings import sampled_ideals

        relevance = self.fold.relevance
        indptr = relevance.indptr[self.block.start : self.block.stop + 1]
        ratings = slice(indptr[0], indptr[-1])
        gains = self.gains[form][ratings]
        best_first = np.lexsort((-gains, relevance.owner[ratings]))
        weights = form.discount.weights(int(relevance.rated.max(initial=0)) + 1)
        ideals = np.empty((len(indptr) - 1, len(self.cuts), self.kept.count))
        words = self.kept.words[ratings]
        sampled_ideals(indptr - indptr[0], best_first, words, gains, weights, self.cuts, ideals)
        return ideals

    def of_system(self, system: str) -> Float64:
        """Metrics × samples."""
        from heldout.kernels import sampled_ratings as kernels

        judged, block = self.fold.judged[system], self.block
        shape = (len(self.cuts), self.kept.count)
        # There is one list for each user, so lists of the block are those of its users.
        lists = (judged.indptr[block.start : block.stop + 1], judged.row, judged.rank, judged.owner[block] - block.start)
        sums: dict[object, Float64] = {}
        values = np.empty((len(self.forms), self.kept.count))
        for k, form in enumerate(self.forms):
            if isinstance(form, GainSum):
                if form not in sums:
                    sums[form] = np.zeros(shape)
                    weights = form.discount.weights(int(self.cuts[-1]))
                    gains, ideals = self.gains[form], self.ideals[form]
                    kernels.sampled_gains(
                        *lists, self.kept.words, gains, weights, ideals, self.tested, self.cuts, sums[form]
                    )
                values[k] = sums[form][self.column[k]]
            elif form is not None:
                judging, pools = self._judging(form), form.pools_judged
                if (judging, pools) not in sums:
                    terms = np.zeros((kernels.TERMS, *shape))
                    relevant, unjudged = self.fold.relevance.relevant_at(form.rel), self.unjudged[judging]
                    totals, words = self.totals[judging], self.kept.words
                    kernels.sampled_sums(*lists, words, relevant, unjudged, totals, self.tested, self.cuts, pools, terms)
                    sums[judging, pools] = np.cumsum(terms, axis=1)
                values[k] = sums[judging, pools][getattr(kernels, form.term), self.column[k]] / form.divisor
        return values

    def _unjudged(self, judging: Judging) -> Bool:
        """Ratings below 0 that count as not judged."""
        rel, some = judging
        rows: Bool = (self.fold.relevance.grade < 0) & ~self.fold.relevance.relevant_at(rel) & some
        return rows
